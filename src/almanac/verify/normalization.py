"""Text as the check compares it: one width, one kind of dash and quotation mark, and what was already read blanked."""

import unicodedata
from collections.abc import Iterable
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.verify.word_lists import read_words

_ALIKE = str.maketrans({"‐": "-", "‑": "-", "−": "-", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"'})
_SPACES = lazy_regex(r"\s+")

Span = tuple[int, int]


def normalize_width(text: str) -> str:
    """NFKC with one kind of space. Quotation marks stay, since they say where speech begins and ends."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip()


def normalize_text(text: str) -> str:
    """Plain, with one kind of dash and quotation mark, so that readers need one spelling of each pattern."""
    return normalize_width(text).translate(_ALIKE)


def mask_spans(text: str, spans: Iterable[Span]) -> str:
    """The text with the given parts as bars, which no reader takes for a word, a digit or a space."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = "|" * (end - start)
    return "".join(characters)


class SpanTracker:
    """Which characters of a text have been read already: the first reader of a place keeps it."""

    def __init__(self, text: str) -> None:
        self._taken = bytearray(len(text))

    def reserve(self, start: int, end: int) -> bool:
        """Take a part; False where some of it is taken."""
        if any(self._taken[start:end]):
            return False
        self._taken[start:end] = b"\x01" * (end - start)
        return True


_KANA = lazy_regex("[\u3041-\u3096\u30a1-\u30fa]")


def has_kana(text: str) -> bool:
    """Whether a text is Japanese, whose characters often look traditional and are left alone."""
    return bool(_KANA.search(text))


def to_simplified_chinese(text: str) -> str:
    """The text in simplified characters, as far as they are common enough to be listed."""
    return text if text.isascii() else text.translate(_table())


@cache
def _table() -> dict[int, str]:
    return {ord(pair[0]): pair[1] for pair in read_words("traditional.txt")}
