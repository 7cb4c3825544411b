"""Beginnings that lean on what stood before: connectives that may be taken off, and words that point back."""

import re

from almanac.llm.extractive.word_lists import alternatives

_CONNECTIVE = re.compile(
    rf"(?:{alternatives('connectives')}\b,?\s+|{alternatives('connectives_before_a_comma')},\s+"
    rf"|{alternatives('chinese_connectives')}[，,、：]?|{alternatives('chinese_connectives_before_a_comma')}[，,、：]"
    rf"|{alternatives('japanese_connectives')}[、，]?|{alternatives('japanese_connectives_before_a_comma')}[、，])"
)
_POINTER = re.compile(rf"{alternatives('pointers')}\b|{alternatives('chinese_pointers', 'japanese_pointers')}")
_KANA = re.compile("[\u3041-\u3096]")
_JAPANESE_SUBJECT = re.compile(r"[はがも]")
_BACK_REFERENCE = re.compile(r"(?i:\b(?:it|its|he|his|him|she|her)\b)")
_CAPITALISED = re.compile(r"(?<=\s)[A-Z]|[“\"]")
_DETERMINER = re.compile(r"\b(?:the|a|an|this|that|every|each|any|no|one|who|whoever)\b", re.IGNORECASE)
_MOST_CONNECTIVES = 2


def standing_alone(text: str) -> str | None:
    """The part of a sentence, up to its end, that can be read without what stood before; None where there is none."""
    for _ in range(_MOST_CONNECTIVES):
        connective = _CONNECTIVE.match(text)
        if connective is None:
            break
        text = text[connective.end() :]
        if not text or text[0].islower():
            return None
    return text if text and not _leans(text) else None


def _leans(text: str) -> bool:
    if _POINTER.match(text) or _CONNECTIVE.match(text):
        return True
    if _KANA.search(text):
        return not _JAPANESE_SUBJECT.search(text)
    reference = _BACK_REFERENCE.search(text)
    if reference is None:
        return False
    before = text[: reference.start()]
    return not _CAPITALISED.search(before) and not _DETERMINER.search(before)
