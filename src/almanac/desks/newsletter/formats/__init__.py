"""Export formats of an issue: PDF, Word, HTML for mail and web, Markdown and plain text, with the same references.

Pure and synchronous, from a `Publication` to bytes; on the event loop call them with `asyncio.to_thread`.
"""
