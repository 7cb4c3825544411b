"""The desk's two writing steps: notes on the speeches of one pack, and the levels of the whole meeting."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.desks.recap.model.facts.keywords import CATEGORIES
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import REACTIONS
from almanac.desks.recap.writer.extraction import extract_sitting
from almanac.desks.recap.writer.limits import MOST_KEYWORDS, MOST_POINTS, MOST_SENTENCES, limit_levels, limit_pack
from almanac.desks.recap.writer.notes import DialogNote, KeywordNote, LevelNotes, PackNotes, TermNote
from almanac.desks.recap.writer.packs import Pack
from almanac.llm.port import WritingStep
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import StepSource

_CONTEXT_CHARACTERS = 400


def _name(meeting: Meeting) -> str:
    return f"{meeting.house} {meeting.meeting} {meeting.issue}, {meeting.date.isoformat()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackInput:
    """One pack of a meeting. Extraction may read the whole record; a model sees the pack and its neighbours."""

    meeting: Meeting
    pack: Pack

    @property
    def sources(self) -> tuple[StepSource, ...]:
        meeting, spoken, pack = self.meeting, self.meeting.by_order, self.pack
        shown = [_source(meeting, spoken[order], spoken[order].text[pack.start : pack.end]) for order in pack.orders]
        before = [_source(meeting, spoken[order], spoken[order].text[-_CONTEXT_CHARACTERS:]) for order in pack.before]
        after = [_source(meeting, spoken[order], spoken[order].text[:_CONTEXT_CHARACTERS]) for order in pack.after]
        return (*before, *shown, *after)

    @property
    def subjects(self) -> tuple[str, ...]:
        return tuple(map(str, self.pack.orders))

    @property
    def context(self) -> tuple[str, ...]:
        return tuple(map(str, (*self.pack.before, *self.pack.after)))

    @property
    def keywords(self) -> int:
        return MOST_KEYWORDS

    @property
    def sitting_name(self) -> str:
        return _name(self.meeting)

    @property
    def reactions(self) -> str:
        return "、".join(REACTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeInput:
    """A whole meeting: its speeches if they fit into one prompt, otherwise notes on them.

    `most` is how many characters of each speech or its notes are shown.
    """

    meeting: Meeting
    dialogs: tuple[DialogNote, ...]
    notes: bool
    most: int

    @property
    def sources(self) -> tuple[StepSource, ...]:
        meeting, most = self.meeting, self.most
        if not self.notes:
            return tuple(_source(meeting, speech, speech.text[:most]) for speech in meeting.speeches)
        return tuple(
            _source(meeting, meeting.by_order[int(note.speech)], note_text(note)[:most]) for note in self.dialogs
        )

    @property
    def sitting_name(self) -> str:
        return _name(self.meeting)

    @property
    def points(self) -> int:
        return MOST_POINTS

    @property
    def sentences(self) -> int:
        return MOST_SENTENCES

    @property
    def agenda(self) -> str:
        return "、".join(item.title for item in extract_sitting(self.meeting).facts.agenda)

    @property
    def categories(self) -> str:
        return "、".join(CATEGORIES)


def note_text(note: DialogNote) -> str:
    """The text of a note, as a source for the levels."""
    return "\n".join([note.summary, *(bullet for section in note.sections for bullet in section.bullets)])


def _source(meeting: Meeting, speech: Speech, text: str) -> StepSource:
    title = " ".join(filter(None, (speech.speaker, speech.position or speech.group)))
    return StepSource(id=str(speech.order), text=text, title=title, language=parliament_of(meeting).language)


def _extract_pack(step_input: PackInput) -> PackNotes:
    extract, orders = extract_sitting(step_input.meeting), set(step_input.pack.orders)
    keywords = [word for word in extract.keywords if orders & set(word.orders)]
    return PackNotes(
        dialogs=extract.write_dialogs(step_input.pack.orders),
        keywords=tuple(KeywordNote(keyword=word.keyword, priority=word.priority) for word in keywords),
        terms=tuple(_term(term.term, term.definition, term.order) for term in extract.terms if term.order in orders),
    )


def _term(term: str, definition: str, order: int) -> TermNote:
    return TermNote(term=term, definition=definition, speech=str(order))


def _extract_whole(step_input: WholeInput) -> LevelNotes:
    return extract_sitting(step_input.meeting).write_levels()


RECAP_PACK = WritingStep(
    name="recap_pack",
    prompt=load_prompt(__package__, "recap_pack"),
    output=PackNotes,
    extract=_extract_pack,
    limit=limit_pack,
)
RECAP_WHOLE = WritingStep(
    name="recap_whole",
    prompt=load_prompt(__package__, "recap_whole"),
    output=LevelNotes,
    extract=_extract_whole,
    limit=limit_levels,
)


def prompt_version(steps: Sequence[WritingStep[PackInput, PackNotes] | WritingStep[WholeInput, LevelNotes]]) -> str:
    """The version of all prompts together; its major part rises with that of any prompt, which remakes the articles."""
    return f"{sum(step.prompt.major for step in steps) - len(steps) + 1}.{sum(step.prompt.minor for step in steps)}"


PROMPT_VERSION = prompt_version((RECAP_PACK, RECAP_WHOLE))
