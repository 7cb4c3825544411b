"""Noun-like strings of Chinese and Japanese, found without a dictionary: by script, repetition and their neighbours."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

from almanac.language.content_words import stopwords
from almanac.language.scripts import HAN, KATAKANA

_JA_PART = rf"{HAN}{KATAKANA}A-Za-zＡ-Ｚａ-ｚ"
_JA_NOUN = re.compile(
    rf"(?<![\d{_JA_PART}])[{_JA_PART}]{{2,14}}(?=[はがをにでとのもへや、。，．」』）（・\s]|から|より|など|$)"
)
_JA_COMPOUND = 5
_FEW_LINES = 8
_JA_STARTS = frozenset("一二三四五六七八九十百千約同各両毎当翌第以未昨")
_JA_ENDS = frozenset("等的時分日月年円万億兆件割目間中比増減超約")
_HAN_RUN = re.compile(f"[{HAN}]+")
_ZH_LOOSE = frozenset(
    "的了是在和与及或而也都就还又很更最这那其之把被从但且却则若吗呢吧啊着们我你他她它您谁什么哪怎该此不没有以为对将向由并因所如等个"
    "一二三四五六七八九十两多少年月日时分万亿元名位家项次个到至于上下内前后里说称让给用去来能可要已约近达较同比增占座轮只艘头届份条件种张批笔月周首第"
    "與為對將從個們這過還說稱讓給來沒後裡時嗎麼幾於並應於萬億項達較"
)
_ZH_VERBS = re.compile(
    "下跌|上涨|增加|减少|下降|上升|提高|达到|超过|预计|表示|扩大|收窄|同比|环比|公布|回升|影响|结束|收跌|收涨|实现|获得|宣布|规定|要求|使用|成立|增长|维持|超出|分别|需要|必须|可以|包括|目前|增長|公佈"
)
_ZH_JOINTS = frozenset("的了和与及或是在與")
_ZH_LONGEST = 8
_TITLE_BONUS = 1.6


def japanese_phrases(texts: Sequence[str], title: str) -> dict[str, float]:
    """Compounds of kanji, katakana and letters, by how often and how long."""
    idle = stopwords("ja")
    counts = Counter(
        found
        for text in [*texts, title]
        for found in _JA_NOUN.findall(text)
        if found not in idle and _is_japanese_noun(found)
    )
    return {
        phrase: log(1 + count) * log(1 + min(len(phrase), 6)) * (_TITLE_BONUS if phrase in title else 1.0)
        for phrase, count in counts.items()
        if count > 1 or len(phrase) >= (_JA_COMPOUND if len(texts) > _FEW_LINES else _JA_COMPOUND - 1)
    }


def _is_japanese_noun(phrase: str) -> bool:
    return phrase[0] not in _JA_STARTS and phrase[-1] not in _JA_ENDS and not phrase.isascii()


def chinese_phrases(texts: Sequence[str], title: str) -> dict[str, float]:
    """Strings that come again with different neighbours on both sides, as words do and parts of words don't."""
    counts: Counter[str] = Counter()
    texts = [*texts, title]
    before: dict[str, set[str]] = defaultdict(set)
    after: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        for run in _HAN_RUN.finditer(text):
            for start, end in _grams(run[0]):
                gram = run[0][start:end]
                counts[gram] += 1
                at = run.start()
                before[gram].add(text[at + start - 1 : at + start] if at + start else "^")
                after[gram].add(text[at + end : at + end + 1])
    return _weighed(counts, before, after, title)


def _grams(run: str) -> list[tuple[int, int]]:
    firm = [character not in _ZH_LOOSE for character in run]
    return [
        (start, end)
        for start in range(len(run))
        if firm[start]
        for end in range(start + 2, min(start + _ZH_LONGEST, len(run)) + 1)
        if firm[end - 1] and _ZH_JOINTS.isdisjoint(run[start:end])
    ]


def _weighed(
    counts: Counter[str], before: dict[str, set[str]], after: dict[str, set[str]], title: str
) -> dict[str, float]:
    idle = [word for word in stopwords("zh") if len(word) > 1]
    known = {
        gram: count
        for gram, count in counts.items()
        if count > 1 and not _ZH_VERBS.search(gram) and not any(word in gram for word in idle)
    }
    parts = {part for gram, count in counts.items() for part in (gram[1:], gram[:-1]) if counts[part] == count}
    weights: dict[str, float] = {}
    for gram in known.keys() - parts:
        freedom = min(len(before[gram]), len(after[gram]))
        in_a_mixed_word = all(neighbour.isascii() and neighbour.isalnum() for neighbour in before[gram])
        if (freedom > 1 or gram in title) and not in_a_mixed_word:
            weight = log(1 + known[gram]) * log(1 + freedom) * log(1 + len(gram))
            weights[gram] = weight * (_TITLE_BONUS if gram in title else 1.0)
    return weights
