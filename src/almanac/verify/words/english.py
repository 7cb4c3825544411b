"""English content words: by stem, by WordNet's synonyms and more general words, and by our own list of synonyms."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from almanac.language.terms import stopwords
from almanac.verify.names.latin import latin_words
from almanac.verify.sources import stem_word
from almanac.verify.word_lists import read_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.synonyms import groups_by_form, listed_synonyms
from almanac.verify.words.wordnet import carried_synsets, phrase_synsets, synsets

_ORDINARY = 12


def content_words(text: str) -> Iterator[ContentWord]:
    """The words that aren't function words, fillers or single letters; a word has the keys of its phrases too."""
    words = latin_words(text)
    names = [word.key.removesuffix("n't") for word in words]
    phrases = _phrase_keys(names)
    for word, key, of_phrases in zip(words, names, phrases, strict=True):
        if len(key) > 1 and not _is_idle(key):
            keys, carries = _keys(key) | of_phrases, _carried(key) | of_phrases
            is_light = key in read_words("light_en.txt")
            yield ContentWord(word.start, word.end, word.text, keys, carries, is_light, _spared_beside(key))
        elif groups := of_phrases | _groups().get((stem_word(key),), frozenset()):
            # A source that has `said` carries `announced`, though `said` itself needs no cover.
            yield ContentWord(word.start, word.end, word.text, frozenset(), groups)


@lru_cache(maxsize=8192)
def _is_idle(word: str) -> bool:
    """Function words say nothing by themselves, except those of the list, such as `only` and `many`."""
    if word in read_words("meaning_words_en.txt"):
        return False
    return word in stopwords("en") or word in read_words("fillers_en.txt")


@lru_cache(maxsize=8192)
def _keys(word: str) -> frozenset[str]:
    stem = stem_word(word)
    return frozenset({stem}) | synsets(word) | _groups().get((stem,), frozenset())


@lru_cache(maxsize=8192)
def _spared_beside(word: str) -> int:
    """0 for weighty words and all forms of them."""
    return 0 if stem_word(word) in _weighty_stems() else _ORDINARY


@cache
def _weighty_stems() -> frozenset[str]:
    return frozenset(map(stem_word, read_words("weighty_en.txt")))


@lru_cache(maxsize=8192)
def _carried(word: str) -> frozenset[str]:
    return _keys(word) | carried_synsets(word)


def _phrase_keys(words: Sequence[str]) -> list[frozenset[str]]:
    """For each word, the keys of the listed phrases that it is part of, such as those of `look into` for `look`."""
    keys: list[frozenset[str]] = [frozenset()] * len(words)
    stems = [stem_word(word) for word in words]
    for start, stem in enumerate(stems):
        for size in _phrase_sizes().get(stem, ()):
            group = _groups().get(tuple(stems[start : start + size]))
            if group:
                keys[start : start + size] = [each | group for each in keys[start : start + size]]
        if start + 1 < len(words):
            keys[start] |= phrase_synsets(words[start], words[start + 1])
    return keys


@cache
def _groups() -> Mapping[tuple[str, ...], frozenset[str]]:
    """Names of groups of synonyms by the stems of a word or phrase."""
    return groups_by_form(
        (tuple(stem_word(word) for word in entry.split("_")), name) for entry, name in listed_synonyms("en")
    )


@cache
def _phrase_sizes() -> Mapping[str, frozenset[int]]:
    """How many words the listed phrases have that begin with a stem."""
    sizes: dict[str, frozenset[int]] = {}
    for stems in _groups():
        if len(stems) > 1:
            sizes[stems[0]] = sizes.get(stems[0], frozenset()) | {len(stems)}
    return sizes
