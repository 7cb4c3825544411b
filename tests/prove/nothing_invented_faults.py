"""Faults as a careless writer makes them: another figure, date, name, wording or reference, or the opposite said."""

import random
import re
from collections.abc import Callable, Iterator, Mapping

from nothing_invented_artefacts import Statement

Fault = Callable[[Statement, random.Random], str | None]

_UNIT = (
    r"(?=\s?(?:%|per ?cent|percent|peratus|megawatts?|megawatt|gigawatts?|kilomet|hectares?|tonnes?|million|billion|"
    r"dollars?|ringgit|euros?|shillings?|USD|EUR|兆瓦|吉瓦|亿|万|令吉|パーセント|キロワット|億|円|％|人|か所|戸|時間|キロ))"
)
_FIGURE = re.compile(r"(?<![\w.,-])\d[\d,.]*\d|(?<![\w.,-])\d")
_AMOUNT = re.compile(rf"(?:(?<=EUR )|(?<=USD )|(?<=[€$£])|(?<=RM))\d[\d,.]*\d|\d[\d,.]*{_UNIT}")
_KANJI = "一二三四五六七八九"
_KANJI_FIGURE = re.compile(rf"[{_KANJI}](?=[十百千万億]|か所|人|円|戸|年度?|キロ|パーセント|割|回|校|台|両|件)")
_MONTHS = (
    (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    (
        "Januari",
        "Februari",
        "Mac",
        "April",
        "Mei",
        "Jun",
        "Julai",
        "Ogos",
        "September",
        "Oktober",
        "November",
        "Disember",
    ),
)
_ISO_DAY = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
_DAY = re.compile(rf"\d{{1,2}}(?=[月日])|[{_KANJI}](?=[月日])")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b(?! [A-Z])")
_HAN_NAME = re.compile(r"[\u4e00-\u9fff]{2,4}(?=君|大臣|参考人|委員長)")
_QUOTED = re.compile(r"([“「\"『])([^“”「」\"『』]{6,})([”」\"』])")
_QUOTABLE = re.compile(r"[a-z]+(?: [a-z]+){4,6}|[\u3040-\u30ff\u4e00-\u9fff]{10,16}")
_CODE = re.compile(r"\b[A-Z]{1,5}-\d[\d-]*\d\b")
_OPPOSITES = (
    (r"\b(will|may|must|can|would)\b(?! not)", r"\1 not"),
    (r"\b(is|are|was|were|has|have)\b(?! not)", r"\1 not"),
    (r"\bakan\b", "tidak akan"),
    (r"将", "不会"),
    (r"であります", "ではありません"),
    (r"しております", "しておりません"),
    (r"いたします", "いたしません"),
    (r"しました", "しませんでした"),
    (r"できる", "できない"),
    (r"ます。", "ません。"),
)
_INVENTED = ("Zanvoort", "Quillfeather", "Obrecht", "Tamsworth")
_INVENTED_HAN = ("鷲津", "蓑輪", "纐纈", "勅使河原")


def _replaced(text: str, match: re.Match[str], words: str) -> str:
    return text[: match.start()] + words + text[match.end() :]


def _another(figure: str, chance: random.Random) -> str:
    """One digit of a figure is another one; the first never becomes a zero."""
    places = [at for at, character in enumerate(figure) if character.isdecimal()]
    at = chance.choice(places)
    return figure[:at] + chance.choice([digit for digit in "123456789" if digit != figure[at]]) + figure[at + 1 :]


def _one_of(pattern: re.Pattern[str], text: str, chance: random.Random) -> re.Match[str] | None:
    match = list(pattern.finditer(text))
    return chance.choice(match) if match else None


def _changed_figure(pattern: re.Pattern[str]) -> Fault:
    def fault(statement: Statement, chance: random.Random) -> str | None:
        match = _one_of(pattern, statement.text, chance)
        if match is None:
            return None
        figure = _another(match[0], chance)
        return (
            None if figure in statement.source or figure in statement.text else _replaced(statement.text, match, figure)
        )

    return fault


def _number(statement: Statement, chance: random.Random) -> str | None:
    if statement.language != "ja":
        return _changed_figure(_FIGURE)(statement, chance)
    match = _one_of(_KANJI_FIGURE, statement.text, chance)
    if match is None:
        return _changed_figure(_FIGURE)(statement, chance)
    other = chance.choice([digit for digit in _KANJI if digit != match[0]])
    around = statement.text[max(0, match.start() - 2) : match.end() + 2]
    if around.replace(match[0], other) in statement.source:
        return None
    return _replaced(statement.text, match, other)


def _date(statement: Statement, chance: random.Random) -> str | None:
    text = statement.text
    for months in _MONTHS:
        pattern = re.compile(rf"\b(?:{'|'.join(months)})\b(?= \d|\.|,| )")
        if match := _one_of(pattern, text, chance):
            return _replaced(
                text, match, chance.choice([month for month in months if month not in text + statement.source])
            )
    if match := _one_of(_ISO_DAY, text, chance):
        return _replaced(text, match, f"{match[1]}-{match[2]}-{1 + (int(match[3]) + chance.randint(1, 26)) % 28:02}")
    if match := _one_of(_DAY, text, chance):
        digits = _KANJI if match[0] in _KANJI else "123456789"
        other = chance.choice([digit for digit in digits if digit not in match[0]])
        unit = text[match.end()]
        return None if other + unit in statement.source else _replaced(text, match, other)
    return None


def _name(statement: Statement, chance: random.Random) -> str | None:
    if match := _one_of(_NAME, statement.text, chance):
        months = {month for names in _MONTHS for month in names}
        return None if match[0] in months else _replaced(statement.text, match, chance.choice(_INVENTED))
    if statement.language == "ja" and (match := _one_of(_HAN_NAME, statement.text, chance)):
        return _replaced(statement.text, match, chance.choice(_INVENTED_HAN))
    return None


def _quotation(statement: Statement, chance: random.Random) -> str | None:
    """Words that are said to be quoted and that nobody said; where nothing is quoted, some words become a quotation."""
    text = statement.text
    if match := _one_of(_QUOTED, text, chance):
        opened, inner, closed = match.groups()
    elif statement.desk in ("recap", "newsletter") and (match := _one_of(_QUOTABLE, text, chance)):
        opened, inner, closed = ("“", match[0], "”") if match[0].isascii() else ("「", match[0], "」")
    else:
        return None
    added = "hardly ever " if inner.isascii() else "断じて"
    middle = inner.find(" ", len(inner) // 2) + 1 or len(inner) // 2
    return _replaced(text, match, opened + inner[:middle] + added + inner[middle:] + closed)


def _opposite(statement: Statement, chance: random.Random) -> str | None:
    fitting = [(pattern, words) for pattern, words in _OPPOSITES if re.search(pattern, statement.text)]
    if not fitting:
        return None
    pattern, words = chance.choice(fitting)
    return re.sub(pattern, words, statement.text, count=1)


def _code(statement: Statement, chance: random.Random) -> str | None:
    match = _one_of(_CODE, statement.text, chance)
    return _replaced(statement.text, match, _another(match[0], chance)) if match else None


FAULTS: Mapping[str, Fault] = {
    "another number": _number,
    "another amount": _changed_figure(_AMOUNT),
    "another date": _date,
    "another name": _name,
    "an altered quotation": _quotation,
    "the opposite": _opposite,
    "an invoice that isn't there": _code,
}
UNCHECKED = {
    ("reminders", "another name"),
    ("reminders", "the opposite"),
    ("reminders", "an altered quotation"),
    ("habits", "another name"),
    ("habits", "the opposite"),
    ("habits", "an altered quotation"),
}
"""Letters and reports are written from templates: their figures are checked, their wording is the template's."""


def faults_in(statement: Statement, chance: random.Random) -> Iterator[tuple[str, str]]:
    """One fault of each kind that the statement has room for."""
    for kind, fault in FAULTS.items():
        if (statement.desk, kind) in UNCHECKED:
            continue
        faulty = fault(statement, chance)
        if faulty is not None and faulty != statement.text:
            yield kind, faulty
