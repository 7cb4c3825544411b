"""The words an export adds to the text, in the language of the issue: headings, dates, audience, source details."""

import datetime as dt
import unicodedata
from dataclasses import dataclass

from almanac.desks.newsletter.formats.publication import (
    CitedSource,
    FrontMatter,
    Publication,
    Spans,
    iterate_spans,
    plain_text,
)

_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "ms": "Januari Februari Mac April Mei Jun Julai Ogos September Oktober November Disember".split(),
}

_LEFT_TO_RIGHT = "\u200e"


@dataclass(frozen=True, slots=True)
class ExportLabels:
    """The words an export adds in its language."""

    contents: str
    references: str
    audience: str


_WORDS = {
    "en": ExportLabels("In this issue", "References", "For {}"),
    "ms": ExportLabels("Dalam keluaran ini", "Rujukan", "Untuk {}"),
    "zh": ExportLabels("本期内容", "参考资料", "读者：{}"),
    "ja": ExportLabels("この号の内容", "参考資料", "対象：{}"),
}


def labels_for(language: str) -> ExportLabels:
    """The labels of a language tag; English if the language has none."""
    return _WORDS.get(_base(language), _WORDS["en"])


def format_long_date(day: dt.date, language: str) -> str:
    """Such as `26 January 2026`, `26 Januari 2026`, `2026年1月26日`."""
    base = _base(language)
    if base in {"zh", "ja"}:
        return f"{day.year}年{day.month}月{day.day}日"
    written = f"{day.day} {_MONTHS.get(base, _MONTHS['en'])[day.month - 1]} {day.year}"
    return _LEFT_TO_RIGHT + written if is_right_to_left_language(language) else written


def is_right_to_left_language(language: str) -> bool:
    """Whether the language is written right to left."""
    return _base(language) in {"ar", "fa", "he", "ur", "yi", "dv", "ps", "ug"}


def _base(language: str) -> str:
    return language.partition("-")[0].lower()


def lead_text(publication: Publication) -> str:
    """The preheader as a line below the title; empty if the text starts with the same words."""
    lead, sections = publication.front.preheader, publication.sections
    opening = plain_text(tuple(iterate_spans(sections[0].blocks))) if sections else ""
    return "" if _letters(opening).startswith(_letters(lead)) else lead


def issue_details(front: FrontMatter) -> list[str]:
    """The date and the audience."""
    audience = labels_for(front.language).audience.format(front.audience) if front.audience else ""
    return [fact for fact in (format_long_date(front.date, front.language), audience) if fact]


def source_details(source: CitedSource, language: str) -> list[str]:
    """The publisher, unless the title is the same, and the date."""
    publisher = source.source if source.source != source.title else ""
    return [fact for fact in (publisher, format_long_date(source.date, language) if source.date else "") if fact]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def is_right_to_left_text(spans: Spans) -> bool | None:
    """Whether the first letter with a direction is right to left; None if there is none."""
    for character in plain_text(spans):
        match unicodedata.bidirectional(character):
            case "L":
                return False
            case "R" | "AL":
                return True
    return None
