"""What an export is: its format, its bytes, its name, and what a person should know about it."""

from dataclasses import dataclass
from enum import StrEnum

from almanac.desks.newsletter.publication import Publication
from almanac.kit.text import slug

_LONGEST_NAME = 60


class Format(StrEnum):
    """What an issue can be written as. `html` is for mail; `web` is the same text as a page of its own."""

    PDF = "pdf"
    DOCX = "docx"
    HTML = "html"
    WEB = "web"
    MARKDOWN = "markdown"
    TEXT = "text"


class Paper(StrEnum):
    """The size of a printed page."""

    A4 = "a4"
    LETTER = "letter"


MEDIA_TYPES = {
    Format.PDF: "application/pdf",
    Format.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    Format.HTML: "text/html; charset=utf-8",
    Format.WEB: "text/html; charset=utf-8",
    Format.MARKDOWN: "text/markdown; charset=utf-8",
    Format.TEXT: "text/plain; charset=utf-8",
}
SUFFIXES = {
    Format.PDF: "pdf",
    Format.DOCX: "docx",
    Format.HTML: "html",
    Format.WEB: "html",
    Format.MARKDOWN: "md",
    Format.TEXT: "txt",
}


@dataclass(frozen=True, slots=True)
class Export:
    """A finished file. `notes` are sentences for the person who asked for it; most exports have none."""

    format: Format
    content: bytes
    media_type: str
    file_name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MailParts:
    """An issue as a mail: what a `Message` needs."""

    subject: str
    preheader: str
    html: str
    text: str


def export_as(wanted: Format, content: bytes, publication: Publication, notes: tuple[str, ...] = ()) -> Export:
    """The bytes with their name and type; the publication's own notes come first."""
    return Export(wanted, content, MEDIA_TYPES[wanted], file_name(publication, wanted), (*publication.notes, *notes))


def file_name(publication: Publication, wanted: Format) -> str:
    """`NL-20260126-A1B2-weekly-digest.pdf`: the code first, so that files sort by date."""
    words = slug(publication.front.title)
    if len(words) > _LONGEST_NAME:
        words = words[:_LONGEST_NAME].rpartition("-")[0] or words[:_LONGEST_NAME]
    return "-".join(filter(None, (publication.front.code, words))) + f".{SUFFIXES[wanted]}"
