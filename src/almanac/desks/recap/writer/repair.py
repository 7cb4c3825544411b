"""Repairs what a model wrote: unsupported sentences go, missing speeches and empty levels are filled by extraction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.writer.evidence import SpeechEvidence, choose_wordings, cited_orders, evidence_for, new_draft
from almanac.desks.recap.writer.extractive.analysis import analyze_meeting
from almanac.desks.recap.writer.extractive.dialogs import write_dialogs
from almanac.desks.recap.writer.extractive.labels import speaker_with_group
from almanac.desks.recap.writer.extractive.levels import write_levels
from almanac.desks.recap.writer.notes import DialogNote, LevelNotes, MiddleNote, PackNotes, SectionNote, TermNote
from almanac.desks.recap.writer.packs import Pack
from almanac.llm.sources import Cited

_AnyCited = TypeVar("_AnyCited", bound=Cited)


@dataclass(frozen=True, slots=True)
class RepairedNotes:
    """The repaired notes, and how many sentences were dropped."""

    notes: PackNotes
    dropped: int


def repair_notes(notes: PackNotes, meeting: Meeting, pack: Pack) -> RepairedNotes:
    """Every speech of the pack once, with supported sentences only; extraction fills what is missing."""
    first: dict[str, DialogNote] = {}
    asked = set(map(str, pack.orders))
    for note in notes.dialogs:
        if note.speech in asked:
            first.setdefault(note.speech, note)
    checked = _check_notes(list(first.values()), meeting)
    kept = {note.speech: note for note, _ in checked if note.summary or not _has_words(meeting, note)}
    missing = [order for order in pack.orders if str(order) not in kept]
    filled = {note.speech: note for note in write_dialogs(analyze_meeting(meeting), missing)} if missing else {}
    dialogs = tuple((kept | filled)[str(order)] for order in pack.orders)
    terms = tuple(term for term in notes.terms if _is_quoted(term, meeting))
    dropped = sum(count for _, count in checked) + len(notes.terms) - len(terms)
    return RepairedNotes(notes.model_copy(update={"dialogs": dialogs, "terms": terms}), dropped)


def _has_words(meeting: Meeting, note: DialogNote) -> bool:
    return bool(meeting.by_order[int(note.speech)].text.strip())


def _is_quoted(term: TermNote, meeting: Meeting) -> bool:
    """Whether term and definition are in the words of the speech."""
    speech = meeting.by_order.get(int(term.speech))
    return speech is not None and term.term in speech.text and term.definition in speech.text


def _check_notes(notes: Sequence[DialogNote], meeting: Meeting) -> list[tuple[DialogNote, int]]:
    """Each note with only what its speech supports, and how many sentences were dropped."""
    drafts = [new_draft(int(note.speech), text) for note in notes for text in _texts(note)]
    settled = iter(choose_wordings(drafts, meeting))
    kept = [_keep_settled(note, [next(settled) for _ in _texts(note)]) for note in notes]
    return [_drop_unsupported_titles(note, dropped, evidence_for(meeting)) for note, dropped in kept]


def _drop_unsupported_titles(note: DialogNote, dropped: int, evidence: SpeechEvidence) -> tuple[DialogNote, int]:
    """The note without section titles that contradict the speech."""
    orders = (int(note.speech),)
    sections = tuple(
        section if evidence.allows_title(section.title, orders) else section.model_copy(update={"title": ""})
        for section in note.sections
    )
    refused = sum(bool(old.title) and not new.title for old, new in zip(note.sections, sections, strict=True))
    return note.model_copy(update={"sections": sections}), dropped + refused


def _texts(note: DialogNote) -> list[str]:
    return [note.summary, *(bullet for section in note.sections for bullet in section.bullets)]


def _keep_settled(note: DialogNote, settled: list[str | None]) -> tuple[DialogNote, int]:
    summary, rest = settled[0], iter(settled[1:])
    sections = [
        SectionNote(title=section.title, bullets=tuple(filter(None, [next(rest) for _ in section.bullets])))
        for section in note.sections
    ]
    kept = tuple(section for section in sections if section.bullets)
    summary = summary or next((bullet for section in kept for bullet in section.bullets), "")
    dropped = sum(1 for text, old in zip(settled, _texts(note), strict=True) if old and text is None)
    return note.model_copy(update={"summary": summary, "sections": kept}), dropped


def verify_levels(levels: LevelNotes, meeting: Meeting) -> tuple[LevelNotes, int]:
    """The supported part of the levels, and how many sentences were dropped. Extraction replaces an empty level."""
    cited = list(_all(levels))
    orders = tuple(speech.order for speech in meeting.spoken)
    drafts = [new_draft(cited_orders(each), each.text) for each in cited]
    headings = [new_draft(orders, levels.title), new_draft(orders, levels.description)]
    settled = choose_wordings([*drafts, *headings], meeting)
    title, description = settled[-2:]
    holds = iter([text is not None for text in settled[:-2]])
    points = _keep_supported(levels.key_points, holds)
    summary, soft = _keep_supported(levels.summary, holds), _keep_supported(levels.soft_language_summary, holds)
    parts = [
        MiddleNote(title=part.title, sentences=_keep_supported(part.sentences, holds)) for part in levels.middle_summary
    ]
    filled = [part for part in parts if part.sentences]
    middle = tuple(_with_safe_title(part, meeting) for part in filled)
    own = levels if all((title, points, summary, soft, middle)) else write_levels(analyze_meeting(meeting))
    kept = LevelNotes(
        title=title or own.title,
        description=description or "".join(point.text for point in (points or own.key_points)[:2]),
        categories=levels.categories,
        key_points=points or own.key_points,
        summary=summary or own.summary,
        soft_language_summary=soft or own.soft_language_summary,
        middle_summary=middle or own.middle_summary,
    )
    retitled = sum(old.title != new.title for old, new in zip(filled, middle, strict=True))
    return kept, sum(text is None for text in settled) + retitled


def _all(levels: LevelNotes) -> Iterator[Cited]:
    yield from levels.key_points
    yield from levels.summary
    yield from levels.soft_language_summary
    for part in levels.middle_summary:
        yield from part.sentences


def _keep_supported(level: Sequence[_AnyCited], holds: Iterator[bool]) -> tuple[_AnyCited, ...]:
    return tuple([each for each in level if next(holds)])


def _with_safe_title(part: MiddleNote, meeting: Meeting) -> MiddleNote:
    """The section with its title, or with the name of its first speaker if the speeches contradict the title."""
    orders = tuple(dict.fromkeys(order for sentence in part.sentences for order in cited_orders(sentence)))
    if part.title.strip() and evidence_for(meeting).allows_title(part.title, orders):
        return part
    return MiddleNote(title=speaker_with_group(meeting.by_order[min(orders)]), sentences=part.sentences)
