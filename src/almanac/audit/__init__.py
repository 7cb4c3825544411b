"""The append-only record of who did what, when, why and on what; callers write it in their own transaction."""
