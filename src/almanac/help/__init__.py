"""The documentation inside the product: rendered from the shipped Markdown files, linked and searched."""
