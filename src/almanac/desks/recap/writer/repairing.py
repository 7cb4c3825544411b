"""Notes of a pack made whole and true: every order once, every bullet supported, gaps filled by extraction."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.desks.recap.chunking import Pack
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.writer.checking import Evidence, draft, evidence, settle
from almanac.desks.recap.writer.extractive.dialogs import write_dialogs
from almanac.desks.recap.writer.extractive.sitting import read_sitting
from almanac.desks.recap.writer.notes import DialogNote, PackNotes, SectionNote, TermNote


@dataclass(frozen=True, slots=True)
class Repaired:
    """The notes as they may be kept, and how many sentences were refused on the way."""

    notes: PackNotes
    dropped: int


def repair(notes: PackNotes, meeting: Meeting, pack: Pack) -> Repaired:
    """A speech that was left out, or of which nothing holds, is written by extraction."""
    first: dict[str, DialogNote] = {}
    asked = set(map(str, pack.orders))
    for note in notes.dialogs:
        if note.speech in asked:
            first.setdefault(note.speech, note)
    checked = _checked(list(first.values()), meeting)
    kept = {note.speech: note for note, _ in checked if note.summary or not _has_words(meeting, note)}
    missing = [order for order in pack.orders if str(order) not in kept]
    filled = {note.speech: note for note in write_dialogs(read_sitting(meeting), missing)} if missing else {}
    dialogs = tuple((kept | filled)[str(order)] for order in pack.orders)
    terms = tuple(term for term in notes.terms if _is_said(term, meeting))
    dropped = sum(count for _, count in checked) + len(notes.terms) - len(terms)
    return Repaired(notes.model_copy(update={"dialogs": dialogs, "terms": terms}), dropped)


def _has_words(meeting: Meeting, note: DialogNote) -> bool:
    return bool(meeting.by_order[int(note.speech)].text.strip())


def _is_said(term: TermNote, meeting: Meeting) -> bool:
    """A definition counts only in the words of the speech."""
    speech = meeting.by_order.get(int(term.speech))
    return speech is not None and term.term in speech.text and term.definition in speech.text


def _checked(notes: Sequence[DialogNote], meeting: Meeting) -> list[tuple[DialogNote, int]]:
    """Each note with only what its speech supports, and how much went."""
    drafts = [draft(int(note.speech), text) for note in notes for text in _texts(note)]
    settled = iter(settle(drafts, meeting))
    kept = [_kept(note, [next(settled) for _ in _texts(note)]) for note in notes]
    return [_titled(note, dropped, evidence(meeting)) for note, dropped in kept]


def _titled(note: DialogNote, dropped: int, known: Evidence) -> tuple[DialogNote, int]:
    """Without titles that say more than the speech."""
    orders = (int(note.speech),)
    sections = tuple(
        section if known.may_head(section.title, orders) else section.model_copy(update={"title": ""})
        for section in note.sections
    )
    refused = sum(bool(old.title) and not new.title for old, new in zip(note.sections, sections, strict=True))
    return note.model_copy(update={"sections": sections}), dropped + refused


def _texts(note: DialogNote) -> list[str]:
    return [note.summary, *(bullet for section in note.sections for bullet in section.bullets)]


def _kept(note: DialogNote, settled: list[str | None]) -> tuple[DialogNote, int]:
    summary, rest = settled[0], iter(settled[1:])
    sections = [
        SectionNote(title=section.title, bullets=tuple(filter(None, [next(rest) for _ in section.bullets])))
        for section in note.sections
    ]
    kept = tuple(section for section in sections if section.bullets)
    summary = summary or next((bullet for section in kept for bullet in section.bullets), "")
    dropped = sum(1 for text, old in zip(settled, _texts(note), strict=True) if old and text is None)
    return note.model_copy(update={"summary": summary, "sections": kept}), dropped
