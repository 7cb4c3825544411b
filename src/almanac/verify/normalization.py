"""Normalizes text for comparison and masks parts that were already parsed. Offsets refer to the normalized text."""

import unicodedata
from collections.abc import Iterable
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.verify.word_lists import read_words

_ALIKE = str.maketrans({"‐": "-", "‑": "-", "−": "-", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"'})
_SPACES = lazy_regex(r"\s+")
_BEFORE_POWER = lazy_regex(r"(?<=m)\s+(?=[²³])")
MASK = "|"

Span = tuple[int, int]


def normalize_width(text: str) -> str:
    """NFKC with single spaces. Quotation marks stay, since they delimit quotations."""
    joined = text if text.isascii() else _BEFORE_POWER.sub("", text)
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", joined)).strip()


def normalize_text(text: str) -> str:
    """NFKC with single spaces, one kind of dash and one kind of quotation mark."""
    return normalize_width(text).translate(_ALIKE)


def mask_spans(text: str, spans: Iterable[Span]) -> str:
    """The text with these spans as bars, which no pattern takes for a word, a digit or a space."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = MASK * (end - start)
    return "".join(characters)


class SpanTracker:
    """Tracks which characters of a text are already taken; the first reader of a span keeps it."""

    def __init__(self, text: str) -> None:
        self._taken = bytearray(len(text))

    def reserve(self, start: int, end: int) -> bool:
        """Reserve a span; False if part of it is already taken."""
        if any(self._taken[start:end]):
            return False
        self._taken[start:end] = b"\x01" * (end - start)
        return True


_KANA = lazy_regex("[\u3041-\u3096\u30a1-\u30fa]")


def has_kana(text: str) -> bool:
    """Whether a text is Japanese; its characters may look traditional and are left alone."""
    return bool(_KANA.search(text))


def to_simplified_chinese(text: str) -> str:
    """The text with common traditional characters simplified, one for one, so that offsets stay."""
    return text if text.isascii() else text.translate(_table())


@cache
def _table() -> dict[int, str]:
    return {ord(pair[0]): pair[1] for pair in read_words("traditional.txt")}
