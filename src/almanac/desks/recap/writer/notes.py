"""Outputs of the writing steps: notes on the speeches of a pack, and the levels above them.

A model refers to a speech by an alias, which validation replaces by its order as a string.
"""

from almanac.desks.recap.model.recap import PointKind, Priority, Reaction
from almanac.llm.answer import StepAnswer
from almanac.llm.sources import Cited, SourceId


class SectionNote(StepAnswer):
    """A part of a speech."""

    title: str
    bullets: tuple[str, ...]


class DialogNote(StepAnswer):
    """One speech; `answers` names the speeches whose questions it answers."""

    speech: SourceId
    reaction: Reaction
    summary: str
    sections: tuple[SectionNote, ...]
    answers: tuple[SourceId, ...]


class KeywordNote(StepAnswer):
    """A word to find the article by."""

    keyword: str
    priority: Priority


class TermNote(StepAnswer):
    """A word and how the speech explains it."""

    term: str
    definition: str
    speech: SourceId


class PackNotes(StepAnswer):
    """Everything that one pack yields."""

    dialogs: tuple[DialogNote, ...]
    keywords: tuple[KeywordNote, ...]
    terms: tuple[TermNote, ...]

    @property
    def is_empty(self) -> bool:
        return not any(note.summary.strip() for note in self.dialogs)

    def text_groups(self) -> list[list[str]]:
        """Two speeches may well say the same."""
        return [group for note in self.dialogs for group in note.text_groups()]


class PointNote(Cited):
    """A key point and its kind."""

    kind: PointKind


class MiddleNote(StepAnswer):
    """A part of the detailed level."""

    title: str
    sentences: tuple[Cited, ...]


class LevelNotes(StepAnswer):
    """What is written about the sitting as a whole."""

    title: str
    description: str
    categories: tuple[str, ...]
    key_points: tuple[PointNote, ...]
    summary: tuple[Cited, ...]
    soft_language_summary: tuple[Cited, ...]
    middle_summary: tuple[MiddleNote, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.key_points or self.summary or self.soft_language_summary or self.middle_summary)
