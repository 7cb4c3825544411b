"""Exported files: formats, bytes, names, and notes for the person who exports."""

from dataclasses import dataclass
from enum import StrEnum

from almanac.desks.newsletter.formats.publication import Publication
from almanac.kit.text import slug

_MAX_NAME_LENGTH = 60


class ExportFormat(StrEnum):
    """The formats of an issue. `html` is for mail; `web` is a standalone page."""

    PDF = "pdf"
    DOCX = "docx"
    HTML = "html"
    WEB = "web"
    MARKDOWN = "markdown"
    TEXT = "text"


class PaperSize(StrEnum):
    """The size of a printed page."""

    A4 = "a4"
    LETTER = "letter"


MEDIA_TYPES = {
    ExportFormat.PDF: "application/pdf",
    ExportFormat.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ExportFormat.HTML: "text/html; charset=utf-8",
    ExportFormat.WEB: "text/html; charset=utf-8",
    ExportFormat.MARKDOWN: "text/markdown; charset=utf-8",
    ExportFormat.TEXT: "text/plain; charset=utf-8",
}
SUFFIXES = {
    ExportFormat.PDF: "pdf",
    ExportFormat.DOCX: "docx",
    ExportFormat.HTML: "html",
    ExportFormat.WEB: "html",
    ExportFormat.MARKDOWN: "md",
    ExportFormat.TEXT: "txt",
}


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An exported file. `notes` are sentences for the person who asked for it; most exports have none."""

    format: ExportFormat
    content: bytes
    media_type: str
    file_name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IssueMail:
    """An issue as the parts of a mail."""

    subject: str
    preheader: str
    html: str
    text: str


def build_export_file(
    export_format: ExportFormat, content: bytes, publication: Publication, notes: tuple[str, ...] = ()
) -> ExportFile:
    """The content with its name and type; the publication's own notes come first."""
    return ExportFile(
        export_format,
        content,
        MEDIA_TYPES[export_format],
        export_file_name(publication, export_format),
        (*publication.notes, *notes),
    )


def export_file_name(publication: Publication, export_format: ExportFormat) -> str:
    """Such as `NL-20260126-A1B2-weekly-digest.pdf`: the code first, so that files sort by date."""
    words = slug(publication.front.title)
    if len(words) > _MAX_NAME_LENGTH:
        words = words[:_MAX_NAME_LENGTH].rpartition("-")[0] or words[:_MAX_NAME_LENGTH]
    return "-".join(filter(None, (publication.front.code, words))) + f".{SUFFIXES[export_format]}"
