"""Which writer writes which format."""

from almanac.desks.newsletter.exports.docx import write_docx
from almanac.desks.newsletter.exports.html import write_mail, write_web
from almanac.desks.newsletter.exports.markdown import write_markdown
from almanac.desks.newsletter.exports.model import Export, Format, Paper
from almanac.desks.newsletter.exports.pdf import write_pdf
from almanac.desks.newsletter.exports.text import write_text
from almanac.desks.newsletter.publication import Publication

_ON_PAPER = {Format.PDF: write_pdf, Format.DOCX: write_docx}
_ON_A_SCREEN = {
    Format.HTML: write_mail,
    Format.WEB: write_web,
    Format.MARKDOWN: write_markdown,
    Format.TEXT: write_text,
}


def export_issue(publication: Publication, wanted: Format, paper: Paper = Paper.A4) -> Export:
    """The issue in a format; the paper matters to those that are printed."""
    if wanted in _ON_PAPER:
        return _ON_PAPER[wanted](publication, paper)
    return _ON_A_SCREEN[wanted](publication)
