"""Extraction for any parliament: what rules find in a record, and the notes and levels written from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from almanac.desks.recap.model.meeting import DIET, Meeting
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import GlossaryTerm, Reaction, RecapKeyword
from almanac.desks.recap.model.record import RecordFacts
from almanac.desks.recap.writer.extractive.analysis import MeetingAnalysis, analyze_meeting
from almanac.desks.recap.writer.extractive.dialogs import write_dialogs
from almanac.desks.recap.writer.extractive.labels import speaker_with_group
from almanac.desks.recap.writer.extractive.levels import write_levels
from almanac.desks.recap.writer.multilingual.analysis import SittingAnalysis, analyze_sitting
from almanac.desks.recap.writer.multilingual.dialogs import write_speech_notes
from almanac.desks.recap.writer.multilingual.labels import speaker_title
from almanac.desks.recap.writer.multilingual.levels import write_all_levels
from almanac.desks.recap.writer.notes import DialogNote, LevelNotes


class SittingExtract(Protocol):
    """What extraction gives for one sitting, in the language of its record."""

    @property
    def facts(self) -> RecordFacts: ...

    @property
    def keywords(self) -> tuple[RecapKeyword, ...]: ...

    @property
    def terms(self) -> tuple[GlossaryTerm, ...]: ...

    @property
    def categories(self) -> tuple[str, ...]: ...

    def reaction(self, order: int) -> Reaction:
        """What a speech does."""

    def weight(self, order: int) -> float | None:
        """How much the best sentence of a speech weighs; None if it has no content."""

    def speaker(self, order: int) -> str:
        """The speaker of a speech with office or group, for headings."""

    def write_dialogs(self, orders: Sequence[int]) -> tuple[DialogNote, ...]:
        """Notes on these speeches."""

    def write_levels(self) -> LevelNotes:
        """The levels of the whole sitting."""


AnalysisT = TypeVar("AnalysisT", MeetingAnalysis, SittingAnalysis)


@dataclass(frozen=True, slots=True)
class _AnalyzedSitting(Generic[AnalysisT]):
    """What both analyses have."""

    analysis: AnalysisT

    @property
    def facts(self) -> RecordFacts:
        return self.analysis.facts

    @property
    def keywords(self) -> tuple[RecapKeyword, ...]:
        return self.analysis.keywords

    @property
    def terms(self) -> tuple[GlossaryTerm, ...]:
        return self.analysis.terms

    @property
    def categories(self) -> tuple[str, ...]:
        return self.analysis.categories

    def reaction(self, order: int) -> Reaction:
        return self.analysis.reaction(order)


class _DietExtract(_AnalyzedSitting[MeetingAnalysis]):
    __slots__ = ()

    def weight(self, order: int) -> float | None:
        return max((line.score for line in self.analysis.lines[order]), default=None)

    def speaker(self, order: int) -> str:
        return speaker_with_group(self.analysis.meeting.by_order[order])

    def write_dialogs(self, orders: Sequence[int]) -> tuple[DialogNote, ...]:
        return write_dialogs(self.analysis, orders)

    def write_levels(self) -> LevelNotes:
        return write_levels(self.analysis)


class _MultilingualExtract(_AnalyzedSitting[SittingAnalysis]):
    __slots__ = ()

    def weight(self, order: int) -> float | None:
        return max((line.score for line in self.analysis.sentences[order]), default=None)

    def speaker(self, order: int) -> str:
        return speaker_title(self.analysis.meeting.by_order[order], self.analysis.parliament.language)

    def write_dialogs(self, orders: Sequence[int]) -> tuple[DialogNote, ...]:
        return write_speech_notes(self.analysis, orders)

    def write_levels(self) -> LevelNotes:
        return write_all_levels(self.analysis)


@lru_cache(maxsize=4)
def extract_sitting(meeting: Meeting) -> SittingExtract:
    """The extract of a record by the rules of its parliament; the last few are cached."""
    if parliament_of(meeting).id == DIET:
        return _DietExtract(analyze_meeting(meeting))
    return _MultilingualExtract(analyze_sitting(meeting))
