"""Builds a publication: sections read, references numbered from 1 in the order in which they first appear."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from almanac.desks.newsletter.publication.parsing import safe_link
from almanac.desks.newsletter.publication.printable import printable, printable_line
from almanac.desks.newsletter.publication.reading import Numbers, read_section
from almanac.desks.newsletter.publication.tree import (
    DraftSection,
    FrontMatter,
    Publication,
    Reference,
    Section,
    Source,
)
from almanac.errors import Conflict, InputError
from almanac.kit.text import counted

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_SHOWN = 5


class DanglingReferences(Conflict):
    """Markers that name no known chunk: an issue is not printed with a reference that leads nowhere."""

    code = "dangling_references"

    def __init__(self, markers: Sequence[str]) -> None:
        shown = ", ".join(f"[@{marker}]" for marker in markers[:_SHOWN]) + (", …" if len(markers) > _SHOWN else "")
        super().__init__(
            f"The draft has {counted(len(markers), 'reference')} without a source: {shown}. "
            "Remove each, or include its source again.",
            markers=list(markers),
        )
        self.markers = tuple(markers)


def publication_of(front: FrontMatter, sections: Sequence[DraftSection], sources: Mapping[str, Source]) -> Publication:
    """The draft as a publication. `sources` are the known chunks by id; those that nobody cites are not listed.

    Raises `DanglingReferences` if a marker names a chunk that is not among them.
    """
    numbers = Numbers(sources)
    read = [_section(section, numbers) for section in sections]
    if numbers.unknown:
        raise DanglingReferences(list(numbers.unknown))
    references = [Reference(number, name, _source(sources[name])) for name, number in numbers.cited.items()]
    return Publication(
        _front(front),
        tuple(section for section in read if section.blocks),
        tuple(references),
        (*_notes_on_sections(read), *_notes_on_addresses(references, sources)),
    )


def _front(front: FrontMatter) -> FrontMatter:
    if not _LANGUAGE.fullmatch(front.language):
        raise InputError("Give the language as a tag such as en, zh or ms.")
    return replace(
        front,
        title=printable_line(front.title) or front.code,
        organisation=printable_line(front.organisation),
        audience=printable_line(front.audience),
        preheader=printable_line(front.preheader),
    )


def _section(section: DraftSection, numbers: Numbers) -> Section:
    name = printable_line(section.name) or "Untitled section"
    return Section(section.id, name, read_section(name, printable(section.text), numbers))


def _source(source: Source) -> Source:
    publisher, url = printable_line(source.source), printable_line(source.url or "")
    title = printable_line(source.title) or publisher or url or "Untitled source"
    return replace(source, title=title, source=publisher, url=url if safe_link(url) else None)


def _notes_on_sections(sections: Sequence[Section]) -> list[str]:
    return [f"The section “{section.name}” is empty and was left out." for section in sections if not section.blocks]


def _notes_on_addresses(references: Sequence[Reference], sources: Mapping[str, Source]) -> list[str]:
    return [
        f"Reference {reference.number} has an address that is not a web address; it is listed without a link."
        for reference in references
        if sources[reference.chunk_id].url and not reference.source.url
    ]
