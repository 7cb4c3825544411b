"""Notes of all packs put together: nothing that one pack found is lost, nothing comes twice."""

from collections.abc import Iterable, Sequence

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Keyword, Priority, Term
from almanac.desks.recap.writer.notes import DialogNote, KeywordNote, PackNotes

_RANK: dict[Priority, int] = {"high": 0, "medium": 1, "low": 2}


def merged_dialogs(packs: Iterable[PackNotes]) -> tuple[DialogNote, ...]:
    """By order; the parts of a speech that was cut become one note."""
    found: dict[str, DialogNote] = {}
    for note in (each for pack in packs for each in pack.dialogs):
        before = found.get(note.speech)
        found[note.speech] = note if before is None else _joined(before, note)
    return tuple(sorted(found.values(), key=lambda note: int(note.speech)))


def merged_keywords(packs: Sequence[PackNotes], meeting: Meeting) -> tuple[Keyword, ...]:
    """Every keyword of every pack that is really spoken, with its highest priority, the most important first."""
    best: dict[str, KeywordNote] = {}
    for note in (each for pack in packs for each in pack.keywords):
        known = best.get(note.keyword)
        if known is None or _RANK[note.priority] < _RANK[known.priority]:
            best[note.keyword] = note
    spoken = {word: tuple(speech.order for speech in meeting.spoken if word in speech.text) for word in best}
    ranked = sorted(best.values(), key=lambda note: _RANK[note.priority])
    return tuple(
        Keyword(keyword=note.keyword, priority=note.priority, orders=spoken[note.keyword])
        for note in ranked
        if spoken[note.keyword]
    )


def merged_terms(packs: Iterable[PackNotes]) -> tuple[Term, ...]:
    """Every term once, as it was explained first."""
    found: dict[str, Term] = {}
    for note in (each for pack in packs for each in pack.terms):
        found.setdefault(note.term, Term(term=note.term, definition=note.definition, order=int(note.speech)))
    return tuple(found.values())


def _joined(one: DialogNote, other: DialogNote) -> DialogNote:
    sections = one.sections + tuple(section for section in other.sections if section not in one.sections)
    answers = tuple(dict.fromkeys((*one.answers, *other.answers)))
    return one.model_copy(update={"sections": sections, "answers": answers})
