"""Text as the check compares it: one width, one kind of dash and quotation mark, and what was already read blanked."""

import unicodedata
from collections.abc import Iterable

from almanac.kit.lazy_regex import lazy_regex

_ALIKE = str.maketrans({"‐": "-", "‑": "-", "−": "-", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"'})
_SPACES = lazy_regex(r"\s+")

Span = tuple[int, int]


def plain(text: str) -> str:
    """NFKC with one kind of space. Quotation marks stay, since they say where speech begins and ends."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip()


def level(text: str) -> str:
    """Plain, with one kind of dash and quotation mark, so that readers need one spelling of each pattern."""
    return plain(text).translate(_ALIKE)


def blanked(text: str, spans: Iterable[Span]) -> str:
    """The text with the given parts as bars, which no reader takes for a word, a digit or a space."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = "|" * (end - start)
    return "".join(characters)


class Taken:
    """Which characters of a text have been read already: the first reader of a place keeps it."""

    def __init__(self, text: str) -> None:
        self._taken = bytearray(len(text))

    def take(self, start: int, end: int) -> bool:
        """Take a part; False where some of it is taken."""
        if any(self._taken[start:end]):
            return False
        self._taken[start:end] = b"\x01" * (end - start)
        return True
