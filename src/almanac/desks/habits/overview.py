"""The habits desk on the home page: what is due today, the longest streak, and two weeks of entries."""

from collections.abc import Sequence
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.permissions import WRITE
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service.habits import list_habits
from almanac.http.overview import MAX_WAITING_ITEMS, Figure, Overview, OverviewLink, Series, WaitingGroup, WaitingItem
from almanac.kit.messages import day_text, gettext, ngettext
from almanac.services import Services

DAYS = 14
_LONGEST = {
    "days": gettext("days, longest streak"),
    "weeks": gettext("weeks, longest streak"),
    "months": gettext("months, longest streak"),
    "years": gettext("years, longest streak"),
    "times": gettext("times, longest streak"),
}


async def show_overview(services: Services, principal: Principal) -> Overview:
    """The principal's own habits; those of others are never read."""
    own = await list_habits(services, principal)
    due = [snapshot for snapshot in own if snapshot.stats.due_today]
    best = max(own, key=lambda snapshot: snapshot.stats.current_streak, default=None)
    streak = best.stats.current_streak if best else 0
    return Overview(
        figures=(
            Figure(len(due), gettext("due today"), "/habits"),
            Figure(streak, _LONGEST[best.habit.streak_unit] if best else gettext("longest streak"), "/habits"),
        ),
        series=_series(own),
        last=OverviewLink(gettext("Longest streak: %(name)s", name=best.habit.name), f"/habits/{best.habit.id}")
        if best and streak
        else None,
        waiting=_waiting(due) if principal.may(WRITE) else (),
        first_step=None if own else OverviewLink(gettext("Add a habit"), "/habits/new"),
    )


def _series(own: Sequence[HabitSnapshot]) -> Series | None:
    if not own:
        return None
    today = own[0].stats.today
    days = [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]
    kept = [
        (day_text(day, "short"), sum(day.toordinal() in snapshot.stats.kept_days for snapshot in own)) for day in days
    ]
    return Series(gettext("Habits kept by day, two weeks"), kept)


def _waiting(due: Sequence[HabitSnapshot]) -> tuple[WaitingGroup, ...]:
    """Habits at risk come first: their streak ends today."""
    if not due:
        return ()
    ordered = sorted(due, key=lambda snapshot: not snapshot.stats.at_risk)
    items = [
        WaitingItem(title=snapshot.habit.name, text=_describe(snapshot), href=f"/habits/{snapshot.habit.id}")
        for snapshot in ordered[:MAX_WAITING_ITEMS]
    ]
    return (
        WaitingGroup(
            noun="habit for today",
            label=gettext("Habit for today"),
            words=ngettext("%(num)s habit for today", "%(num)s habits for today", len(due)),
            href="/habits",
            count=len(due),
            items=items,
        ),
    )


def _describe(snapshot: HabitSnapshot) -> str:
    streak = snapshot.stats.current_streak
    if not streak:
        return gettext("Due today.")
    length = snapshot.habit.streak_words(streak)
    if snapshot.stats.at_risk:
        return gettext("Due today, or a streak of %(length)s ends.", length=length)
    return gettext("Due today; the streak is %(length)s.", length=length)
