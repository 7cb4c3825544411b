"""A habit as its owner knows it, the values an edit may set, and the rules for each field."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from hashlib import sha256
from typing import TypeVar

from almanac.desks.habits.model.history import Rule
from almanac.errors import FieldErrors
from almanac.kit.text import counted, one_line

T = TypeVar("T")
NAME_CHARACTERS, TEXT_CHARACTERS, NOTE_CHARACTERS = 120, 2000, 1000
MOST_TAGS, TAG_CHARACTERS = 10, 40
_PERIODS = {
    "daily": "days",
    "weekdays": "days",
    "per_week": "weeks",
    "weekly": "weeks",
    "per_month": "months",
    "monthly": "months",
    "yearly": "years",
    "every_days": "times",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A habit with its present rule and the standing that was last written down. `version` guards edits, `revision`
    counts changes of the log."""

    id: str
    owner_id: str
    name: str
    description: str
    tags: tuple[str, ...]
    group: str
    position: int
    remind_at: time | None
    rules: tuple[Rule, ...]
    archived_on: date | None
    extras: Mapping[str, str]
    version: int
    revision: int
    points: int
    current_streak: int
    best_streak: int
    strength: float
    last_completed: date | None
    stands_until: date | None
    created_at: datetime
    updated_at: datetime

    @property
    def rule(self) -> Rule:
        """The rule that was set last."""
        return self.rules[-1]

    @property
    def streak_unit(self) -> str:
        """What its streak counts: days, weeks, months, years, or times."""
        return _PERIODS[self.rule.schedule.kind]

    def streak_words(self, length: int) -> str:
        """A streak of this length as a person would say it, as in `1 week`."""
        return counted(length, self.streak_unit.removesuffix("s"))


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitWish:
    """What to set; None leaves a field as it is. A reminder is removed by `no_reminder`."""

    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    group: str | None = None
    position: int | None = None
    remind_at: time | None = None
    no_reminder: bool = False
    archived: bool | None = None

    def cleaned(self) -> "HabitWish":
        """The same with tidy text, or one sentence for each field that is wrong."""
        return HabitWish(
            name=_given(self.name, clean_name),
            description=_given(self.description, clean_description),
            tags=_given(self.tags, clean_tags),
            group=_given(self.group, clean_group),
            position=_given(self.position, clean_position),
            remind_at=self.remind_at.replace(second=0, microsecond=0, tzinfo=None) if self.remind_at else None,
            no_reminder=self.no_reminder,
            archived=self.archived,
        )


def _given(value: T | None, clean: Callable[[T], T]) -> T | None:
    return None if value is None else clean(value)


def clean_name(name: str) -> str:
    name = one_line(name)
    if not 1 <= len(name) <= NAME_CHARACTERS:
        raise FieldErrors({"name": f"A habit's name has 1 to {NAME_CHARACTERS} characters."})
    return name


def clean_description(text: str) -> str:
    return _bounded("description", text.strip(), TEXT_CHARACTERS)


def clean_note(text: str) -> str:
    return _bounded("note", text.strip(), NOTE_CHARACTERS)


def mark_of(note: str) -> str:
    """What stands for the words of a note: who writes over them names it, so that nobody's words go unseen."""
    return sha256(note.encode()).hexdigest()[:16]


def clean_group(group: str) -> str:
    return _bounded("group", one_line(group), NAME_CHARACTERS)


def clean_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Each tag once, in the order given."""
    tidy = tuple(dict.fromkeys(tag for tag in map(one_line, tags) if tag))
    if len(tidy) > MOST_TAGS or any(len(tag) > TAG_CHARACTERS for tag in tidy):
        raise FieldErrors({"tags": f"Give at most {MOST_TAGS} tags of at most {TAG_CHARACTERS} characters."})
    return tidy


def clean_position(position: int) -> int:
    if not 0 <= position <= 1_000_000:
        raise FieldErrors({"position": "A position is a number from 0 to 1,000,000."})
    return position


def _bounded(field: str, text: str, limit: int) -> str:
    if len(text) > limit or "\x00" in text:
        raise FieldErrors({field: f"Write at most {limit} characters of text."})
    return text
