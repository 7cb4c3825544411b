"""Content words of a sentence: those that say something, with the keys under which a source may carry them."""

from collections.abc import Iterable
from functools import lru_cache

from almanac.verify.facts import SENTENCE_CACHE_SIZE
from almanac.verify.normalization import MASK
from almanac.verify.words import chinese, english, japanese, malay
from almanac.verify.words.model import ContentWord

_READERS = {"en": english, "ms": malay, "id": malay, "ja": japanese, "zh": chinese}


@lru_cache(maxsize=2 * SENTENCE_CACHE_SIZE)
def content_words(text: str, language: str) -> tuple[ContentWord, ...]:
    """The content words of a normalized text whose figures and dates are masked, in order. Cached."""
    words = _READERS.get(language, english).content_words(text)
    return tuple(word for word in words if MASK not in word.text)


def carried_keys(texts: Iterable[str], language: str) -> frozenset[str]:
    """All that these texts can carry."""
    return frozenset[str]().union(*(text_keys(text, language) for text in texts))


@lru_cache(maxsize=2 * SENTENCE_CACHE_SIZE)
def text_keys(text: str, language: str) -> frozenset[str]:
    """All that a text can carry. Cached."""
    return frozenset[str]().union(*(word.carries for word in content_words(text, language)))
