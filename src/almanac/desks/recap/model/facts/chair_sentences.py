"""What the chair says, sentence by sentence, across the lines of the record, with headings and motions between them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from almanac.desks.recap.model.facts.speakers import is_chair
from almanac.desks.recap.model.facts.speech_text import speaker_label, spoken_text
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.kit.lazy import lazy_regex

# ――――◇―――――, ─────・─────: what follows at the end of a speech is the heading of the next business.
_DIVISION = lazy_regex(r"[━─―－]{2,}\s*[◇・]\s*[━─―－]{2,}")
_RULE = lazy_regex(r"[━─―－…]{4,}")
_TIME = lazy_regex(r"\A午[前後][^。]{0,14}(?:散会|休憩|開議|開会|閉会|延会)\Z")
_ENDS = lazy_regex(r"(?<=[。？！])(?![」』）])")
# 委員長が選任されるまで、私が委員長の職務を行います: a member presides for a while, and then yields the chair.
_PRESIDES = lazy_regex(
    r"(?:委員長|会長|議長)が(?:選任|選出|選挙|互選)されるまで|(?:委員長|会長|議長)の職務を行い|委員長に代わ"
)
_YIELDS = lazy_regex(r"本席を譲り|交代いたし")
# Spellings of the first years, in what a chair says in passing.
_OLD_SPELLINGS = {
    "總員": "総員",
    "擧手": "挙手",
    "多數": "多数",
    "少數": "少数",
    "過半數": "過半数",
    "贊成": "賛成",
    "贊否": "賛否",
    "よつて": "よって",
    "從つて": "よって",
    "を以て": "をもって",
    "を以つて": "をもって",
    "投票總數": "投票総数",
    "原案通り": "原案どおり",
    "の通り": "のとおり",
    "報告通り": "報告どおり",
    "せられました": "されました",
}
_OLD = lazy_regex("|".join(sorted(_OLD_SPELLINGS, key=len, reverse=True)))
_MOVES = lazy_regex(r"動議を提出|望みます|附帯決議案を提出|の動議|推薦いたし")


@dataclass(frozen=True, slots=True)
class ChairSentence:
    """A sentence of the chair; or the heading of the next business; or a member's motion, for which the chair asks.

    A heading may be empty: then one matter is closed, and the chair says what comes next.
    """

    order: int
    text: str
    is_heading: bool = False
    is_motion: bool = False


def list_chair_sentences(meeting: Meeting) -> Iterator[ChairSentence]:
    """All of them in order."""
    presiding = ""
    in_subcommittee = "小委員" in meeting.meeting
    for speech in meeting.spoken:
        if _PRESIDES.search(speech.text[:400]) and not is_chair(speech):
            presiding = speech.speaker
        reports = "小委員長" in speaker_label(speech) and not in_subcommittee
        if (is_chair(speech) and not reports) or (presiding and speech.speaker == presiding):
            yield from _split(speech)
        elif len(speech.text) < 4000 and _MOVES.search(speech.text):
            yield ChairSentence(speech.order, spoken_text(speech), is_motion=True)
        if presiding and _YIELDS.search(speech.text):
            presiding = ""


def _split(speech: Speech) -> Iterator[ChairSentence]:
    text = _OLD.sub(lambda match: _OLD_SPELLINGS[match[0]], spoken_text(speech))
    speech_part, *headings = _DIVISION.split(text)
    for part in _ENDS.split(_RULE.sub("\n", speech_part)):
        if text := _joined(part):
            yield ChairSentence(speech.order, text)
    for heading in headings:
        first, _, rest = heading.strip(" 　\n").partition("。")
        is_title = not rest and not _TIME.match(first) and "出席国務大臣" not in first
        yield ChairSentence(speech.order, _joined(first) if is_title else "", is_heading=True)


def _joined(part: str) -> str:
    """Without the blanks around lines; lines stay apart, because titles stand on lines of their own."""
    lines = (re.sub(r"\A[\s　]+|[\s　]+\Z", "", line) for line in part.split("\n"))
    return "\n".join(line for line in lines if line)
