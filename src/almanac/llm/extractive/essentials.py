"""What a summary may not leave out: the deadline, place and contact of a call, deaths, and stated recommendations."""

import re
from collections.abc import Sequence
from enum import StrEnum

from almanac.llm.extractive.cues import CuedPattern, alternatives, is_question, patterns


class Essential(StrEnum):
    """A kind of statement that comes along wherever its source is summed up, in order of importance."""

    DEATHS = "deaths"
    DEADLINE = "deadline"
    VENUE = "venue"
    TIME = "time"
    CONTACT = "contact"
    RECOMMENDATION = "recommendation"


IN_CALLS = frozenset({Essential.DEADLINE, Essential.VENUE, Essential.TIME, Essential.CONTACT})
_CALLS = tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in patterns("calls"))
_FEWEST_SIGNS, _LONGEST_CALL = 2, 60
_DEADLINE = re.compile(alternatives("deadlines"), re.IGNORECASE)
_VENUE = re.compile(alternatives("venues"), re.IGNORECASE)
_TIME = re.compile(alternatives("times"), re.IGNORECASE)
_CONTACT = re.compile(alternatives("contacts"), re.IGNORECASE)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.\w|https?://|www\.|\+?\d[\d\s()-]{6,}\d")
_DIGIT = re.compile(r"\d|[一二三四五六七八九十]+月")
_DEATHS = CuedPattern("deaths")
_RECOMMENDS = CuedPattern("recommendations")
_RECOMMENDATION_HEADING = re.compile(
    rf"(?:\d+\.?\s*)?{alternatives('recommendation_headings')}\s*[:：]?", re.IGNORECASE
)
_NEWS_LEAD = 12
# Deaths of another day, told to explain.
_BACKGROUND = re.compile(
    r"\b(?:when|where|in which)\b[^.;]{0,40}\b(?:killed|died)\b|\b(?:in|of|the|since) (?:19\d\d|20[01]\d)\b",
    re.IGNORECASE,
)


def find_essentials(texts: Sequence[str], title: str) -> list[frozenset[Essential]]:
    """For each sentence what it states that may not be left out."""
    in_call = is_call(texts, title)
    return [_kinds(text, at, in_call=in_call) for at, text in enumerate(texts)]


def is_call(texts: Sequence[str], title: str) -> bool:
    """Whether a text invites its readers to apply or to come."""
    if len(texts) > _LONGEST_CALL:
        return False
    whole = "\n".join((title, *texts))
    signs = {match[0].casefold() for pattern in _CALLS if (match := pattern.search(whole))}
    return len(signs) >= _FEWEST_SIGNS and any(
        _DEADLINE.search(text) or _CONTACT.search(text) or _VENUE.search(text) for text in texts
    )


def is_recommendation_heading(text: str) -> bool:
    """Whether a line is a heading under which recommendations stand."""
    return bool(_RECOMMENDATION_HEADING.fullmatch(text))


def states_recommendation(text: str) -> bool:
    """Whether a sentence says by itself that it recommends something."""
    return _RECOMMENDS.search(text)


def _kinds(text: str, at: int, *, in_call: bool) -> frozenset[Essential]:
    if is_question(text):
        return frozenset()
    kinds: list[Essential] = []
    if in_call:
        if _DEADLINE.search(text) and _DIGIT.search(text):
            kinds.append(Essential.DEADLINE)
        if _VENUE.search(text) and (_DIGIT.search(text) or ":" in text or "：" in text):
            kinds.append(Essential.VENUE)
        if _TIME.search(text) and _DIGIT.search(text):
            kinds.append(Essential.TIME)
        if _CONTACT.search(text) and _ADDRESS.search(text):
            kinds.append(Essential.CONTACT)
    if at < _NEWS_LEAD and _DEATHS.search(text) and not _BACKGROUND.search(text):
        kinds.append(Essential.DEATHS)
    if states_recommendation(text):
        kinds.append(Essential.RECOMMENDATION)
    return frozenset(kinds)
