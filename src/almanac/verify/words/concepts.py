"""Concepts: common words of news and parliament that mean the same in several languages, and which are opposites."""

import re
from functools import cache, lru_cache

from almanac.language.terms import stopwords
from almanac.verify.facts import SENTENCE_CACHE_SIZE
from almanac.verify.names.latin import latin_words
from almanac.verify.sources import CJK_LANGUAGES, stem_word
from almanac.verify.word_lists import read_lines
from almanac.verify.words import malay

_COLUMNS = {"en": 0, "ms": 1, "zh": 2, "ja": 3}


@lru_cache(maxsize=2 * SENTENCE_CACHE_SIZE)
def concepts(text: str, language: str) -> dict[str, str]:
    """The concepts of a text with masked figures, each by its first English word, with the word that has it. Cached."""
    words = _words(language)
    if language in CJK_LANGUAGES:
        pattern = _pattern(language)
        return {concept: match[0] for match in pattern.finditer(text) for concept in words[match[0]]}
    return {
        concept: word.text
        for word in latin_words(text)
        if word.key in words or word.key not in stopwords(language)
        for key in _lookup_keys(word.key, language)
        for concept in words.get(key, ())
    }


def is_listed_word(word: str, language: str) -> bool:
    """Whether a lower-case word is a common word of the list, so that its capital at the start means nothing."""
    return any(key in _words(language) for key in _lookup_keys(word, language))


@cache
def opposite_concepts() -> dict[str, frozenset[str]]:
    """For each concept those that say the opposite."""
    opposites: dict[str, frozenset[str]] = {}
    for line in read_lines("opposites.txt"):
        first, second = line.split()
        opposites[first] = opposites.get(first, frozenset()) | {second}
        opposites[second] = opposites.get(second, frozenset()) | {first}
    return opposites


@cache
def _words(language: str) -> dict[str, tuple[str, ...]]:
    """The names of the concepts of each word of a language; Latin words by their own keys."""
    words: dict[str, tuple[str, ...]] = {}
    for line in read_lines("concepts.txt"):
        columns = [column.split() for column in line.split("|")]
        for word in columns[_COLUMNS[language]] if language in _COLUMNS else ():
            for key in _lookup_keys(word, language):
                words[key] = (*words.get(key, ()), columns[0][0])
    return words


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """The listed words of a language without spaces, the longest first."""
    return re.compile("|".join(sorted(_words(language), key=lambda word: (-len(word), word))))


def _lookup_keys(word: str, language: str) -> frozenset[str]:
    """The stem of an English word, the root of a Malay one, and the word itself; function words are listed too."""
    if language in CJK_LANGUAGES:
        return frozenset({word})
    roots = malay.roots(word) if language == "ms" else frozenset({stem_word(word)})
    return roots | {word}
