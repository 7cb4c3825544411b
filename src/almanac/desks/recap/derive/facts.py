"""Everything that rules read from one record, put together."""

from almanac.desks.recap.derive.agenda import agenda, bills, notes_by_title
from almanac.desks.recap.derive.decisions import decisions
from almanac.desks.recap.derive.header import attendants, closed_at, opened_at
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import RecordFacts


def read_record(meeting: Meeting) -> RecordFacts:
    """Agenda, bills, decisions and attendance; empty where the record has none or isn't understood."""
    items = agenda(meeting)
    return RecordFacts(
        agenda=items,
        bills=bills(meeting, items, notes_by_title(meeting)),
        decisions=tuple(decisions(meeting, items)),
        attendance=attendants(meeting),
        opened=opened_at(meeting),
        closed=closed_at(meeting),
    )
