"""English content words: by stem, by WordNet's synonyms and more general words, and by our own list of synonyms."""

from collections.abc import Iterator
from functools import lru_cache

from almanac.language.terms import stopwords
from almanac.verify.names.latin import latin_words
from almanac.verify.sources import stem_word
from almanac.verify.word_lists import read_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.synonyms import synonym_groups
from almanac.verify.words.wordnet import carried_synsets, synsets


def content_words(text: str) -> Iterator[ContentWord]:
    """The words that aren't function words, fillers or single letters."""
    for word in latin_words(text):
        key = word.key.removesuffix("n't")
        if len(key) > 1 and not _is_idle(key):
            yield ContentWord(word.start, word.end, word.text, _keys(key), _carried(key))


@lru_cache(maxsize=8192)
def _is_idle(word: str) -> bool:
    return word in stopwords("en") or word in read_words("fillers_en.txt")


@lru_cache(maxsize=8192)
def _keys(word: str) -> frozenset[str]:
    stem = stem_word(word)
    return frozenset({stem}) | synsets(word) | synonym_groups(word, stem, "en")


@lru_cache(maxsize=8192)
def _carried(word: str) -> frozenset[str]:
    return _keys(word) | carried_synsets(word)
