"""Measures a draft's text, and splits a whole document into sections at the headings that name them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil

from almanac.kit.messages import ngettext

WORDS_PER_MINUTE = 250
CHARACTERS_PER_MINUTE = 500

_MARKERS = re.compile(r"\[@[^\]]*\]")
_LINKS = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]")
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
Naming = Callable[[int, str], str | None]
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*")
UNNAMED_SECTION = "Text"


def strip_markup(text: str) -> str:
    """The text without reference markers and link addresses."""
    return _LINKS.sub(r"\1", _MARKERS.sub("", text))


def count_words(text: str) -> int:
    """Words separated by spaces, plus every Chinese or Japanese character."""
    words, characters = _counts(text)
    return words + characters


def reading_time(texts: Iterable[str]) -> str:
    """Such as `5 minutes`; at least one minute if there is any text."""
    counts = [_counts(text) for text in texts]
    minutes = sum(words / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE for words, characters in counts)
    return ngettext("%(num)s minute", "%(num)s minutes", ceil(minutes))


@lru_cache(maxsize=256)
def _counts(text: str) -> tuple[int, int]:
    """Words, and characters of scripts without spaces. Cached, since a page shows them per section and in total."""
    text = strip_markup(text)
    characters = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))), characters


@lru_cache(maxsize=1024)
def fold_name(name: str) -> str:
    """A name for comparison: only its letters and digits, such as `researchfindings`."""
    return "".join(character for character in name.casefold() if character.isalnum())


def is_same_text(document: str, other: str) -> bool:
    """Whether two documents have the same words, ignoring titles and whitespace."""
    return strip_title(document).split() == strip_title(other).split()


def strip_title(document: str) -> str:
    """The text below the title; a leading heading of level 1 is the title."""
    first, _, rest = document.lstrip().partition("\n")
    heading = _HEADING.fullmatch(first)
    return rest.strip() if heading and len(heading[1]) == 1 else document.strip()


def split_by_names(document: str, names: Sequence[str]) -> dict[str, str] | None:
    """The text under each name, or None if the document has none of them as headings.

    Text before the first heading goes to the first section. A name that is missing in the document has no text.
    Other headings stay part of the text.
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
    """Name and text of each section, split at the top level of headings."""
    body = strip_title(document)
    levels = [len(match[1]) for line in body.splitlines() if (match := _HEADING.fullmatch(line.strip()))]
    top = min(levels, default=0)
    pieces = _split_at_headings(body, lambda level, heading: heading if level == top else None)
    return [(name or UNNAMED_SECTION, text) for name, text in pieces if name or text]


def _split_at_headings(body: str, named: Naming) -> Iterator[tuple[str | None, str]]:
    """The text before the first section heading with no name, then each section with its name."""
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
