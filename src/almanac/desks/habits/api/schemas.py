"""What the desk's API takes and gives."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from almanac.desks.habits.model.goal import Goal, GoalKind, parse_amount
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.schedule import HabitSchedule, ScheduleKind
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.store.habits import encode_goal, encode_schedule
from almanac.http.api_models import ApiModel, Text

Amount = Annotated[Decimal, Field(description="The day's total; without one, the goal is met.")]


class ScheduleBody(ApiModel):
    """How often. `times` belongs to per_week and per_month, `every` to every_days, `weekdays` (0 is Monday) to
    weekdays."""

    kind: ScheduleKind = "daily"
    times: int | None = None
    every: int | None = None
    weekdays: list[int] | None = None

    def value(self) -> HabitSchedule:
        return HabitSchedule(
            kind=self.kind, times=self.times or 1, every=self.every or 1, weekdays=tuple(sorted(self.weekdays or ()))
        )


class GoalBody(ApiModel):
    """What a day takes: done, at_least or at_most an amount, several times, or avoid."""

    kind: GoalKind = "done"
    target: Decimal | None = None
    unit: Text | None = None

    def value(self) -> Goal:
        target = Decimal(1) if self.target is None else parse_amount(self.target)
        return Goal(kind=self.kind, target=target, unit=self.unit or "")


class RuleBody(ApiModel):
    """What counts from a day on."""

    since: date
    schedule: ScheduleBody
    goal: GoalBody
    sentence: str

    @classmethod
    def of(cls, rule: HabitRule) -> "RuleBody":
        return cls(
            since=rule.since,
            schedule=ScheduleBody.model_validate(encode_schedule(rule.schedule)),
            goal=GoalBody.model_validate(encode_goal(rule.goal)),
            sentence=rule.sentence,
        )


class StreakRunBody(ApiModel):
    """A streak from its first day to its last."""

    first: date
    last: date
    length: int


class HabitBody(ApiModel):
    """A habit with its standing today. `streak_unit` says what its streak counts."""

    id: str
    name: str
    description: str
    tags: list[str]
    group: str
    position: int
    remind_at: time | None
    archived: bool
    rules: list[RuleBody]
    schedule: ScheduleBody
    goal: GoalBody
    version: int
    current_streak: int
    best_streak: int
    streak_unit: str
    strength: float
    points: int
    today: date
    done_today: bool
    due_today: bool
    at_risk: bool
    last_completed: date | None
    stands_until: date | None
    badges: list[int]
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, snapshot: HabitSnapshot) -> "HabitBody":
        return cls.model_validate(habit_members(snapshot))


def habit_members(snapshot: HabitSnapshot) -> dict[str, object]:
    """A habit's facts and what follows from its log."""
    habit, found = snapshot.habit, snapshot.stats
    return {
        **_told(habit),
        "current_streak": found.current_streak,
        "best_streak": found.best_streak,
        "strength": round(found.strength, 6),
        "points": found.points,
        "today": found.today,
        "done_today": found.today.toordinal() in found.kept_days,
        "due_today": found.due_today,
        "at_risk": found.at_risk,
        "last_completed": found.last_completed,
        "stands_until": found.stands_until,
        "badges": [badge.milestone for badge in found.badges],
    }


def _told(habit: Habit) -> dict[str, object]:
    rules = [RuleBody.of(rule) for rule in habit.rules]
    return {
        "id": habit.id,
        "name": habit.name,
        "description": habit.description,
        "tags": list(habit.tags),
        "group": habit.group,
        "position": habit.position,
        "remind_at": habit.remind_at,
        "archived": habit.archived_on is not None,
        "rules": rules,
        "schedule": rules[-1].schedule,
        "goal": rules[-1].goal,
        "version": habit.version,
        "streak_unit": habit.streak_unit,
        "created_at": habit.created_at,
        "updated_at": habit.updated_at,
    }


class EntryBody(HabitBody):
    """A habit after an entry. `changed` is false where it was known before; `awarded` is what the change did to the
    points."""

    changed: bool
    awarded: int
    unlocked: list[int]

    @classmethod
    def of(cls, snapshot: HabitSnapshot) -> "EntryBody":
        more = {"changed": snapshot.changed, "awarded": snapshot.points, "unlocked": list(snapshot.unlocked)}
        return cls.model_validate(habit_members(snapshot) | more)


class DayBody(ApiModel):
    """What one day did to the streak, by which rule."""

    day: date
    effect: Literal["counts", "protects", "breaks", "open", "nothing"]
    rule: str
    sentence: str
    streak: int
    points: int
    amount: Decimal | None
