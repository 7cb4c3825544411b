"""Why a streak stands or broke: the days that decided, for the habit's owner alone."""

from collections.abc import Sequence
from datetime import date, timedelta

from almanac.desks.habits.indexing import KIND
from almanac.desks.habits.model.explanation import DayEffect, DayReason, explain_days
from almanac.desks.habits.permissions import READ, WRITE
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service.habits import get_habit
from almanac.http.desk import desk_path
from almanac.kit.messages import day_text, gettext, ngettext
from almanac.why import TraceAction, TraceStep, WhyReader, WhySource, WhySubject, WhyTone, WhyTrace
from almanac.why.sentences import named_day

SHOWN_DAYS, _BEFORE_BREAK = 14, 2
TONES: dict[DayEffect, WhyTone] = {"counts": "done", "breaks": "waiting", "protects": "running", "open": "waiting"}


async def explain_habit(reader: WhyReader, habit_id: str) -> WhyTrace:
    """The streak as of today. NotFound for habits of others, as if they didn't exist."""
    return trace_habit(reader, await get_habit(reader.services, reader.principal, habit_id))


def trace_habit(reader: WhyReader, snapshot: HabitSnapshot) -> WhyTrace:
    """The last days, or from the day that broke the streak on where that was earlier."""
    habit, stats = snapshot.habit, snapshot.stats
    broke = find_break(snapshot)
    first = stats.today - timedelta(days=SHOWN_DAYS - 1)
    if broke is not None:
        first = max(first, broke.day - timedelta(days=_BEFORE_BREAK))
    return WhyTrace(
        subject=WhySubject(kind=KIND.name, id=habit.id, title=habit.name, label=KIND.title),
        state=_state(snapshot, broke),
        tone="waiting" if broke or stats.at_risk else "done" if stats.current_streak else "plain",
        href=desk_path("habits", habit.id),
        steps=trace_days(habit.id, _days(snapshot, first, broke)),
        next_step=_next_step(snapshot),
        actions=_actions(reader, snapshot, broke),
    )


def find_break(snapshot: HabitSnapshot) -> DayReason | None:
    """The day that ended the last streak; None while one stands, and where there never was one."""
    stats = snapshot.stats
    if stats.current_streak or not stats.runs:
        return None
    last = max(run.last for run in stats.runs).toordinal()
    broken = next((span for span in stats.judged if span.first > last and span.state == "broken"), None)
    if broken is None:
        return None
    day = date.fromordinal(broken.last)
    return next(iter(explain_days(snapshot.history, stats, day, day)), None)


def trace_days(habit_id: str, days: Sequence[DayReason]) -> list[TraceStep]:
    """Each day as a step, with the page on which it can be changed."""
    return [
        TraceStep(
            sentence=reason.sentence,
            tone=TONES.get(reason.effect, "plain"),
            at=reason.day,
            href=f"{desk_path('habits', habit_id)}?day={reason.day}#day",
            quote=_gain(reason),
        )
        for reason in days
    ]


def _gain(reason: DayReason) -> str:
    """The streak after a day that changed it, with the points that the day earned."""
    if reason.effect not in ("counts", "breaks"):
        return ""
    if not reason.points:
        return gettext("Streak %(streak)s", streak=reason.streak)
    return ngettext(
        "Streak %(streak)s, %(num)s point", "Streak %(streak)s, %(num)s points", reason.points, streak=reason.streak
    )


def _days(snapshot: HabitSnapshot, first: date, broke: DayReason | None) -> list[DayReason]:
    """The days since the first, after the one that broke the streak where that was earlier."""
    days = explain_days(snapshot.history, snapshot.stats, first, snapshot.stats.today)
    return [broke, *days] if broke and broke.day < first else days


def _state(snapshot: HabitSnapshot, broke: DayReason | None) -> str:
    habit, stats = snapshot.habit, snapshot.stats
    if broke is not None:
        day = named_day(broke.day, stats.today)
        return gettext("The streak broke on %(day)s. %(reason)s", day=day, reason=broke.sentence)
    if not stats.current_streak:
        return gettext("There is no streak yet: nothing was entered.")
    length = habit.streak_words(stats.current_streak)
    if stats.at_risk:
        return gettext("The streak of %(length)s ends today unless you enter something.", length=length)
    return gettext("The streak of %(length)s stands.", length=length)


def _next_step(snapshot: HabitSnapshot) -> str:
    stats = snapshot.stats
    if stats.due_today and not stats.at_risk:
        return gettext("Due today.")
    if stats.current_streak and stats.stands_until and not stats.at_risk:
        return gettext("It stands until %(day)s without another entry.", day=day_text(stats.stands_until, "full"))
    return ""


def _actions(reader: WhyReader, snapshot: HabitSnapshot, broke: DayReason | None) -> Sequence[TraceAction]:
    path, actions = desk_path("habits", snapshot.habit.id), list[TraceAction]()
    if reader.may(WRITE) and snapshot.habit.archived_on is None:
        goal = snapshot.history.rule_on(snapshot.stats.today).goal
        if snapshot.stats.due_today and goal.kind == "done":
            actions.append(
                TraceAction(label=gettext("Done today"), href=f"{path}/done", posts=True, values={"back": "habit"})
            )
        if broke is not None:
            day = day_text(broke.day, "day")
            actions.append(TraceAction(label=gettext("Enter %(day)s", day=day), href=f"{path}?day={broke.day}#day"))
    return [*actions, TraceAction(label=gettext("Open habit"), href=path)]


WHY = WhySource(
    permission=READ,
    traces={KIND.name: explain_habit},
    documents=frozenset({KIND.name}),
    examples=((gettext("A habit of yours"), gettext("Why did the streak break?")),),
)
