"""Malay and Indonesian content words: by root, and by our own list of synonyms."""

from collections.abc import Iterator
from functools import lru_cache

from almanac.kit.lazy import lazy_module
from almanac.language.terms import stopwords
from almanac.verify.names.latin import latin_words
from almanac.verify.sources import stem_word
from almanac.verify.word_lists import read_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.synonyms import synonym_groups

simplemma = lazy_module("simplemma")


def content_words(text: str) -> Iterator[ContentWord]:
    """The words that aren't function words, fillers or single letters."""
    for word in latin_words(text):
        if len(word.key) > 1 and not _is_idle(word.key):
            keys = _keys(word.key)
            yield ContentWord(word.start, word.end, word.text, keys, keys)


@lru_cache(maxsize=8192)
def _is_idle(word: str) -> bool:
    return word in stopwords("ms") or word in read_words("fillers_ms.txt")


@lru_cache(maxsize=8192)
def _keys(word: str) -> frozenset[str]:
    root = str(simplemma.lemmatize(word, lang="id")).casefold()
    return roots(word) | synonym_groups(word, root, "ms")


@lru_cache(maxsize=8192)
def roots(word: str) -> frozenset[str]:
    """The root by Indonesian's table of forms, which has most Malay ones, and the stem by affixes."""
    root = str(simplemma.lemmatize(word, lang="id")).casefold()
    return frozenset({stem_word(word), root, stem_word(root)})
