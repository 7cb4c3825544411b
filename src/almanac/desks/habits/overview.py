"""The habits desk at a glance, for the person alone: what today asks for, the best streak, and two weeks of entries."""

from collections.abc import Sequence
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import habits
from almanac.http.overview import MOST_ITEMS, Figure, Overview, OverviewLink, Series, WaitingGroup, WaitingItem
from almanac.services import Services

DAYS = 14


async def show_overview(services: Services, principal: Principal) -> Overview:
    """One's own habits; nobody else's are ever read."""
    own = await habits.list_habits(services, principal)
    due = [one for one in own if one.stats.due_today]
    best = max(own, key=lambda one: one.stats.current_streak, default=None)
    streak = best.stats.current_streak if best else 0
    return Overview(
        figures=(
            Figure(len(due), "due today", "/habits"),
            Figure(streak, f"{best.habit.streak_unit} in a row, at best" if best else "in a row", "/habits"),
        ),
        series=_series(own),
        last=OverviewLink(f"Longest streak: {best.habit.name}", f"/habits/{best.habit.id}")
        if best and streak
        else None,
        waiting=_waiting(due) if principal.may("desk.habits.write") else (),
        first_step=None if own else OverviewLink("Begin a habit", "/habits/new"),
    )


def _series(own: Sequence[HabitSnapshot]) -> Series | None:
    if not own:
        return None
    today = own[0].stats.today
    days = [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]
    kept = [(f"{day:%-d %b}", sum(day.toordinal() in one.stats.kept_days for one in own)) for day in days]
    return Series("Habits kept by day, two weeks", kept)


def _waiting(due: Sequence[HabitSnapshot]) -> tuple[WaitingGroup, ...]:
    """At-risk ones first: they are lost after today."""
    if not due:
        return ()
    ordered = sorted(due, key=lambda one: not one.stats.at_risk)
    items = [
        WaitingItem(title=one.habit.name, text=_told(one), href=f"/habits/{one.habit.id}")
        for one in ordered[:MOST_ITEMS]
    ]
    return (
        WaitingGroup(noun="habit for today", plural="habits for today", href="/habits", count=len(due), items=items),
    )


def _told(one: HabitSnapshot) -> str:
    streak = one.stats.current_streak
    if not streak:
        return "Due today."
    words = one.habit.streak_words(streak)
    return f"Due today, or a streak of {words} ends." if one.stats.at_risk else f"Due today; the streak is {words}."
