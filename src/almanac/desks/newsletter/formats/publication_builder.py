"""Builds a publication from a newsletter: sections parsed, references numbered in the order of first citation."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from almanac.desks.newsletter.formats.labels import audience_names, section_title
from almanac.desks.newsletter.formats.markdown_parser import CitationNumbers, is_safe_link, parse_section
from almanac.desks.newsletter.formats.publication import (
    CitedSource,
    FrontMatter,
    MarkdownSection,
    NumberedReference,
    Publication,
    PublishedSection,
)
from almanac.desks.newsletter.model.draft_text import strip_markup
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.errors import Conflict, InputError
from almanac.kit.messages import gettext, ngettext, translate
from almanac.kit.text import one_line, shorten
from almanac.language.detection import detect_language

# Control characters except tab and line feed, lone surrogates and noncharacters: XML forbids them and no font has them.
# Bidirectional overrides would make a person read something else than what was checked.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]"
)
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_SHOWN = 5
MAX_PREHEADER_LENGTH = 110
_HEADING_SIGNS = "#*_> "


def clean_text(text: str) -> str:
    """The text without characters that some format can't represent; every line ends in a line feed."""
    return _UNPRINTABLE.sub("", _LINE_ENDS.sub("\n", text))


def clean_line(text: str) -> str:
    """The same on one line, for a title or a name."""
    return one_line(clean_text(text))


class DanglingReferences(Conflict):
    """Markers that name no known chunk; an issue isn't exported with a reference to nothing."""

    code = "dangling_references"

    def __init__(self, markers: Sequence[str]) -> None:
        shown = ", ".join(f"[@{marker}]" for marker in markers[:_SHOWN]) + (", …" if len(markers) > _SHOWN else "")
        super().__init__(
            ngettext(
                "The draft has %(num)s reference without a source: %(markers)s. "
                "Remove each, or include its source again.",
                "The draft has %(num)s references without a source: %(markers)s. "
                "Remove each, or include its source again.",
                len(markers),
                markers=shown,
            ),
            markers=list(markers),
        )
        self.markers = tuple(markers)


def build_publication(
    front: FrontMatter, sections: Sequence[MarkdownSection], sources: Mapping[str, CitedSource]
) -> Publication:
    """The draft as a publication. `sources` are the known chunks by id; only cited ones are listed.

    Raises `DanglingReferences` if a marker names an unknown chunk.
    """
    numbers = CitationNumbers(sources)
    read = [_parse_section(section, numbers, front.language) for section in sections]
    if numbers.unknown:
        raise DanglingReferences(list(numbers.unknown))
    references = [
        NumberedReference(number, name, _clean_source(sources[name], front.language))
        for name, number in numbers.cited.items()
    ]
    return Publication(
        _clean_front_matter(front),
        tuple(section for section in read if section.blocks),
        tuple(references),
        (*_notes_on_sections(read), *_notes_on_addresses(references, sources)),
    )


def _clean_front_matter(front: FrontMatter) -> FrontMatter:
    if not _LANGUAGE.fullmatch(front.language):
        raise InputError(gettext("Give the language as a tag such as en, zh or ms."))
    return replace(
        front,
        title=clean_line(front.title) or front.code,
        organisation=clean_line(front.organisation),
        audience=clean_line(front.audience),
        preheader=clean_line(front.preheader),
    )


def _parse_section(section: MarkdownSection, numbers: CitationNumbers, language: str) -> PublishedSection:
    name = clean_line(section.name)
    title = section_title(name, language)
    return PublishedSection(section.id, title, parse_section(name or title, clean_text(section.text), numbers))


def _clean_source(source: CitedSource, language: str) -> CitedSource:
    publisher, url = clean_line(source.source), clean_line(source.url or "")
    title = clean_line(source.title) or publisher or url or translate(gettext("Untitled source"), language)
    return replace(source, title=title, source=publisher, url=url if is_safe_link(url) else None)


def _notes_on_sections(sections: Sequence[PublishedSection]) -> list[str]:
    return [
        gettext("The section “%(name)s” is empty and was left out.", name=section.name)
        for section in sections
        if not section.blocks
    ]


def _notes_on_addresses(references: Sequence[NumberedReference], sources: Mapping[str, CitedSource]) -> list[str]:
    return [
        gettext(
            "Reference %(number)s has an address that is not a web address; it is listed without a link.",
            number=reference.number,
        )
        for reference in references
        if sources[reference.chunk_id].url and not reference.source.url
    ]


def build_issue(full: FullNewsletter, today: dt.date) -> Publication:
    """The publication that every export of a newsletter is made from. Raises `DanglingReferences`."""
    sections = [
        MarkdownSection(id=section.id, name=section.name, text=section.text)
        for section in full.draft.draft.sections
        if section.text.strip()
    ]
    return build_publication(_front_matter(full, today), sections, _citable_sources(full))


def _front_matter(full: FullNewsletter, today: dt.date) -> FrontMatter:
    configuration = full.newsletter.configuration
    done = full.newsletter.completed_at
    text = " ".join(strip_markup(section.text) for section in full.draft.draft.sections)
    language = detect_language(text) if text.strip() else "en"
    return FrontMatter(
        title=configuration.title,
        code=full.code,
        date=done.date() if done else today,
        language=language,
        audience=audience_names(configuration.target_audience, language),
        preheader=preheader_text(full),
    )


def preheader_text(full: FullNewsletter) -> str:
    """What a mail program shows next to the subject: the description, or the first line of the text."""
    described = full.newsletter.configuration.description
    if described:
        return shorten(described, MAX_PREHEADER_LENGTH)
    for section in full.draft.draft.sections:
        for line in section.text.splitlines():
            if line.strip() and not line.startswith("#"):
                return shorten(one_line(strip_markup(line)).strip(_HEADING_SIGNS), MAX_PREHEADER_LENGTH)
    return ""


def _citable_sources(full: FullNewsletter) -> dict[str, CitedSource]:
    return {
        chunk.id: CitedSource(
            title=chunk.title or chunk.source, source=chunk.source, url=chunk.url or None, date=chunk.date
        )
        for chunk in full.topics.chunks
    }
