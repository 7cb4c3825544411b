"""Exports of a publication: PDF, Word, HTML for mail and the web, Markdown and plain text, with the same references.

Pure and synchronous, from a `Publication` to bytes: a caller on the event loop uses `asyncio.to_thread`. Where the
bytes are kept is left to the desk.
"""

from almanac.desks.newsletter.exports.html import mail_of
from almanac.desks.newsletter.exports.model import MEDIA_TYPES, SUFFIXES, Export, Format, MailParts, Paper
from almanac.desks.newsletter.exports.writers import export_issue

__all__ = ["MEDIA_TYPES", "SUFFIXES", "Export", "Format", "MailParts", "Paper", "export_issue", "mail_of"]
