"""A draft that another program keeps as one document, cut into its sections at the headings that name them."""

import re
from collections.abc import Callable, Iterator, Sequence

Naming = Callable[[int, str], str | None]
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*")
UNNAMED = "Text"


def folded_name(name: str) -> str:
    """A name as it is compared with others: the letters and digits of it, as in `researchfindings`."""
    return "".join(character for character in name.casefold() if character.isalnum())


def same_text(document: str, other: str) -> bool:
    """Whether two documents say the same, whatever their titles and the gaps between their paragraphs."""
    return without_title(document).split() == without_title(other).split()


def without_title(document: str) -> str:
    """The text below the title; a heading of the first level that opens a document is its title."""
    first, _, rest = document.lstrip().partition("\n")
    found = _HEADING.fullmatch(first)
    return rest.strip() if found and len(found[1]) == 1 else document.strip()


def cut_by_names(document: str, names: Sequence[str]) -> dict[str, str] | None:
    """The text under each of the names, with what precedes the first heading in front; None where none is named.

    A name that the document doesn't have any more has no text. Other headings are part of the text they stand in.
    """
    known = {folded_name(name): name for name in names}
    pieces = list(_pieces(without_title(document), lambda _, heading: known.get(folded_name(heading))))
    if not any(name for name, _ in pieces):
        return None
    texts = dict.fromkeys(names, "")
    opening = ""
    for name, text in pieces:
        if name is None:
            opening = text
            continue
        texts[name] = "\n\n".join(filter(None, (texts[name], opening, text)))
        opening = ""
    return texts


def cut_by_headings(document: str) -> list[tuple[str, str]]:
    """Name and text of each section, where nothing but the document says which there are."""
    body = without_title(document)
    levels = [len(found[1]) for line in body.splitlines() if (found := _HEADING.fullmatch(line.strip()))]
    top = min(levels, default=0)
    pieces = _pieces(body, lambda level, heading: heading if level == top else None)
    return [(name or UNNAMED, text) for name, text in pieces if name or text]


def _pieces(body: str, named: Naming) -> Iterator[tuple[str | None, str]]:
    """The text above the first heading that begins a section, then each section with its name."""
    name: str | None = None
    lines: list[str] = []
    for line in body.splitlines():
        found = _HEADING.fullmatch(line.strip())
        begins = named(len(found[1]), found[2]) if found else None
        if begins is None:
            lines.append(line)
            continue
        yield name, "\n".join(lines).strip()
        name, lines = begins, []
    yield name, "\n".join(lines).strip()
