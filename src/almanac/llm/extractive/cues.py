"""Marks of sentences that editors look for: figures, decisions, and marks of those they avoid."""

import re
from typing import NamedTuple

from almanac.llm.extractive.word_lists import alternatives

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


class Cues(NamedTuple):
    """What the wording of a sentence tells about its worth."""

    figure: bool
    decision: bool
    quoted: float
    first_person: float
    continues: bool
    points_back: bool


def read_cues(text: str) -> Cues:
    """Look for all of them."""
    return Cues(
        figure=bool(_FIGURE.search(text)),
        decision=bool(_DECISION.search(text)),
        quoted=sum(len(found[1]) for found in _QUOTED.finditer(text)) / max(1, len(text)),
        first_person=_first_person(text),
        continues=bool(_ALSO.search(text)),
        points_back=bool(_BACK_TO_A_NOUN.match(text)),
    )


def is_question(text: str) -> bool:
    """A question, with or without its mark."""
    return bool(_QUESTION.search(text))


def _first_person(text: str) -> float:
    """How much somebody speaks of themselves or to the reader: from the first word, now and then, or not at all."""
    if _FIRST_WORD.match(text):
        return 1.5
    return 0.5 if _FIRST_PERSON.search(_QUOTED.sub("", text)) else 0.0
