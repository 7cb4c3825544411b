"""Assembles a recap from its parts: merges the packs' notes, adds speaker data, links questions and answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from almanac.desks.recap.model.facts.debate import is_bare_question
from almanac.desks.recap.model.facts.keywords import CATEGORIES, MOST_CATEGORIES
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.parliaments.record_reader import list_speakers
from almanac.desks.recap.model.recap import (
    Dialog,
    Exchange,
    GlossaryTerm,
    JudgedSentence,
    KeyPoint,
    LeftOutSentence,
    MiddleSection,
    Priority,
    Recap,
    RecapKeyword,
    RecapParticipant,
    RecapProvenance,
    SpeechCoverage,
    SummarySection,
    WritingFallback,
    WrittenSentence,
)
from almanac.desks.recap.writer.evidence import cited_orders
from almanac.desks.recap.writer.extraction import extract_sitting
from almanac.desks.recap.writer.notes import DialogNote, KeywordNote, LevelNotes, PackNotes
from almanac.language.boilerplate import find_instructions
from almanac.llm.sources import Cited

_PROCEDURAL = frozenset({"議事進行", "会議録情報"})
_CHAIR_REACTIONS = _PROCEDURAL | {"採決"}
_LONGEST_TITLE = 120
_RANK: dict[Priority, int] = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapOrigin:
    """Who wrote a recap, when and with which prompts; what was left out, and whose references were moved."""

    model: str
    prompt_version: str
    made_at: datetime
    left_out: tuple[LeftOutSentence, ...] = ()
    moved: frozenset[str] = frozenset()
    fallback: WritingFallback | None = None
    judged: tuple[JudgedSentence, ...] = ()


def assemble_recap(meeting: Meeting, packs: Sequence[PackNotes], levels: LevelNotes, origin: RecapOrigin) -> Recap:
    """The recap of a meeting; `levels` must hold verified sentences only."""
    dialogs = link_answers(build_dialogs(meeting, merge_dialogs(packs)))
    return Recap(
        title=levels.title[:_LONGEST_TITLE],
        description=levels.description,
        categories=_categories(meeting, levels),
        key_points=tuple(
            KeyPoint(
                text=point.text,
                based_on_orders=cited_orders(point),
                moved=point.text in origin.moved,
                kind=point.kind,
            )
            for point in levels.key_points
        ),
        summary=_sentences(levels.summary, origin.moved),
        soft_language_summary=_sentences(levels.soft_language_summary, origin.moved),
        middle_summary=tuple(
            MiddleSection(title=part.title, sentences=_sentences(part.sentences, origin.moved))
            for part in levels.middle_summary
        ),
        dialogs=dialogs,
        exchanges=build_exchanges(dialogs),
        participants=_summarize_participants(meeting, dialogs),
        keywords=merge_keywords(packs, meeting),
        terms=merge_terms(packs),
        facts=extract_sitting(meeting).facts,
        provenance=RecapProvenance(
            model=origin.model,
            prompt_version=origin.prompt_version,
            made_at=origin.made_at,
            dropped=len(origin.left_out),
            left_out=origin.left_out,
            fallback=origin.fallback,
            judged=origin.judged,
            instructions=tuple(speech.order for speech in meeting.spoken if find_instructions(speech.text)),
            record_digest=meeting.digest,
            coverage=_coverage(meeting, levels),
        ),
    )


def build_dialogs(meeting: Meeting, notes: Iterable[DialogNote]) -> list[Dialog]:
    """One dialog per speech of the record; speaker data always comes from the record."""
    written = {int(note.speech): note for note in notes}
    return [_dialog(speech, written[speech.order]) for speech in meeting.speeches]


def _dialog(speech: Speech, note: DialogNote) -> Dialog:
    return Dialog(
        order=speech.order,
        speech_id=speech.id,
        speaker=speech.speaker,
        yomi=speech.yomi,
        group=speech.group,
        position=speech.position,
        role=speech.role,
        url=speech.url,
        reaction=note.reaction,
        procedural=note.reaction in _PROCEDURAL,
        summary=note.summary,
        summary_sections=tuple(SummarySection(title=each.title, bullets=each.bullets) for each in note.sections),
        response_to=tuple(sorted({int(order) for order in note.answers if int(order) < speech.order})),
    )


def link_answers(dialogs: Sequence[Dialog]) -> tuple[Dialog, ...]:
    """The dialogs with `answered_by` filled from `response_to`."""
    answers: dict[int, list[int]] = {}
    for dialog in dialogs:
        for order in dialog.response_to:
            answers.setdefault(order, []).append(dialog.order)
    return tuple(
        msgspec.structs.replace(dialog, answered_by=tuple(answers.get(dialog.order, []))) for dialog in dialogs
    )


def build_exchanges(dialogs: Sequence[Dialog]) -> tuple[Exchange, ...]:
    """Every question with the answers it got; not one that can't be understood alone."""
    by_order = {dialog.order: dialog for dialog in dialogs}
    return tuple(
        Exchange(
            question=_dialog_sentence(dialog),
            answers=tuple(_dialog_sentence(by_order[order]) for order in dialog.answered_by),
        )
        for dialog in dialogs
        if dialog.reaction == "質問" and dialog.summary and not is_bare_question(dialog.summary)
    )


def _dialog_sentence(dialog: Dialog) -> WrittenSentence:
    return WrittenSentence(text=dialog.summary, based_on_orders=(dialog.order,))


def _sentences(cited: Iterable[Cited], moved: frozenset[str]) -> tuple[WrittenSentence, ...]:
    return tuple(
        WrittenSentence(text=each.text, based_on_orders=cited_orders(each), moved=each.text in moved) for each in cited
    )


def _categories(meeting: Meeting, levels: LevelNotes) -> tuple[str, ...]:
    """The writer's valid categories; those found by evidence if there are none."""
    valid = tuple(name for name in dict.fromkeys(levels.categories) if name in CATEGORIES)
    return valid[:MOST_CATEGORIES] or extract_sitting(meeting).categories


def _summarize_participants(meeting: Meeting, dialogs: Sequence[Dialog]) -> tuple[RecapParticipant, ...]:
    """Everyone who spoke, each with the summary of their most important speech."""
    summarized = {
        dialog.order: dialog for dialog in dialogs if dialog.summary and dialog.reaction not in _CHAIR_REACTIONS
    }
    extract = extract_sitting(meeting)

    def weight(order: int) -> float:
        return extract.weight(order) or 0.0

    def summed_up(person: RecapParticipant) -> RecapParticipant:
        orders = [order for order in person.orders if order in summarized]
        if not orders:
            return person
        best = max(orders, key=weight)
        return msgspec.structs.replace(person, summary=summarized[best].summary, based_on_orders=(best,))

    return tuple(summed_up(person) for person in list_speakers(meeting))


def _coverage(meeting: Meeting, levels: LevelNotes) -> SpeechCoverage:
    """How many speeches with content and how many of their speakers the levels cite, and which decisions are told."""
    extract = extract_sitting(meeting)
    content = {
        speech.order
        for speech in meeting.speeches
        if extract.weight(speech.order) is not None and extract.reaction(speech.order) != "議事進行"
    }
    parts = (sentence for part in levels.middle_summary for sentence in part.sentences)
    cited = (*levels.key_points, *levels.summary, *levels.soft_language_summary, *parts)
    shown = {order for each in cited for order in cited_orders(each)} & content
    speakers = {order: meeting.by_order[order].speaker for order in content}
    decisions = extract.facts.decisions
    return SpeechCoverage(
        speeches=len(content),
        speeches_shown=len(shown),
        speakers=len(set(speakers.values())),
        speakers_shown=len({speakers[order] for order in shown}),
        decisions=len(decisions),
        decisions_shown=sum(bool(decision.subject) for decision in decisions),
    )


def merge_dialogs(packs: Iterable[PackNotes]) -> tuple[DialogNote, ...]:
    """One note per speech by order; the parts of a split speech become one note."""
    merged: dict[str, DialogNote] = {}
    for note in (each for pack in packs for each in pack.dialogs):
        before = merged.get(note.speech)
        merged[note.speech] = note if before is None else _join_notes(before, note)
    return tuple(sorted(merged.values(), key=lambda note: int(note.speech)))


def merge_keywords(packs: Sequence[PackNotes], meeting: Meeting) -> tuple[RecapKeyword, ...]:
    """Every keyword that was really spoken, once, with its highest priority, the most important first."""
    best: dict[str, KeywordNote] = {}
    for note in (each for pack in packs for each in pack.keywords):
        existing = best.get(note.keyword)
        if existing is None or _RANK[note.priority] < _RANK[existing.priority]:
            best[note.keyword] = note
    spoken = {word: tuple(speech.order for speech in meeting.spoken if word in speech.text) for word in best}
    ranked = sorted(best.values(), key=lambda note: _RANK[note.priority])
    return tuple(
        RecapKeyword(keyword=note.keyword, priority=note.priority, orders=spoken[note.keyword])
        for note in ranked
        if spoken[note.keyword]
    )


def merge_terms(packs: Iterable[PackNotes]) -> tuple[GlossaryTerm, ...]:
    """Every term once, as it was explained first."""
    terms: dict[str, GlossaryTerm] = {}
    for note in (each for pack in packs for each in pack.terms):
        terms.setdefault(note.term, GlossaryTerm(term=note.term, definition=note.definition, order=int(note.speech)))
    return tuple(terms.values())


def _join_notes(first: DialogNote, other: DialogNote) -> DialogNote:
    sections = first.sections + tuple(section for section in other.sections if section not in first.sections)
    answers = tuple(dict.fromkeys((*first.answers, *other.answers)))
    return first.model_copy(update={"sections": sections, "answers": answers})
