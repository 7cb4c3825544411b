"""How long a text is for a reader: words where words are spaced, characters where they are not."""

import re
from collections.abc import Iterable
from math import ceil

WORDS_PER_MINUTE = 250
CHARACTERS_PER_MINUTE = 500

_MARKERS = re.compile(r"\[@[^\]]*\]")
_LINKS = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]")
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")


def readable(text: str) -> str:
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
    text = readable(text)
    characters = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))), characters
