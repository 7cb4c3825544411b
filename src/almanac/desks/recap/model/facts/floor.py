"""The state of a sitting while its chair leads it: items, the open question, and the results so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from almanac.desks.recap.model.record import AgendaItem, Vote


@dataclass(frozen=True, slots=True)
class Ruling:
    """One announced result: the sentence, what it was about, and the question that had been put.

    `items` are the agenda items it decided; `aspect` is what of them if not the whole: a supplementary resolution, an
    amendment, a motion. `subject` has the chair's own words for what was decided. Without items and subject the record
    doesn't let us tell. `asked_at` is the speech with the question. A formal one concerns the conduct of the sitting.
    `reported` has what a committee recommended for each item by title, and `before` the sentence before the question.
    """

    order: int
    text: str
    question: str = ""
    items: tuple[AgendaItem, ...] = ()
    asked_at: int | None = None
    subject: str = ""
    aspect: str = ""
    manner: str = ""
    method: str = ""
    vote: Vote | None = None
    is_formal: bool = False
    before: str = ""
    reported: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SittingCourse:
    """The business of a sitting, each with the speeches made while it was under discussion, and all results."""

    items: tuple[AgendaItem, ...]
    rulings: tuple[Ruling, ...]


@dataclass(slots=True)
class Question:
    """What the chair asks the house to decide, as far as it was put so far."""

    text: str = ""
    order: int | None = None
    opening: str = ""
    items: list[AgendaItem] = field(default_factory=list)
    aspect: str = ""
    subject: str = ""
    before: str = ""
    is_put: bool = False


@dataclass(slots=True)
class Floor:
    """The state of the sitting: every item, those under discussion, those named last, and the open question."""

    session: int
    known: list[AgendaItem]
    discussed: dict[int, set[int]] = field(default_factory=dict)
    current: list[AgendaItem] = field(default_factory=list)
    focus: list[AgendaItem] = field(default_factory=list)
    decided: set[str] = field(default_factory=set)
    reported: dict[str, str] = field(default_factory=dict)
    matter: str = ""
    motion: str = ""
    question: Question = field(default_factory=Question)
    manner: str = ""
    method: str = ""
    tally: str = ""
    previous: str = ""
