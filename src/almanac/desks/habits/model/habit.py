"""The habit entity, the fields an edit may set, and the validation of each field."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from hashlib import sha256
from typing import TypeVar

from almanac.desks.habits.model.history import HabitRule
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext, ngettext
from almanac.kit.text import one_line

T = TypeVar("T")
NAME_CHARACTERS, TEXT_CHARACTERS, NOTE_CHARACTERS = 120, 2000, 1000
MAX_TAGS, TAG_CHARACTERS = 10, 40
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
    """A habit with its rules and stored stats. `version` guards edits; `revision` counts changes of the log."""

    id: str
    owner_id: str
    name: str
    description: str
    tags: tuple[str, ...]
    group: str
    position: int
    remind_at: time | None
    rules: tuple[HabitRule, ...]
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
    def rule(self) -> HabitRule:
        """The latest rule."""
        return self.rules[-1]

    @property
    def streak_unit(self) -> str:
        """What its streak counts: days, weeks, months, years, or times."""
        return _PERIODS[self.rule.schedule.kind]

    def streak_words(self, length: int) -> str:
        """A streak length with its unit, such as `1 week`."""
        match self.streak_unit:
            case "weeks":
                return ngettext("%(num)s week", "%(num)s weeks", length)
            case "months":
                return ngettext("%(num)s month", "%(num)s months", length)
            case "years":
                return ngettext("%(num)s year", "%(num)s years", length)
            case "times":
                return ngettext("%(num)s time", "%(num)s times", length)
            case _:
                return ngettext("%(num)s day", "%(num)s days", length)


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitInput:
    """Fields to set; None keeps the stored value. `no_reminder` removes the reminder."""

    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    group: str | None = None
    position: int | None = None
    remind_at: time | None = None
    no_reminder: bool = False
    archived: bool | None = None

    def cleaned(self) -> "HabitInput":
        """A validated copy with trimmed text; raises FieldErrors for invalid fields."""
        return HabitInput(
            name=_clean_optional(self.name, clean_name),
            description=_clean_optional(self.description, clean_description),
            tags=_clean_optional(self.tags, clean_tags),
            group=_clean_optional(self.group, clean_group),
            position=_clean_optional(self.position, clean_position),
            remind_at=self.remind_at.replace(second=0, microsecond=0, tzinfo=None) if self.remind_at else None,
            no_reminder=self.no_reminder,
            archived=self.archived,
        )


def _clean_optional(value: T | None, clean: Callable[[T], T]) -> T | None:
    return None if value is None else clean(value)


def clean_name(name: str) -> str:
    name = one_line(name)
    if not 1 <= len(name) <= NAME_CHARACTERS:
        raise FieldErrors({"name": gettext("Use 1 to %(limit)s characters.", limit=NAME_CHARACTERS)})
    return name


def clean_description(text: str) -> str:
    return _bounded("description", text.strip(), TEXT_CHARACTERS)


def clean_note(text: str) -> str:
    return _bounded("note", text.strip(), NOTE_CHARACTERS)


def note_hash(note: str) -> str:
    """The version of a note's text. An edit that names it fails if somebody changed the note in between."""
    return sha256(note.encode()).hexdigest()[:16]


def clean_group(group: str) -> str:
    return _bounded("group", one_line(group), NAME_CHARACTERS)


def clean_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Each tag once, in the order given."""
    cleaned = tuple(dict.fromkeys(tag for tag in map(one_line, tags) if tag))
    if len(cleaned) > MAX_TAGS or any(len(tag) > TAG_CHARACTERS for tag in cleaned):
        raise FieldErrors(
            {
                "tags": gettext(
                    "Use at most %(tags)s tags of up to %(limit)s characters.",
                    tags=MAX_TAGS,
                    limit=TAG_CHARACTERS,
                )
            }
        )
    return cleaned


def clean_position(position: int) -> int:
    if not 0 <= position <= 1_000_000:
        raise FieldErrors({"position": gettext("Use a number from 0 to 1,000,000.")})
    return position


def _bounded(field: str, text: str, limit: int) -> str:
    if len(text) > limit or "\x00" in text:
        raise FieldErrors({field: gettext("Use at most %(limit)s characters.", limit=limit)})
    return text
