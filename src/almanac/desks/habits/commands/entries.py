"""`almanac habits list, new, delete, done, undo, skip`: habits and their log."""

from typing import Annotated

import typer

from almanac.accounts.model import Principal
from almanac.desks.habits.commands.options import (
    HabitName,
    OnDay,
    Owner,
    load_habit,
    load_principal,
    parse_choice,
    snapshot_fields,
    to_date,
)
from almanac.desks.habits.model.goal import GOAL_KINDS, Goal, parse_amount
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.model.schedule import SCHEDULE_KINDS, HabitSchedule
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import entries, habits
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table

commands = CommandList()


@commands.command("list")
async def list_habits(services: Services, owner: Owner = "admin@localhost", as_json: AsJson = False) -> None:
    """List a person's habits with their streaks and points."""
    snapshots = await habits.list_habits(services, await load_principal(services, owner))
    if as_json:
        print_json([snapshot_fields(snapshot) for snapshot in snapshots])
        return
    rows = [
        [
            snapshot.habit.name,
            snapshot.habit.streak_words(snapshot.stats.current_streak),
            snapshot.stats.best_streak,
            f"{snapshot.stats.strength:.0%}",
            snapshot.stats.points,
            "due" if snapshot.stats.due_today else "",
        ]
        for snapshot in snapshots
    ]
    print_table(["Habit", "Streak", "Best", "Strength", "Points", "Today"], rows, empty="No habits yet.")


@commands.command("new")
async def create_habit(
    services: Services,
    name: Annotated[str, typer.Argument(help="The habit's name.")],
    owner: Owner = "admin@localhost",
    schedule: Annotated[str, typer.Option("--schedule", help=", ".join(SCHEDULE_KINDS))] = "daily",
    times: Annotated[int, typer.Option("--times", help="For per_week and per_month.")] = 1,
    every: Annotated[int, typer.Option("--every", help="For every_days.")] = 1,
    weekday: Annotated[list[int] | None, typer.Option("--weekday", help="0 is Monday; repeatable.")] = None,
    goal: Annotated[str, typer.Option("--goal", help=", ".join(GOAL_KINDS))] = "done",
    target: Annotated[str, typer.Option("--target", help="The amount, for goals with one.")] = "1",
    as_json: AsJson = False,
) -> None:
    """Create a habit."""
    created = await habits.create_habit(
        services,
        await load_principal(services, owner),
        HabitInput(name=name),
        schedule=HabitSchedule(
            kind=parse_choice(schedule, SCHEDULE_KINDS, "--schedule"),
            times=times,
            every=every,
            weekdays=tuple(sorted(weekday or ())),
        ),
        goal=Goal(kind=parse_choice(goal, GOAL_KINDS, "--goal"), target=parse_amount(target)),
    )
    if as_json:
        print_json(snapshot_fields(created))
    else:
        print_line(f"{created.habit.name}: {created.habit.rule.sentence}.")


@commands.command("delete")
async def delete_habit(services: Services, habit: HabitName, owner: Owner = "admin@localhost") -> None:
    """Delete a habit with its log, points and achievements."""
    principal = await load_principal(services, owner)
    snapshot = await load_habit(services, principal, habit)
    await habits.delete_habit(services, principal, snapshot.habit.id)
    print_line(f"{snapshot.habit.name} deleted.")


@commands.command("done")
async def complete_habit(
    services: Services,
    habit: HabitName,
    owner: Owner = "admin@localhost",
    on: OnDay = None,
    amount: Annotated[str | None, typer.Option("--amount", help="The day's total.")] = None,
    note: Annotated[str | None, typer.Option("--note", help="A note about the day.")] = None,
    as_json: AsJson = False,
) -> None:
    """Complete a day; repeating it changes nothing."""
    total = None if amount is None else parse_amount(amount)
    principal, habit_id = await _find_habit(services, owner, habit)
    snapshot = await entries.complete_habit(services, principal, habit_id, day=to_date(on), amount=total, note=note)
    _print_change(snapshot, as_json=as_json)


@commands.command("undo")
async def undo_completion(
    services: Services, habit: HabitName, owner: Owner = "admin@localhost", on: OnDay = None, as_json: AsJson = False
) -> None:
    """Delete a day's entry and its points."""
    principal, habit_id = await _find_habit(services, owner, habit)
    today = (await habits.get_habit(services, principal, habit_id)).stats.today
    snapshot = await entries.undo_completion(services, principal, habit_id, to_date(on) or today)
    _print_change(snapshot, as_json=as_json)


@commands.command("skip")
async def skip_day(
    services: Services, habit: HabitName, owner: Owner = "admin@localhost", on: OnDay = None, as_json: AsJson = False
) -> None:
    """Skip a day; the streak is protected."""
    principal, habit_id = await _find_habit(services, owner, habit)
    _print_change(await entries.skip_day(services, principal, habit_id, day=to_date(on)), as_json=as_json)


async def _find_habit(services: Services, owner: str, name: str) -> tuple[Principal, str]:
    """The owner, and the id of their habit with this name."""
    principal = await load_principal(services, owner)
    return principal, (await load_habit(services, principal, name)).habit.id


def _print_change(snapshot: HabitSnapshot, *, as_json: bool) -> None:
    if as_json:
        print_json(snapshot_fields(snapshot))
        return
    prefix = "" if snapshot.changed else "Nothing changed. "
    streak = snapshot.habit.streak_words(snapshot.stats.current_streak)
    print_line(f"{prefix}{snapshot.habit.name}: streak of {streak}, {snapshot.points:+d} points.")
