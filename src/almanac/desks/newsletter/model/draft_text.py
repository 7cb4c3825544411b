"""Measures a draft's text, and splits a whole document into sections at the headings that name them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil

WORDS_PER_MINUTE = 250
CHARACTERS_PER_MINUTE = 500

_MARKERS = re.compile(r"\[@[^\]]*\]")
_LINKS = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]")
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")


def strip_markup(text: str) -> str:
    """The text without reference markers and the addresses of links."""
    return _LINKS.sub(r"\1", _MARKERS.sub("", text))


def count_words(text: str) -> int:
    """Spaced words, and each character of Chinese or Japanese as one."""
    words, characters = _counts(text)
    return words + characters


def reading_time(texts: Iterable[str]) -> str:
    """As in `5 minutes`; at least one minute where there is anything to read."""
    counts = [_counts(text) for text in texts]
    minutes = sum(words / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE for words, characters in counts)
    whole = ceil(minutes)
    return f"{whole} minute" if whole == 1 else f"{whole} minutes"


def _counts(text: str) -> tuple[int, int]:
    text = strip_markup(text)
    characters = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))), characters


Naming = Callable[[int, str], str | None]
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*")
UNNAMED = "Text"


def fold_name(name: str) -> str:
    """A name as it is compared with others: the letters and digits of it, as in `researchfindings`."""
    return "".join(character for character in name.casefold() if character.isalnum())


def is_same_text(document: str, other: str) -> bool:
    """Whether two documents say the same, whatever their titles and the gaps between their paragraphs."""
    return strip_title(document).split() == strip_title(other).split()


def strip_title(document: str) -> str:
    """The text below the title; a heading of the first level that opens a document is its title."""
    first, _, rest = document.lstrip().partition("\n")
    heading = _HEADING.fullmatch(first)
    return rest.strip() if heading and len(heading[1]) == 1 else document.strip()


def split_by_names(document: str, names: Sequence[str]) -> dict[str, str] | None:
    """The text under each of the names, with what precedes the first heading in front; None where none is named.

    A name that the document doesn't have any more has no text. Other headings are part of the text they stand in.
    """
    by_folded_name = {fold_name(name): name for name in names}
    pieces = list(_split_at_headings(strip_title(document), lambda _, heading: by_folded_name.get(fold_name(heading))))
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


def split_by_headings(document: str) -> list[tuple[str, str]]:
    """Name and text of each section, where nothing but the document says which there are."""
    body = strip_title(document)
    levels = [len(match[1]) for line in body.splitlines() if (match := _HEADING.fullmatch(line.strip()))]
    top = min(levels, default=0)
    pieces = _split_at_headings(body, lambda level, heading: heading if level == top else None)
    return [(name or UNNAMED, text) for name, text in pieces if name or text]


def _split_at_headings(body: str, named: Naming) -> Iterator[tuple[str | None, str]]:
    """The text above the first heading that begins a section, then each section with its name."""
    name: str | None = None
    lines: list[str] = []
    for line in body.splitlines():
        match = _HEADING.fullmatch(line.strip())
        section_name = named(len(match[1]), match[2]) if match else None
        if section_name is None:
            lines.append(line)
            continue
        yield name, "\n".join(lines).strip()
        name, lines = section_name, []
    yield name, "\n".join(lines).strip()
