"""Outputs of the writing steps: notes on the speeches of a pack, and the levels above them.

A model refers to a speech by an alias, which validation replaces by its order as a string.
"""

from pydantic import BaseModel, ConfigDict

from almanac.desks.recap.model.recap import PointKind, Priority, Reaction
from almanac.llm.sources import Cited, SourceId


class FrozenNote(BaseModel):
    """Base of all notes: immutable."""

    model_config = ConfigDict(frozen=True)


class SectionNote(FrozenNote):
    """A part of a speech."""

    title: str
    bullets: tuple[str, ...]


class DialogNote(FrozenNote):
    """One speech; `answers` names the speeches whose questions it answers."""

    speech: SourceId
    reaction: Reaction
    summary: str
    sections: tuple[SectionNote, ...]
    answers: tuple[SourceId, ...] = ()


class KeywordNote(FrozenNote):
    """A word to find the article by."""

    keyword: str
    priority: Priority


class TermNote(FrozenNote):
    """A word and how the speech explains it."""

    term: str
    definition: str
    speech: SourceId


class PackNotes(FrozenNote):
    """Everything that one pack yields."""

    dialogs: tuple[DialogNote, ...]
    keywords: tuple[KeywordNote, ...] = ()
    terms: tuple[TermNote, ...] = ()


class PointNote(Cited, frozen=True):
    """A key point and its kind."""

    kind: PointKind = "other"


class MiddleNote(FrozenNote):
    """A part of the detailed level."""

    title: str
    sentences: tuple[Cited, ...]


class LevelNotes(FrozenNote):
    """What is written about the sitting as a whole."""

    title: str
    description: str
    categories: tuple[str, ...]
    key_points: tuple[PointNote, ...]
    summary: tuple[Cited, ...]
    soft_language_summary: tuple[Cited, ...]
    middle_summary: tuple[MiddleNote, ...]
