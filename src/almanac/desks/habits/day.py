"""The desk's part of the day: a person's own habits, ticked on the home page, and how they went on earlier days."""

from collections.abc import Sequence

from almanac.accounts.model import Principal
from almanac.desks.habits.model.explanation import DayEffect, explain_days
from almanac.desks.habits.model.stats import compute_stats
from almanac.desks.habits.permissions import WRITE
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service.habits import list_habits
from almanac.http.day import Day, DayLink, DayTask, DeskDay, TaskState
from almanac.kit.messages import gettext, join_texts, ngettext
from almanac.services import Services

_STATES: dict[DayEffect, TaskState] = {"counts": "done", "breaks": "missed", "protects": "protected", "open": "open"}


async def load_day(services: Services, principal: Principal, day: Day) -> DeskDay:
    """The principal's own habits; those of others are never read."""
    own = [snapshot for snapshot in await list_habits(services, principal) if snapshot.habit.archived_on is None]
    if day.is_today:
        tasks = _list_due(own, may_tick=principal.may(WRITE))
        step = None if own else DayLink(gettext("Add a habit"), "/habits/new")
        return DeskDay(tasks=tasks, tasks_summary=_summarize(tasks, own), first_step=step)
    tasks = _list_past(own, day) if day.is_past else _list_planned(own, day)
    return DeskDay(tasks=tasks, tasks_summary=_count_done(tasks) if day.is_past and tasks else "")


def _list_due(own: Sequence[HabitSnapshot], *, may_tick: bool) -> list[DayTask]:
    """What is due or done today, in the person's own order: a tick moves no row."""
    tasks = []
    for snapshot in own:
        stats, path = snapshot.stats, f"/habits/{snapshot.habit.id}"
        is_done = stats.today in snapshot.history.log and stats.today.toordinal() in stats.kept_days
        if not (is_done or stats.due_today):
            continue
        tasks.append(
            DayTask(
                id=snapshot.habit.id,
                title=snapshot.habit.name,
                text=_describe(snapshot, is_done=is_done),
                href=path,
                state="done" if is_done else "open",
                action=f"{path}/{'undone' if is_done else 'done'}" if may_tick else "",
                is_urgent=not is_done and stats.at_risk and stats.current_streak > 0,
            )
        )
    return tasks


def _describe(snapshot: HabitSnapshot, *, is_done: bool) -> str:
    streak = snapshot.stats.current_streak
    if not streak:
        return ""
    length = snapshot.habit.streak_words(streak)
    if snapshot.stats.at_risk and not is_done:
        return gettext("Tick today to keep a streak of %(length)s.", length=length)
    return gettext("Streak: %(length)s", length=length)


def _summarize(tasks: Sequence[DayTask], own: Sequence[HabitSnapshot]) -> str:
    if not own:
        return ""
    points = sum(snapshot.habit.points for snapshot in own)
    best = max(own, key=lambda snapshot: snapshot.stats.current_streak)
    parts: list[str] = [_count_done(tasks)] if tasks else []
    if best.stats.current_streak:
        length = best.habit.streak_words(best.stats.current_streak)
        parts.append(gettext("longest streak %(length)s", length=length))
    return join_texts([*parts, ngettext("%(num)s point", "%(num)s points", points)], " · ")


def _count_done(tasks: Sequence[DayTask]) -> str:
    done = sum(task.state == "done" for task in tasks)
    return gettext("%(done)s of %(total)s done", done=done, total=len(tasks))


def _list_past(own: Sequence[HabitSnapshot], day: Day) -> list[DayTask]:
    """What the log says about that day, with the streak as it was after it."""
    tasks = []
    for snapshot in own:
        for reason in explain_days(snapshot.history, snapshot.stats, day.on, day.on):
            if reason.effect not in _STATES:
                continue
            streak = snapshot.habit.streak_words(reason.streak) if reason.streak else ""
            tasks.append(
                DayTask(
                    id=snapshot.habit.id,
                    title=snapshot.habit.name,
                    text=gettext("Streak: %(length)s", length=streak) if streak else reason.sentence,
                    href=f"/habits/{snapshot.habit.id}",
                    state=_STATES[reason.effect],
                )
            )
    return tasks


def _list_planned(own: Sequence[HabitSnapshot], day: Day) -> list[DayTask]:
    """What is due on a day to come, if nothing is entered until then."""
    return [
        DayTask(
            id=snapshot.habit.id,
            title=snapshot.habit.name,
            text="",
            href=f"/habits/{snapshot.habit.id}",
            state="open",
        )
        for snapshot in own
        if compute_stats(snapshot.history, day.on).due_today
    ]
