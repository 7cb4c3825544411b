"""Chooses the writer of each export format."""

from almanac.desks.newsletter.formats.docx import write_docx
from almanac.desks.newsletter.formats.export_file import ExportFile, ExportFormat, PaperSize
from almanac.desks.newsletter.formats.html import write_html_mail, write_web_page
from almanac.desks.newsletter.formats.markdown import write_markdown
from almanac.desks.newsletter.formats.pdf import write_pdf
from almanac.desks.newsletter.formats.plain_text import write_text
from almanac.desks.newsletter.formats.publication import Publication

_PAPER_WRITERS = {ExportFormat.PDF: write_pdf, ExportFormat.DOCX: write_docx}
_SCREEN_WRITERS = {
    ExportFormat.HTML: write_html_mail,
    ExportFormat.WEB: write_web_page,
    ExportFormat.MARKDOWN: write_markdown,
    ExportFormat.TEXT: write_text,
}


def export_issue(publication: Publication, export_format: ExportFormat, paper: PaperSize = PaperSize.A4) -> ExportFile:
    """Export an issue in a format. `paper` only affects formats that are printed."""
    if export_format in _PAPER_WRITERS:
        return _PAPER_WRITERS[export_format](publication, paper)
    return _SCREEN_WRITERS[export_format](publication)
