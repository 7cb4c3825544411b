"""Beginnings that lean on what stood before: connectives that may be taken off, and words that point back."""

import re
from typing import NamedTuple

from almanac.language.scripts import HAN
from almanac.llm.extractive.word_lists import alternatives


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


def standing_alone(text: str) -> str | None:
    """The part of a sentence, up to its end, that can be read without what stood before; None where there is none."""
    openers = _openers_for(text)
    for _ in range(_MOST_CONNECTIVES):
        connective = openers.connective.match(text)
        if connective is None:
            break
        text = text[connective.end() :]
        if not text or text[0].islower():
            return None
    return text if text and not _leans(text, openers) else None


def _openers_for(text: str) -> _Openers:
    if _KANA.search(text):
        return _JAPANESE
    return _CHINESE if _HAN.search(text) else _LATIN


def _leans(text: str, openers: _Openers) -> bool:
    if openers.pointer.match(text) or openers.connective.match(text):
        return True
    if openers is _JAPANESE:
        return not _JAPANESE_SUBJECT.search(text)
    return openers is _LATIN and _refers_to_nothing(text)


def _refers_to_nothing(text: str) -> bool:
    """Whether a pronoun comes before anything that it could stand for."""
    reference = _BACK_REFERENCE.search(text)
    if reference is None:
        return False
    before = text[: reference.start()]
    return not _CAPITALISED.search(before) and not _DETERMINER.search(before)
