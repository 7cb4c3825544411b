"""Chinese content words: by a dictionary of words, by the characters around them, and by our own list of synonyms."""

from collections.abc import Iterator
from functools import cache, lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN
from almanac.language.terms import stopwords
from almanac.verify.names.latin import latin_words
from almanac.verify.word_lists import read_words
from almanac.verify.words.chinese_dictionary import is_listed, may_be_name, split_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.synonyms import synonym_groups

_RUN = lazy_regex(f"[{HAN}]+")
_LONGEST_PART = 4
_LIGHT, _ORDINARY = 2, 4
# 成年人 says what 成年 says; the last character only names the kind of thing.
_ENDINGS = frozenset(
    "者率量额费局部厅处所院会员人家业性化法案期区市县省镇村国党队站厂店校线物品机车船们群式型类级层度点面款金工士"
)
_AGREES = frozenset({"赞成", "支持", "同意", "赞同"})
# After a name whose last character makes a word with them.
_SPEAKS = frozenset("说称")


def content_words(text: str) -> Iterator[ContentWord]:
    """All words, also those in Latin letters; function words and fillers have no keys, but carry others."""
    for run in _RUN.finditer(text):
        for start, end in _split(run[0]):
            word = run[0][start:end]
            keys = frozenset[str]() if _is_idle(word) else _keys(word)
            if word in _AGREES and run[0][:start].endswith("不"):
                keys |= _keys("反对")
            yield ContentWord(
                run.start() + start,
                run.start() + end,
                word,
                keys,
                _carried(run[0], start, end),
                word in read_words("light_zh.txt"),
                _spared_beside(word),
            )
    for latin in latin_words(text):
        if len(latin.key) > 1:
            yield ContentWord(latin.start, latin.end, latin.text, frozenset({latin.key}), frozenset({latin.key}))


def _split(run: str) -> Iterator[tuple[int, int]]:
    """The words of a run; a word of four characters that consists of two words counts as two."""
    for start, end in split_words(run):
        middle = start + 2
        if end - start == _LONGEST_PART and is_listed(run[start:middle]) and is_listed(run[middle:end]):
            yield start, middle
            yield middle, end
        else:
            yield start, end


@lru_cache(maxsize=8192)
def _is_idle(word: str) -> bool:
    return word in stopwords("zh") or word in read_words("fillers_zh.txt")


@lru_cache(maxsize=8192)
def _spared_beside(word: str) -> int:
    """0 for weighty words and all that are put for them, and for names."""
    if word in read_words("light_zh.txt"):
        return _LIGHT
    return 0 if _keys(word) & _weighty_keys() or may_be_name(word) else _ORDINARY


@cache
def _weighty_keys() -> frozenset[str]:
    return frozenset[str]().union(*(_keys(word) for word in read_words("weighty_zh.txt")))


@lru_cache(maxsize=8192)
def _keys(word: str) -> frozenset[str]:
    has_ending = (len(word) > 2 and word[-1] in _ENDINGS) or (len(word) == 2 and word[-1] in _SPEAKS)
    stem = word[:-1] if has_ending else word
    return frozenset({word, stem}) | synonym_groups(word, stem, "zh")


@lru_cache(maxsize=8192)
def _carried(run: str, start: int, end: int) -> frozenset[str]:
    """All that begins within a word: claim and source may be cut into words differently, and 上涨 carries 涨."""
    parts = {
        run[at : at + size] for at in range(start, end) for size in range(1, _LONGEST_PART + 1) if at + size <= len(run)
    }
    named = (part for part in parts if len(part) > 1 or part == run[start:end])
    return frozenset(parts).union(*(synonym_groups(part, part, "zh") for part in named))
