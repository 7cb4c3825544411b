"""Exports of a publication: PDF, Word, HTML for mail and the web, Markdown and plain text, with the same references.

Pure and synchronous, from a `Publication` to bytes: a caller on the event loop uses `asyncio.to_thread`. Where the
bytes are kept is left to the desk.
"""
