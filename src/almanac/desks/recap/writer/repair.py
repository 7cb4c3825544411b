"""Repairs what a model wrote: unsupported sentences go, missing speeches and empty levels are filled by extraction."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import REACTIONS, JudgedSentence, LeftOutSentence
from almanac.desks.recap.writer.evidence import SpeechEvidence, cited_orders
from almanac.desks.recap.writer.extraction import extract_sitting
from almanac.desks.recap.writer.notes import DialogNote, LevelNotes, MiddleNote, PackNotes, SectionNote, TermNote
from almanac.desks.recap.writer.packs import Pack
from almanac.llm.sources import Cited, Reference

_AnyCited = TypeVar("_AnyCited", bound=Cited)
_TOPIC_END = re.compile(r"(?:について|に関して|に関する件)$")
_SHORTEST_TOPIC = 3
_SENTENCES = re.compile(r"[^。]+。?")
# Titles that name a part of a debate and say nothing about its content, such as 質疑 or 答弁の要点.
_PLAIN_TITLE = re.compile(
    rf"(?:{'|'.join(REACTIONS)}|質疑(?:応答)?|(?:賛成|反対)?討論|発言|説明|審査|議題|進行|要点|概要|背景(?:と目的)?|経緯|内容|論点|結果|課題|結論|その他)"
    r"(?:の(?:内容|要点|概要|経過|論点|結果))?"
)


@dataclass(frozen=True, slots=True)
class RepairedNotes:
    """The repaired notes, what was left out, and what a second judge confirmed."""

    notes: PackNotes
    left_out: tuple[LeftOutSentence, ...]
    judged: tuple[JudgedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class RepairedLevels:
    """The repaired levels, what was left out, the sentences whose references were moved, and what a judge confirmed."""

    levels: LevelNotes
    left_out: tuple[LeftOutSentence, ...]
    moved: frozenset[str]
    judged: tuple[JudgedSentence, ...] = ()


def repair_notes(notes: PackNotes, meeting: Meeting, pack: Pack, evidence: SpeechEvidence) -> RepairedNotes:
    """Every speech of the pack once, with supported sentences only; extraction fills what is missing."""
    first: dict[str, DialogNote] = {}
    asked = set(map(str, pack.orders))
    for note in notes.dialogs:
        if note.speech in asked:
            first.setdefault(note.speech, note)
    supported = _SentenceFilter(evidence)
    checked = [supported.keep_note(note) for note in first.values()]
    kept = {note.speech: note for note in checked if note.summary or not _has_words(meeting, note)}
    missing = [order for order in pack.orders if str(order) not in kept]
    filled = {note.speech: note for note in extract_sitting(meeting).write_dialogs(missing)} if missing else {}
    dialogs = tuple((kept | filled)[str(order)] for order in pack.orders)
    terms = tuple(term for term in notes.terms if _is_quoted(term, meeting))
    left_out = [*supported.left_out, *(_unquoted(term) for term in notes.terms if term not in terms)]
    repaired = notes.model_copy(update={"dialogs": dialogs, "terms": terms})
    return RepairedNotes(repaired, tuple(left_out), supported.list_judged())


def _has_words(meeting: Meeting, note: DialogNote) -> bool:
    return bool(meeting.by_order[int(note.speech)].text.strip())


def _is_quoted(term: TermNote, meeting: Meeting) -> bool:
    """Whether term and definition are in the words of the speech."""
    speech = meeting.by_order.get(int(term.speech))
    return speech is not None and term.term in speech.text and term.definition in speech.text


def _unquoted(term: TermNote) -> LeftOutSentence:
    return LeftOutSentence(text=f"{term.term}：{term.definition}", kind="unsupported", orders=(int(term.speech),))


@dataclass(slots=True)
class _SentenceFilter:
    """Keeps supported sentences, and notes why others are left out."""

    evidence: SpeechEvidence
    left_out: list[LeftOutSentence] = field(default_factory=list)
    moved: set[str] = field(default_factory=set)

    def holds(self, text: str, orders: tuple[int, ...]) -> bool:
        """Whether the speeches support a text; an empty one doesn't hold, and isn't noted."""
        if not text.strip():
            return False
        if self.evidence.supports(text, orders):
            return True
        self.left_out.append(self.evidence.explain(text, orders))
        return False

    def holds_of_meeting(self, text: str, meeting: Meeting) -> bool:
        """Whether the speeches support each sentence of a text; it may name the meeting, which nobody need say."""
        statement = text.replace(f"（{meeting.house}{meeting.meeting}）", "").strip()
        for sentence in _SENTENCES.findall(statement):
            orders = self.evidence.orders_about(sentence)
            if not self.evidence.supports(sentence, orders):
                reason = self.evidence.explain(sentence, orders)
                self.left_out.append(msgspec.structs.replace(reason, text=text, orders=()))
                return False
        return bool(statement)

    def holds_title(self, title: str, orders: tuple[int, ...]) -> bool:
        """Whether the speeches support a title, or it only names a part of a debate or a topic in their words."""
        topic = _TOPIC_END.sub("", title.strip())
        if _PLAIN_TITLE.fullmatch(topic) or (len(topic) >= _SHORTEST_TOPIC and self.evidence.mentions(topic, orders)):
            return True
        return self.holds(title, orders)

    def list_judged(self) -> tuple[JudgedSentence, ...]:
        """The sentences that hold because a second judge confirmed them."""
        return tuple(JudgedSentence(text=text, model=model) for text, model in self.evidence.confirmed.items())

    def keep_note(self, note: DialogNote) -> DialogNote:
        """The note with only what its speech supports; its summary is the first bullet if that must go."""
        orders = (int(note.speech),)
        summary = note.summary if self.holds(note.summary, orders) else ""
        sections = [
            SectionNote(
                title=section.title if self.holds_title(section.title, orders) else "",
                bullets=tuple(bullet for bullet in section.bullets if self.holds(bullet, orders)),
            )
            for section in note.sections
        ]
        kept = tuple(section for section in sections if section.bullets)
        summary = summary or next((bullet for section in kept for bullet in section.bullets), "")
        return note.model_copy(update={"summary": summary, "sections": kept})

    def keep_cited(self, sentences: Sequence[_AnyCited]) -> tuple[_AnyCited, ...]:
        """The supported sentences. If only another speech supports one, its reference moves there."""
        return tuple(self._keep_cited(sentences))

    def _keep_cited(self, sentences: Sequence[_AnyCited]) -> Iterator[_AnyCited]:
        for sentence in sentences:
            orders = cited_orders(sentence)
            carrying = self.evidence.find_support(sentence.text, orders)
            if carrying == orders and orders:
                yield sentence
            elif carrying:
                self.moved.add(sentence.text)
                references = tuple(Reference(source=str(order)) for order in carrying)
                yield sentence.model_copy(update={"references": references})
            else:
                self.left_out.append(self.evidence.explain(sentence.text, orders))


def repair_levels(levels: LevelNotes, meeting: Meeting, evidence: SpeechEvidence) -> RepairedLevels:
    """The supported part of the levels. Extraction replaces an empty level and an unsupported title."""
    supported = _SentenceFilter(evidence)
    title = levels.title if supported.holds_of_meeting(levels.title, meeting) else ""
    description = levels.description if supported.holds_of_meeting(levels.description, meeting) else ""
    points = supported.keep_cited(levels.key_points)
    summary, soft = supported.keep_cited(levels.summary), supported.keep_cited(levels.soft_language_summary)
    parts = [
        MiddleNote(title=part.title, sentences=supported.keep_cited(part.sentences)) for part in levels.middle_summary
    ]
    middle = tuple(_with_safe_title(part, meeting, supported) for part in parts if part.sentences)
    own = levels if all((title, points, summary, soft, middle)) else extract_sitting(meeting).write_levels()
    kept = LevelNotes(
        title=title or own.title,
        description=description or "".join(point.text for point in (points or own.key_points)[:2]),
        categories=levels.categories,
        key_points=points or own.key_points,
        summary=summary or own.summary,
        soft_language_summary=soft or own.soft_language_summary,
        middle_summary=middle or own.middle_summary,
    )
    return RepairedLevels(kept, tuple(supported.left_out), frozenset(supported.moved), supported.list_judged())


def _with_safe_title(part: MiddleNote, meeting: Meeting, supported: _SentenceFilter) -> MiddleNote:
    """The section with its title, or with the name of its first speaker if the speeches don't support the title."""
    orders = tuple(dict.fromkeys(order for sentence in part.sentences for order in cited_orders(sentence)))
    if supported.holds_title(part.title, orders):
        return part
    return MiddleNote(title=extract_sitting(meeting).speaker(min(orders)), sentences=part.sentences)
