"""Notes on single speeches: sections by what the speech does, bullets from its own sentences."""

from collections.abc import Sequence

from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.parliaments.chair import speech_sentences
from almanac.desks.recap.model.parliaments.debate_course import side_sentence
from almanac.desks.recap.writer.evidence import SentenceDraft, choose_wordings, new_draft
from almanac.desks.recap.writer.multilingual.analysis import LONGEST_SENTENCE, SittingAnalysis
from almanac.desks.recap.writer.multilingual.phrasebook import phrases_for
from almanac.desks.recap.writer.multilingual.wordings import wording_options
from almanac.desks.recap.writer.notes import DialogNote, SectionNote

_BULLETS, _PROCEDURE_BULLETS, _RESULT_BULLETS = 5, 3, 6
_LONGEST_SUMMARY = 320

PlannedNotes = list[tuple[str, list[SentenceDraft]]]


def write_speech_notes(analysis: SittingAnalysis, orders: Sequence[int]) -> tuple[DialogNote, ...]:
    """Notes on the speeches of these orders, every bullet of them supported by its speech."""
    planned = [(order, _plan(analysis, analysis.meeting.by_order[order])) for order in orders]
    drafts = [draft for _, sections in planned for _, bullets in sections for draft in bullets]
    texts = iter(choose_wordings(drafts, analysis.meeting))
    return tuple(
        _note(analysis, order, [(title, [next(texts) for _ in bullets]) for title, bullets in sections])
        for order, sections in planned
    )


def _note(analysis: SittingAnalysis, order: int, sections: list[tuple[str, list[str | None]]]) -> DialogNote:
    kept = [
        SectionNote(title=title, bullets=tuple(dict.fromkeys(filter(None, bullets))))
        for title, bullets in sections
        if any(bullets)
    ]
    question = analysis.course.response_to.get(order)
    return DialogNote(
        speech=str(order),
        reaction=analysis.reaction(order),
        summary=_summary([bullet for section in kept for bullet in section.bullets]),
        sections=tuple(kept),
        answers=(str(question),) if question is not None else (),
    )


def _summary(bullets: Sequence[str]) -> str:
    """The first bullets, as many as fit."""
    summary = ""
    for bullet in bullets:
        if summary and len(summary) + len(bullet) > _LONGEST_SUMMARY:
            break
        summary = f"{summary} {bullet}".strip()
    return summary


def _plan(analysis: SittingAnalysis, speech: Speech) -> PlannedNotes:
    phrases, reaction = phrases_for(analysis.parliament.language), analysis.reaction(speech.order)
    if reaction == "会議録情報":
        return [(phrases.agenda, [new_draft(speech.order, item.title) for item in analysis.facts.agenda])]
    if reaction == "採決":
        announced = [each.text for each in analysis.facts.decisions if each.order == speech.order]
        drafts = [new_draft(speech.order, text.removeprefix("– ")) for text in announced]
        return [(phrases.result, drafts or _opening_sentences(analysis, speech, _RESULT_BULLETS))]
    if reaction == "議事進行" or not analysis.sentences[speech.order]:
        title = phrases.procedure if reaction == "議事進行" else phrases.sections.get(reaction, phrases.points)
        return [(title, _opening_sentences(analysis, speech, _PROCEDURE_BULLETS))]
    if reaction in ("賛成", "反対"):
        return _argued(analysis, speech)
    title = phrases.sections.get(reaction, phrases.points)
    if reaction == "質問":
        lines = analysis.best([speech.order], _BULLETS, asking=True) or analysis.best([speech.order], _BULLETS)
    else:
        lines = analysis.best([speech.order], _BULLETS) or analysis.best([speech.order], _BULLETS, asking=True)
    return [(title, [new_draft(line.order, *wording_options(line.text, analysis.rules)) for line in lines])]


def _argued(analysis: SittingAnalysis, speech: Speech) -> PlannedNotes:
    phrases = phrases_for(analysis.parliament.language)
    stance = side_sentence(speech, analysis.parliament)
    reasons = analysis.reasons_of(speech.order)
    title, lines = (phrases.reasons, reasons) if reasons else (phrases.points, analysis.best([speech.order], _BULLETS))
    return [
        (phrases.position, [new_draft(speech.order, stance)] if stance else []),
        (title, [new_draft(line.order, *wording_options(line.text, analysis.rules)) for line in lines]),
    ]


def _opening_sentences(analysis: SittingAnalysis, speech: Speech, most: int) -> list[SentenceDraft]:
    """The first sentences as they stand; of a list without an end, its beginning."""
    texts = speech_sentences(speech, analysis.parliament.language)
    return [new_draft(speech.order, text[:LONGEST_SENTENCE]) for text in texts[:most]]
