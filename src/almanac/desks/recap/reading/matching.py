"""Finding words in a text whatever their case or width, and marking them where they stand."""

import unicodedata
from collections.abc import Iterator, Sequence

from almanac.search import Span


def words_of(text: str) -> tuple[str, ...]:
    """The words that somebody looks for, folded; several must all occur."""
    return tuple(dict.fromkeys(folded(word) for word in text.split()))


def folded(text: str) -> str:
    """The text without differences of case and width; ｶﾞ and ガ are the same."""
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())


def has_every(text: str, words: Sequence[str]) -> bool:
    """Whether every folded word occurs in the text."""
    within = folded(text) if words else ""
    return all(word in within for word in words)


def marked(text: str, words: Sequence[str]) -> tuple[Span, ...]:
    """The text in pieces, those marked that are one of the folded words."""
    if not words or not text:
        return (Span(text),) if text else ()
    pieces: list[Span] = []
    done = 0
    for start, end in _places(text, words):
        if start > done:
            pieces.append(Span(text[done:start]))
        pieces.append(Span(text[start:end], marked=True))
        done = end
    return (*pieces, Span(text[done:])) if done < len(text) else tuple(pieces)


def _places(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where words stand, in characters of the text; places that overlap are one."""
    parts = [folded(character) for character in text]
    within = "".join(parts)
    owners = [at for at, part in enumerate(parts) for _ in part]
    found = sorted(
        (owners[start], owners[start + len(word) - 1] + 1) for word in words for start in _occurrences(within, word)
    )
    current: tuple[int, int] | None = None
    for start, end in found:
        if current is None or start > current[1]:
            if current:
                yield current
            current = (start, end)
        else:
            current = (current[0], max(current[1], end))
    if current:
        yield current


def _occurrences(within: str, word: str) -> Iterator[int]:
    at = within.find(word) if word else -1
    while at >= 0:
        yield at
        at = within.find(word, at + len(word))
