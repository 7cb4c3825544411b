"""PDF rendering by typst. Templates and data come from the callers."""
