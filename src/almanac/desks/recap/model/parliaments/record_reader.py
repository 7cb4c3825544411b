"""What rules read from a record, whichever parliament's it is: facts, the course of the debate, and who spoke."""

from collections import defaultdict

from almanac.desks.recap.model.facts.debate import DebateCourse, trace_debate
from almanac.desks.recap.model.facts.record import read_facts
from almanac.desks.recap.model.facts.speakers import list_participants, person_key
from almanac.desks.recap.model.meeting import DIET, Meeting, Speech
from almanac.desks.recap.model.parliaments.debate_course import trace_speeches
from almanac.desks.recap.model.parliaments.parliament import ProcedureGrammar, first_match
from almanac.desks.recap.model.parliaments.proceedings import business_kind, follow_proceedings
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import RecapParticipant
from almanac.desks.recap.model.record import Bill, RecordFacts


def read_record(meeting: Meeting) -> RecordFacts:
    """Agenda, bills, decisions and times."""
    grammar = parliament_of(meeting).procedure
    return read_facts(meeting) if grammar is None else _facts(meeting, grammar)


def trace_course(meeting: Meeting) -> DebateCourse:
    """What each speech does, and which question it answers."""
    return trace_debate(meeting) if _is_diet(meeting) else trace_speeches(meeting)


def list_speakers(meeting: Meeting) -> tuple[RecapParticipant, ...]:
    """Everyone who spoke, in the order of their first speech."""
    return list_participants(meeting) if _is_diet(meeting) else _speakers(meeting)


def _is_diet(meeting: Meeting) -> bool:
    return parliament_of(meeting).id == DIET


def _facts(meeting: Meeting, grammar: ProcedureGrammar) -> RecordFacts:
    proceedings = follow_proceedings(meeting)
    bills = (
        Bill(
            key=item.bill,
            title=item.title,
            kind=business_kind(item.title, grammar),
            session=meeting.session,
            orders=item.orders,
        )
        for item in proceedings.items
        if item.bill is not None
    )
    notes = [speech.text for speech in meeting.speeches if speech.is_header or not speech.is_spoken]
    return RecordFacts(
        agenda=proceedings.items,
        bills=tuple(bills),
        decisions=proceedings.decisions,
        opened=_first(grammar.opened, notes),
        closed=_first(grammar.closed, list(reversed(notes))),
    )


def _first(patterns: tuple[str, ...], texts: list[str]) -> str:
    matches = (first_match(patterns, text) for text in texts)
    return next((match[0] for match in matches if match), "")


def _speakers(meeting: Meeting) -> tuple[RecapParticipant, ...]:
    spoken: dict[str, list[Speech]] = defaultdict(list)
    for speech in meeting.spoken:
        if speech.is_spoken and speech.speaker.strip():
            person = speech.person if isinstance(speech.person, str) else None
            spoken[person_key(speech.speaker, person)].append(speech)
    return tuple(_speaker(key, speeches) for key, speeches in spoken.items())


def plain_name(name: str) -> str:
    """A name as it is shown, in one width."""
    return person_key(name, None)


def _speaker(key: str, speeches: list[Speech]) -> RecapParticipant:
    def first_value(field: str) -> str | None:
        return next((value for speech in speeches if (value := getattr(speech, field))), None)

    return RecapParticipant(
        key=key,
        name=plain_name(speeches[0].speaker),
        group=first_value("group"),
        position=first_value("position"),
        role=first_value("role"),
        orders=tuple(speech.order for speech in speeches),
    )
