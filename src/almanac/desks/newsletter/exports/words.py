"""The few words and dates that an export adds to the text, in the language of the issue, or else in English."""

import datetime as dt
from dataclasses import dataclass

_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "ms": "Januari Februari Mac April Mei Jun Julai Ogos September Oktober November Disember".split(),
}

_LEFT_TO_RIGHT = "\u200e"


@dataclass(frozen=True, slots=True)
class Words:
    """What an export says in its own voice."""

    contents: str
    references: str
    audience: str


_WORDS = {
    "en": Words("In this issue", "References", "For {}"),
    "ms": Words("Dalam keluaran ini", "Rujukan", "Untuk {}"),
    "zh": Words("本期内容", "参考资料", "读者：{}"),
    "ja": Words("この号の内容", "参考資料", "対象：{}"),
}


def words_in(language: str) -> Words:
    """The words for a language tag."""
    return _WORDS.get(_base(language), _WORDS["en"])


def long_date(day: dt.date, language: str) -> str:
    """`26 January 2026`, `26 Januari 2026`, `2026年1月26日`."""
    base = _base(language)
    if base in {"zh", "ja"}:
        return f"{day.year}年{day.month}月{day.day}日"
    written = f"{day.day} {_MONTHS.get(base, _MONTHS['en'])[day.month - 1]} {day.year}"
    return _LEFT_TO_RIGHT + written if is_right_to_left(language) else written


def is_right_to_left(language: str) -> bool:
    """Whether a page in this language begins at the right."""
    return _base(language) in {"ar", "fa", "he", "ur", "yi", "dv", "ps", "ug"}


def _base(language: str) -> str:
    return language.partition("-")[0].lower()
