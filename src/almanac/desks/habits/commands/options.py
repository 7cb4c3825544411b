"""Options that the desk's commands share, and how their values are parsed."""

from datetime import date, datetime
from typing import Annotated, TypeVar

import typer

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.service import get_user_by_email
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service.habits import list_habits
from almanac.errors import InputError
from almanac.services import Services
from almanac.terminal import parse_day

Owner = Annotated[str, typer.Option("--for", help="E-mail address of the habits' owner.")]
HabitName = Annotated[str, typer.Argument(help="The habit's name or id.")]
OnDay = Annotated[datetime | None, typer.Option("--date", parser=parse_day, help="The day; by default today.")]
T = TypeVar("T")


async def load_principal(services: Services, email: str) -> Principal:
    """The account with an e-mail address, as the console acts for it."""
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    return user.as_principal("console", desks=services.accounts.desks)


async def load_habit(services: Services, principal: Principal, name: str) -> HabitSnapshot:
    """The first habit with this name or id, archived ones included; raises InputError if there is none."""
    for snapshot in await list_habits(services, principal, archived=True):
        if name.casefold() in (snapshot.habit.name.casefold(), snapshot.habit.id):
            return snapshot
    raise InputError(f"No habit is named {name!r}; `almanac habits list` shows them.")


def parse_choice(value: str, choices: tuple[T, ...], option: str) -> T:
    """The choice that equals an option's value; raises InputError if none does."""
    for choice in choices:
        if choice == value:
            return choice
    raise InputError(f"{option} must be one of {', '.join(map(str, choices))}.")


def to_date(moment: datetime | None) -> date | None:
    return moment.date() if moment else None


def snapshot_fields(snapshot: HabitSnapshot) -> dict[str, object]:
    """A habit as the commands print it with --json."""
    habit, stats = snapshot.habit, snapshot.stats
    return {
        "id": habit.id,
        "name": habit.name,
        "current_streak": stats.current_streak,
        "best_streak": stats.best_streak,
        "streak_unit": habit.streak_unit,
        "strength": round(stats.strength, 6),
        "points": stats.points,
        "due_today": stats.due_today,
        "last_completed": stats.last_completed,
        "changed": snapshot.changed,
        "awarded": snapshot.points,
    }
