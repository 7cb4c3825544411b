"""What the writing operations share: actions on single items, responses, and cancellation reasons."""
