"""All facts of one record, with attendance and times from its header."""

import re
from collections.abc import Iterator

from almanac.desks.recap.model.facts.agenda import list_bills, notes_by_title
from almanac.desks.recap.model.facts.decisions import list_decisions
from almanac.desks.recap.model.facts.procedure import follow_sitting
from almanac.desks.recap.model.facts.speech_text import remove_gaps
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import Attendant, RecordFacts
from almanac.kit.lazy import lazy_regex

_OPENED = lazy_regex(r"午[前後][^\s　。（）]{1,12}(?:開議|開会)")
_CLOSED = lazy_regex(r"午[前後][^\s　。（）]{1,12}(?:散会|閉会|延会|休憩)")
_OFFICE = lazy_regex(
    r"(?:委員長|理事|会長|会長代理|主査|大臣|副大臣|政務官|参考人|官房長|長官|局長|次長|審議官|専門員|総裁|総長|公述人|証人|議長|委員|代理者|出席者|事務局|部長|参与|監査|院長)\Z|\A[（(]|[）)]\Z"
)
_NAME_PART = lazy_regex(r"[^\s　（）()…━─]+")
_MOST_ATTENDANTS = 300
_LONGEST_NAME, _LONGEST_SURNAME = 14, 5


def read_facts(meeting: Meeting) -> RecordFacts:
    """Agenda, bills, decisions, attendance and times; empty where the record has none or the rules can't read it."""
    course = follow_sitting(meeting)
    return RecordFacts(
        agenda=course.items,
        bills=list_bills(meeting, course.items, notes_by_title(meeting)),
        decisions=tuple(list_decisions(course.rulings)),
        attendance=list_attendants(meeting),
        opened=opened_at(meeting),
        closed=closed_at(meeting),
    )


def list_attendants(meeting: Meeting) -> tuple[Attendant, ...]:
    """Everyone the header lists, with their office; an office on a line of its own applies to the names below it."""
    attendants: dict[str, Attendant] = {}
    office = ""
    for line in (meeting.header.text if meeting.header else "").splitlines():
        if "君" not in line:
            office = remove_gaps(line) if _OFFICE.search(remove_gaps(line)) else ""
            continue
        for attendant in _parse_attendants(line, office):
            attendants.setdefault(attendant.name, attendant)
    return tuple(attendants.values())[:_MOST_ATTENDANTS]


def opened_at(meeting: Meeting) -> str:
    """As in 午前九時一分開議; the agenda may name a planned time before the real one."""
    times = _OPENED.findall(meeting.header.text) if meeting.header else []
    return times[-1] if times else ""


def closed_at(meeting: Meeting) -> str:
    """As in 午後四時五分散会, from the end of the last speech."""
    times = [match for speech in meeting.spoken[-3:] for match in _CLOSED.findall(speech.text)]
    return times[-1] if times else ""


def _parse_attendants(line: str, office: str) -> Iterator[Attendant]:
    for piece in line.split("君")[:-1]:
        parts = _NAME_PART.findall(piece) if not re.search(r"[（(]", piece) else _split_bracketed_office(piece)
        own = [part for part in parts[:1] if len(parts) > 1 and (_OFFICE.search(part) or len(part) > _LONGEST_SURNAME)]
        name = "".join(parts[len(own) :])
        if own:
            office = "" if own[0] in ("委員", "") else own[0].strip("（）()")
        if 2 <= len(name) <= _LONGEST_NAME:
            yield Attendant(name=name, office=office)


def _split_bracketed_office(piece: str) -> list[str]:
    """An office in brackets before the name."""
    closing = max(piece.rfind("）"), piece.rfind(")"))
    return [remove_gaps(piece[: closing + 1]), *_NAME_PART.findall(piece[closing + 1 :])]
