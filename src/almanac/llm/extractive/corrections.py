"""Figures that a text says are wrong or not to be used, and the sentences that use them."""

import re
from collections.abc import Sequence

from almanac.llm.extractive.cues import CuedPattern

_WITHDRAWS = CuedPattern("withdrawals")
_NUMBERS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    "nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_FIGURE = re.compile(
    r"(?P<figure>\d[\d,]*(?:\.\d+)?|"
    rf"(?<![\w-])(?:{_NUMBERS})(?![\w-])|[一二三四五六七八九十百千万]{{1,6}}(?=人|名|件|校|％|%))"
    r"\s?(?P<unit>[％%人名件校万億亿元円]|percent|per cent|peratus|million|billion|juta|bilion)?",
    re.IGNORECASE,
)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mac|mei|ogos|okt|dis|agu|des"
_DATE = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_MONTHS})\w*|(?:{_MONTHS})\w*\.?\s+\d{{1,2}}\b|\b(?:19|20)\d\d\b"
    r"|\d+\s?[年月日時时](?!間|间)|\d{1,2}:\d\d|\d{1,2}\s?[ap]\.?m\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:that|this|it|the) (?:figure|number|report|total|count|estimate|toll)|^(?:That|This|It) "
    r"|この|その|该|該|此|\b(?:itu|ini|tersebut)\b"
)
_CURRENCY = r"(?:[$£€¥]|RM|US\$|Rp)?\s?"
# The figure after these is the right one.
_RIGHT = re.compile(
    r"(?:\bto|\bis|\bare|\bwas|\bshould be|\bshould have (?:been|read)|\bby|\bnow|"
    r"\bcorrect (?:figure|number|total) (?:is|was)|\binstead|\bsepatutnya|\bsebenarnya|\bkepada|\bialah|\bmenjadi|"
    r"正しくは|正しい\S{0,6}は|应为|應為|实为|實為|更正为|更正為|改为)"
    rf"\s*(?:about |some |only |at |the )?[「『“\"]?{_CURRENCY}$",
    re.IGNORECASE,
)
# The figure after these is the wrong one, whatever comes before.
_WRONG = re.compile(
    r"(?:\bnot|\bbukan|\bfrom|\binstead of|\brather than|\bdaripada|而非|不是|而不是|並非|并非)"
    rf"\s*(?:about |the )?[“\"「]?{_CURRENCY}$",
    re.IGNORECASE,
)
_NOT_SO = re.compile(r"\d[\d,.]*[^\d。]{0,6}(?:ではなく|でなく)")
# 「40人」は「14人」の誤り: the second is the right one.
_JAPANESE_SWAP = re.compile(
    r"(?P<wrong>\d[\d,.]*)[^「」『』。]{0,12}[」』]?(?:とあるの)?は[、]?[「『]?"
    r"(?P<right>\d[\d,.]*)[^。]{0,14}の(?:誤り|間違い)"
)


def find_withdrawn(texts: Sequence[str]) -> frozenset[str]:
    """The figures that the text takes back, each with its unit where it has one."""
    withdrawn: list[str] = []
    for before, text in zip(("", *texts), texts, strict=False):
        if not _WITHDRAWS.search(text):
            continue
        if _figures(text):
            withdrawn += _withdrawn_in(text)
        elif _POINTS_BACK.search(text):
            withdrawn += [figure for figure, _ in _figures(before)]
    return frozenset(withdrawn)


def uses_withdrawn(text: str, withdrawn: frozenset[str]) -> bool:
    """Whether a sentence has a figure that was taken back, without saying what is right instead."""
    if not withdrawn or not any(_key(match) in withdrawn for match in _FIGURE.finditer(text)):
        return False
    return not (_WITHDRAWS.search(text) and any(figure not in withdrawn for figure, _ in _figures(text)))


def _figures(text: str) -> list[tuple[str, int]]:
    """The figures of a sentence without dates, and where each begins; numbers in words only where none has digits."""
    dates = [match.span() for match in _DATE.finditer(text)]
    figures = [
        (_key(match), match.start())
        for match in _FIGURE.finditer(text)
        if not any(start <= match.start() < end for start, end in dates)
    ]
    return [figure for figure in figures if figure[0][0].isdigit()] or figures


def _key(match: re.Match[str]) -> str:
    unit = (match["unit"] or "").casefold().replace("％", "%").replace("per cent", "%").replace("percent", "%")
    return match["figure"].casefold().replace(",", "") + ("%" if unit in {"%", "peratus"} else "")


def _withdrawn_in(text: str) -> list[str]:
    if swap := _JAPANESE_SWAP.search(text):
        return [figure for figure, at in _figures(text) if swap.start("wrong") <= at < swap.start("right")]
    figures = _figures(text)
    wrong = [figure for figure, at in figures if _WRONG.search(text[:at]) or _NOT_SO.match(text, at)]
    if wrong:
        return wrong
    right = [figure for figure, at in figures if _RIGHT.search(text[:at])]
    return [figure for figure, _ in figures if figure not in right]
