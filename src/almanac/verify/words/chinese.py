"""Chinese content words: by jieba's segmentation, and by our own list of synonyms."""

from collections.abc import Iterator
from functools import cache
from typing import Protocol

from almanac.kit.lazy import lazy_module, lazy_regex
from almanac.language.scripts import HAN
from almanac.language.terms import stopwords
from almanac.verify.names.latin import latin_words
from almanac.verify.word_lists import read_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.synonyms import synonym_groups

jieba = lazy_module("jieba")
_HAN_WORD = lazy_regex(f"[{HAN}]+")


class Segmenter(Protocol):
    """What we use of jieba's tokenizer."""

    def tokenize(self, text: str) -> Iterator[tuple[str, int, int]]: ...


def content_words(text: str) -> Iterator[ContentWord]:
    """The words that aren't function words or fillers; words in Latin letters count too."""
    for word, start, end in _segmenter().tokenize(text):
        if _HAN_WORD.fullmatch(word) and word not in stopwords("zh") and word not in read_words("fillers_zh.txt"):
            keys = frozenset({word}) | synonym_groups(word, word, "zh")
            yield ContentWord(start, end, word, keys, keys | _pairs(word))
    for latin in latin_words(text):
        if len(latin.key) > 1:
            yield ContentWord(latin.start, latin.end, latin.text, frozenset({latin.key}), frozenset({latin.key}))


def _pairs(word: str) -> frozenset[str]:
    """A longer word carries the words in it: 国家统计局 carries 统计局."""
    return frozenset(word[at : at + size] for size in (2, 3) for at in range(len(word) - size + 1))


@cache
def _segmenter() -> Segmenter:
    jieba.setLogLevel("WARNING")
    segmenter: Segmenter = jieba.Tokenizer()
    return segmenter
