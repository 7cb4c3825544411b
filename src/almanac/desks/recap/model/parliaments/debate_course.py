"""What each speech of a sitting does, by its parliament's grammar, and which question it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from almanac.desks.recap.model.facts.debate import DebateCourse
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.parliaments.chair import is_chair, presiding_names, speech_sentences
from almanac.desks.recap.model.parliaments.parliament import (
    Parliament,
    Patterns,
    ProcedureGrammar,
    SpeechGrammar,
    any_of,
)
from almanac.desks.recap.model.parliaments.proceedings import follow_proceedings
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import Reaction

_OPENING = 3
_QUESTION_MARK = ("?", "?”", '?"')


@dataclass(slots=True)
class _Course:
    """The state of the debate: the open question, who answers under these headings, and the mover of the business."""

    parliament: Parliament
    procedure: ProcedureGrammar
    rules: SpeechGrammar
    presiding: frozenset[str]
    deciding: frozenset[int]
    path: tuple[str, ...] = ()
    asker: str = ""
    answerer: str = ""
    asked: int | None = None
    is_questioning: bool = False
    replies: dict[int, int] = field(default_factory=dict)
    argued: set[int] = field(default_factory=set)


@lru_cache(maxsize=4)
def trace_speeches(meeting: Meeting) -> DebateCourse:
    """Classify every speech in order."""
    parliament, proceedings = parliament_of(meeting), follow_proceedings(meeting)
    assert parliament.procedure is not None
    assert parliament.speeches is not None
    course = _Course(
        parliament,
        parliament.procedure,
        parliament.speeches,
        presiding_names(meeting, parliament),
        frozenset(decision.order for decision in proceedings.decisions),
    )
    reactions = {speech.order: _follow(course, speech) for speech in meeting.speeches}
    return DebateCourse(reactions, dict(course.replies), frozenset(course.argued))


def _follow(course: _Course, speech: Speech) -> Reaction:
    if speech.is_header:
        return "会議録情報"
    if speech.heading_path != course.path:
        course.path, course.asker, course.answerer, course.asked = speech.heading_path, "", "", None
        course.is_questioning = any(any_of(course.rules.question_headings).search(each) for each in course.path)
    if speech.order in course.deciding:
        course.asked = None
        return "採決"
    if not speech.is_spoken or is_chair(speech, course.presiding, course.procedure):
        return "議事進行"
    reaction = _reaction(course, speech)
    if reaction == "質問":
        course.asked, course.asker = speech.order, speech.speaker
    elif reaction == "答弁":
        course.answerer = course.answerer or speech.speaker
        if course.asked is not None:
            course.replies[speech.order] = course.asked
    elif reaction in ("賛成", "反対"):
        course.argued.add(speech.order)
    return reaction


def _reaction(course: _Course, speech: Speech) -> Reaction:
    sentences = speech_sentences(speech, course.parliament.language)
    opening = " ".join(sentences[:_OPENING])
    openings: Mapping[Reaction, Patterns] = {
        "議事進行": course.rules.raises_order,
        "趣旨説明": course.rules.explains,
        "報告": course.rules.reports,
        "動議": course.rules.moves,
    }
    for reaction, patterns in openings.items():
        if any_of(patterns).search(opening):
            course.answerer = speech.speaker if reaction in ("趣旨説明", "報告") else course.answerer
            return reaction
    if not course.is_questioning and sentences and any_of(course.rules.asks).search(sentences[0]):
        course.is_questioning = True
        return "質問"
    if course.is_questioning:
        return _asked_or_answered(course, speech)
    return _debated(course, speech, sentences)


def is_official(speech: Speech, rules: SpeechGrammar) -> bool:
    """Whether the speaker is there to answer: the government, by the office that the record gives."""
    offices = " ".join(filter(None, (speech.position, speech.role)))
    return bool(any_of(rules.officials).search(offices))


def _asked_or_answered(course: _Course, speech: Speech) -> Reaction:
    """Under a heading of questions; who answers is told by office, else by speaking second."""
    if is_official(speech, course.rules) or speech.speaker == course.answerer:
        return "答弁"
    answers = course.asked is not None and not course.answerer and speech.speaker != course.asker
    return "答弁" if answers else "質問"


def _debated(course: _Course, speech: Speech, sentences: list[str]) -> Reaction:
    """In a debate: an answer by whoever answers, a side that is taken, a question to whoever answers, or an opinion."""
    answers = is_official(speech, course.rules) or speech.speaker == course.answerer
    if answers:
        return "答弁" if course.asked is not None else "意見"
    if side := _side(course.rules, sentences):
        return side
    return "質問" if any(text.rstrip().endswith(_QUESTION_MARK) for text in sentences[-_OPENING:]) else "意見"


def _side(rules: SpeechGrammar, sentences: list[str]) -> Reaction | None:
    """The side that a speech takes; None if it takes none, or both."""
    against = any(any_of(rules.against).search(text) for text in sentences)
    in_favour = any(any_of(rules.in_favour).search(text) for text in sentences)
    if against == in_favour:
        return None
    return "反対" if against else "賛成"


def side_sentence(speech: Speech, parliament: Parliament) -> str:
    """The sentence in which a speech takes its side; empty if it takes none."""
    rules = parliament.speeches
    if rules is None:
        return ""
    sided = any_of((*rules.against, *rules.in_favour))
    return next((text for text in speech_sentences(speech, parliament.language) if sided.search(text)), "")
