"""Request and response bodies of the desk's API."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from almanac.desks.habits.model.explanation import DayEffect
from almanac.desks.habits.model.goal import Goal, GoalKind, parse_amount
from almanac.desks.habits.model.habit import Habit, HabitInput
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.schedule import HabitSchedule, ScheduleKind
from almanac.desks.habits.model.week_report import HabitWeek, WeekStrength
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service.transfer import ImportedHabit
from almanac.desks.habits.store.habits import encode_goal, encode_schedule
from almanac.http.api_models import ApiModel, Text

CalendarDay = date
"""For fields that are named `date` themselves."""
Amount = Annotated[Decimal, Field(description="The day's total; by default the goal.")]


class HabitScheduleBody(ApiModel):
    """How often: `times` for per_week and per_month, `every` for every_days, `weekdays` (0 is Monday) for weekdays."""

    kind: ScheduleKind = "daily"
    times: int | None = None
    every: int | None = None
    weekdays: list[int] | None = None

    def to_schedule(self) -> HabitSchedule:
        return HabitSchedule(
            kind=self.kind, times=self.times or 1, every=self.every or 1, weekdays=tuple(sorted(self.weekdays or ()))
        )


class GoalBody(ApiModel):
    """The goal of a day: done, at_least or at_most an amount, several times, or avoid."""

    kind: GoalKind = "done"
    target: Decimal | None = None
    unit: Text | None = None

    def to_goal(self) -> Goal:
        target = Decimal(1) if self.target is None else parse_amount(self.target)
        return Goal(kind=self.kind, target=target, unit=self.unit or "")


class RuleBody(ApiModel):
    """The schedule and goal that apply from a day on."""

    since: date
    schedule: HabitScheduleBody
    goal: GoalBody
    sentence: str

    @classmethod
    def of(cls, rule: HabitRule) -> "RuleBody":
        return cls(
            since=rule.since,
            schedule=HabitScheduleBody.model_validate(encode_schedule(rule.schedule)),
            goal=GoalBody.model_validate(encode_goal(rule.goal)),
            sentence=rule.sentence,
        )


class StreakRunBody(ApiModel):
    """A streak from its first day to its last."""

    first: date
    last: date
    length: int


class HabitBody(ApiModel):
    """A habit with its stats today. `streak_unit` is what its streak counts."""

    id: str
    name: str
    description: str
    tags: list[str]
    group: str
    position: int
    remind_at: time | None
    archived: bool
    rules: list[RuleBody]
    schedule: HabitScheduleBody
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
        return cls.model_validate(_habit_fields(snapshot))


def _habit_fields(snapshot: HabitSnapshot) -> dict[str, object]:
    """The fields of a habit body."""
    habit, stats = snapshot.habit, snapshot.stats
    return {
        **_stored_fields(habit),
        "current_streak": stats.current_streak,
        "best_streak": stats.best_streak,
        "strength": round(stats.strength, 6),
        "points": stats.points,
        "today": stats.today,
        "done_today": stats.today.toordinal() in stats.kept_days,
        "due_today": stats.due_today,
        "at_risk": stats.at_risk,
        "last_completed": stats.last_completed,
        "stands_until": stats.stands_until,
        "badges": [badge.milestone for badge in stats.badges],
    }


def _stored_fields(habit: Habit) -> dict[str, object]:
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


class HabitEntryBody(HabitBody):
    """A habit after an entry. `changed` is false if nothing changed; `awarded` is the change of points."""

    changed: bool
    awarded: int
    unlocked: list[int]

    @classmethod
    def of(cls, snapshot: HabitSnapshot) -> "HabitEntryBody":
        more = {"changed": snapshot.changed, "awarded": snapshot.points, "unlocked": list(snapshot.unlocked)}
        return cls.model_validate(_habit_fields(snapshot) | more)


class DayReasonBody(ApiModel):
    """What one day did to the streak, and the rule that decided."""

    day: date
    effect: DayEffect
    rule: str
    sentence: str
    streak: int
    points: int
    amount: Decimal | None


class HabitFields(ApiModel):
    """The fields of a habit; omitted fields stay the same."""

    name: Text | None = None
    description: Text | None = None
    tags: Annotated[list[Text], Field(max_length=50)] | None = None
    group: Text | None = None
    position: int | None = None
    remind_at: time | None = Field(None, description="When to remind, in the owner's time zone, such as 07:30.")
    schedule: HabitScheduleBody | None = None
    goal: GoalBody | None = None

    def to_input(self, *, archived: bool | None = None, no_reminder: bool = False) -> HabitInput:
        return HabitInput(
            name=self.name,
            description=self.description,
            tags=None if self.tags is None else tuple(self.tags),
            group=self.group,
            position=self.position,
            remind_at=self.remind_at,
            no_reminder=no_reminder,
            archived=archived,
        )


class NewHabit(HabitFields):
    """A habit to create; it starts today unless `start` is given."""

    name: Text
    start: date | None = None


class HabitEdit(HabitFields):
    """Changes of a habit. A new schedule or goal applies from `since` on, by default today."""

    since: date | None = None
    archived: bool | None = None
    no_reminder: bool = False


class RulePreviewRequest(ApiModel):
    """A rule to preview; omitted parts stay the same."""

    since: date | None = None
    schedule: HabitScheduleBody | None = None
    goal: GoalBody | None = None


class RuleEffectBody(ApiModel):
    """Streak and points before and after a rule change."""

    streak_before: int
    streak_after: int
    best_before: int
    best_after: int
    points_before: int
    points_after: int
    sentence: str


class HabitOrder(ApiModel):
    """Habit ids, first to last."""

    ids: Annotated[list[Text], Field(max_length=500)]


class CompletionRequest(ApiModel):
    """A day to complete; by default today."""

    date: CalendarDay | None = None
    amount: Amount | None = None
    note: Text | None = None


class SkipRequest(ApiModel):
    """A day to skip; by default today."""

    date: CalendarDay | None = None


class HabitNoteBody(ApiModel):
    """The note of a day; an empty note deletes it."""

    note: Text


class ExplainedStreakBody(ApiModel):
    """A habit with its longest streaks and the reason of each day."""

    habit: HabitBody
    days: list[DayReasonBody]
    best_streaks: list[StreakRunBody]


class VacationRequest(ApiModel):
    """A vacation; first and last day are included."""

    first_day: date
    last_day: date


class VacationBody(VacationRequest):
    """A vacation with its id."""

    id: str


class RestDayRequest(ApiModel):
    """A rest day; by default today."""

    date: CalendarDay | None = None


class RestDayBody(ApiModel):
    """A day off from all habits."""

    date: CalendarDay


class StreakBody(ApiModel):
    """The streak of a habit."""

    habit_id: str
    habit_name: str | None
    current_streak: int
    best_streak: int | None
    streak_unit: str | None
    strength: float | None
    last_completed: str | None
    stands_until: date | None


class AchievementBody(ApiModel):
    """An achievement; its type names the milestone and the habit."""

    type: str
    unlocked_at: datetime
    description: str | None


class DashboardBody(ApiModel):
    """Points, streaks and achievements, read in one query."""

    username: str
    total_points: int
    streaks: list[StreakBody]
    achievements: list[AchievementBody]


class HabitSettingsBody(ApiModel):
    """Time zone, start of day, name on leaderboards, and the weekly report by mail."""

    time_zone: str
    day_start: int
    listed: bool
    weekly_report: bool


class HabitSettingsRequest(ApiModel):
    """Settings to change; omitted ones stay the same."""

    time_zone: Text | None = None
    day_start: int | None = None
    listed: bool | None = None
    weekly_report: bool | None = None


class GroupRequest(ApiModel):
    """A group to create."""

    name: Text


class HabitGroupBody(ApiModel):
    """A group; anybody with its id may join."""

    id: str
    name: str
    owner_id: str
    members: int
    created_at: datetime


class WeekReportBody(ApiModel):
    """A week from Monday to Sunday, and the strength over twelve weeks."""

    first: date
    last: date
    is_over: bool
    kept: int
    asked: int
    points: int
    total_points: int
    habits: list[HabitWeek]
    strengths: list[WeekStrength]


class HabitImportBody(ApiModel):
    """The result of an import; a dry run changes nothing. `days_off` are vacations and rest days; `refused` lists
    what couldn't be imported."""

    dry_run: bool
    entries: int
    days_off: int
    habits: list[ImportedHabit]
    refused: list[str]
