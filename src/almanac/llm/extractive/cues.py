"""Judges the wording of a sentence: boilerplate, datelines, openings that depend on the sentence before, figures.

The lists in `data/` have one pattern per line, or words separated by spaces; `#` starts a comment.
"""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from almanac.language.scripts import HAN


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(word for line in _lines(name) for word in line.split())


def alternatives(*names: str) -> str:
    """A pattern that matches any pattern of the lists."""
    return "(?:" + "|".join(line for name in names for line in _lines(name)) + ")"


def _lines(name: str) -> list[str]:
    text = files(__package__).joinpath("data", f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


_NOTICES = re.compile(rf"\b{alternatives('notices')}\b")
_LABELS = re.compile(rf"{alternatives('labels')}\s*[:：|]", re.IGNORECASE)
_COURTESIES = re.compile(rf"{alternatives('courtesies')}\b", re.IGNORECASE)
_CJK_NOTICES = re.compile(alternatives("chinese_notices", "japanese_notices"))
_BYLINE = re.compile(r"(?:By|BY|Oleh|OLEH)\s+[A-Z][\w.'-]*(?:\s+(?:[A-Z][\w.'-]*|and|dan|bin|binti|in|di|,)){0,8}[.,]?")
_ADDRESS = re.compile(r"^©|https?://|www\.|@\w{2,}|#\w{3,}")


def is_boilerplate(text: str) -> bool:
    """Whether it is a byline, caption, notice, courtesy or procedure rather than content."""
    return any(
        (
            _LABELS.match(text),
            _BYLINE.fullmatch(text),
            _COURTESIES.match(text),
            _NOTICES.search(text.casefold()),
            _ADDRESS.search(text),
            not text.isascii() and _CJK_NOTICES.search(text),
        )
    )


_CITY = r"[A-Z][A-Z'.-]+(?:[ ,/][ ]?[A-Z][A-Z'.-]+){0,3}"
_DATE = r"(?:\d{1,2} [A-Z]\w+\.?(?: \d{4})?|[A-Z]\w+\.? \d{1,2}(?:, \d{4})?)"
_DATELINE = re.compile(
    rf"(?:{_CITY}(?:,? {_DATE})?(?: ?\([^()]{{2,40}}\))?|[A-Z]\w+(?: [A-Z]\w+)?, {_DATE}(?: ?\([^()]{{2,40}}\))?)"
    r"(?:\s*[—–:]+\s*|\s+-{1,2}\s+)"
    r"|(?:The |Mr|Mrs|Ms|Dr|Sir|Senator|Tuan|Puan|Datuk|Dato|YB|Menteri)[^:.!?“\"]{2,70}:\s+"
    r"|[（(【\[［][^（）()【】\[\]［］]{2,30}[）)】\]］]\s*[-－—–]*\s*"
    r"|\S{2,12}社\S{2,10}\d{1,2}月\d{1,2}日电(?:[（(][^（）()]{2,30}[）)])?\s*"
    r"|(?:本报|本報|中新网|中新社|中央社)\S{0,12}(?:日电|日訊|日讯|讯|訊|日電)\s*(?:[（(][^（）()]{2,30}[）)])?\s*[：:]?\s*"
)


def without_dateline(text: str) -> str:
    """The text without the place, date, agency or speaker before it."""
    dateline = _DATELINE.match(text)
    return text[dateline.end() :] if dateline and dateline.end() < len(text) else text


class _Openers(NamedTuple):
    connective: re.Pattern[str]
    pointer: re.Pattern[str]


_LATIN = _Openers(
    re.compile(rf"{alternatives('connectives')}\b,?\s+|{alternatives('connectives_before_a_comma')},\s+"),
    re.compile(rf"{alternatives('pointers')}\b"),
)
_CHINESE = _Openers(
    re.compile(
        rf"{alternatives('chinese_connectives')}[，,、：]?|{alternatives('chinese_connectives_before_a_comma')}[，,、：]"
    ),
    re.compile(alternatives("chinese_pointers")),
)
_JAPANESE = _Openers(
    re.compile(
        rf"{alternatives('japanese_connectives')}[、，]?|{alternatives('japanese_connectives_before_a_comma')}[、，]"
    ),
    re.compile(alternatives("japanese_pointers")),
)
_KANA = re.compile("[\u3041-\u3096]")
_HAN = re.compile(f"[{HAN}]")
_JAPANESE_SUBJECT = re.compile(r"[はがも]")
_BACK_REFERENCE = re.compile(r"(?i:\b(?:it|its|he|his|him|she|her)\b)")
_CAPITALISED = re.compile(r"(?<=\s)[A-Z]|[“\"]")
_DETERMINER = re.compile(r"\b(?:the|a|an|this|that|every|each|any|no|one|who|whoever)\b", re.IGNORECASE)
_MOST_CONNECTIVES = 2


def standalone_part(text: str) -> str | None:
    """The rest of a sentence that can be read without the one before; None where there is none."""
    openers = _openers_for(text)
    for _ in range(_MOST_CONNECTIVES):
        connective = openers.connective.match(text)
        if connective is None:
            break
        text = text[connective.end() :]
        if not text or text[0].islower():
            return None
    return text if text and not _depends_on_previous(text, openers) else None


def _openers_for(text: str) -> _Openers:
    if _KANA.search(text):
        return _JAPANESE
    return _CHINESE if _HAN.search(text) else _LATIN


def _depends_on_previous(text: str, openers: _Openers) -> bool:
    if openers.pointer.match(text) or openers.connective.match(text):
        return True
    if openers is _JAPANESE:
        return not _JAPANESE_SUBJECT.search(text)
    return openers is _LATIN and _has_unbound_pronoun(text)


def _has_unbound_pronoun(text: str) -> bool:
    """Whether a pronoun comes before anything that it could refer to."""
    reference = _BACK_REFERENCE.search(text)
    if reference is None:
        return False
    before = text[: reference.start()]
    return not _CAPITALISED.search(before) and not _DETERMINER.search(before)


_FIGURE = re.compile(
    rf"{alternatives('currencies')}\s?\d|\d[\d,.]*\s?{alternatives('units')}"
    r"|[一二三四五六七八九十百千]+[億亿万兆]|\b\d{1,3}(?:,\d{3})+\b"
)
_DECISION = re.compile(rf"\b{alternatives('decisions')}\b|{alternatives('cjk_decisions')}")
_QUESTION = re.compile(r"[?？][\"”」』）)]*$|(?:です|ます|ません|でしょう|の|ました|たい)か[。．]?$|\?”")
_FIRST_PERSON = re.compile(
    r"\b(?:I|I'm|we|We|our|Our|my|My|us|saya|Saya|kami|Kami|kita|Kita|you|You|your)\b"
    r"|我们|我們|我(?!国|國|省|市|州)|私(?:は|ども|たち)|我々"
)
_FIRST_WORD = re.compile(r"(?:I|I'm|My|Saya|You|Your)\b|我(?!国|國|省|市|州)|私(?:は|ども|たち)")
_BACK_TO_A_NOUN = re.compile(r"(?:[\w-]+ ){1,4}?(?:itu|berkenaan)\b")
_ALSO = re.compile(
    r"\b(?:also|added|too|turut|tambahnya|tambah beliau|katanya|kata beliau|ujarnya)\b"
    r"|也|还(?!是|原)|還|も(?:また|述べ)"
)
_QUOTED = re.compile(r"[“\"「『]([^”\"」』]*)[”\"」』]")


class SentenceCues(NamedTuple):
    """Features of a sentence's wording that affect its rank."""

    figure: bool
    decision: bool
    quoted: float
    first_person: float
    continues: bool
    points_back: bool


def read_cues(text: str) -> SentenceCues:
    """Extract the cues of a sentence."""
    return SentenceCues(
        figure=bool(_FIGURE.search(text)),
        decision=bool(_DECISION.search(text)),
        quoted=sum(len(quotation[1]) for quotation in _QUOTED.finditer(text)) / max(1, len(text)),
        first_person=_first_person(text),
        continues=bool(_ALSO.search(text)),
        points_back=bool(_BACK_TO_A_NOUN.match(text)),
    )


def is_question(text: str) -> bool:
    """Whether it is a question, with or without a question mark."""
    return bool(_QUESTION.search(text))


def _first_person(text: str) -> float:
    """1.5 if it starts in the first person or addresses the reader, 0.5 if it does so later, else 0."""
    if _FIRST_WORD.match(text):
        return 1.5
    return 0.5 if _FIRST_PERSON.search(_QUOTED.sub("", text)) else 0.0
