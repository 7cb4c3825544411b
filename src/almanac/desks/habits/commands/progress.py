"""`almanac habits explain, ledger, report, leaderboard, reconcile`: what habits add up to."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.habits.commands.options import (
    HabitName,
    Owner,
    load_habit,
    load_principal,
    parse_choice,
    to_date,
)
from almanac.desks.habits.commands.transfer import write_file
from almanac.desks.habits.formats.report_pdf import render_report_pdf
from almanac.desks.habits.model.week_report import WeekReport
from almanac.desks.habits.pipeline.reconciliation import reconcile_habits
from almanac.desks.habits.service import progress
from almanac.desks.habits.service.leaderboard import LEADERBOARD_PERIODS, get_leaderboard
from almanac.kit.catalogs import SOURCE_LANGUAGE
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, parse_day, print_json, print_line, print_table

commands = CommandList()


@commands.command("explain")
async def explain_streak(
    services: Services, habit: HabitName, owner: Owner = "admin@localhost", as_json: AsJson = False
) -> None:
    """Explain the streak for each of the last thirty days."""
    principal = await load_principal(services, owner)
    habit_id = (await load_habit(services, principal, habit)).habit.id
    days = (await progress.explain_streak(services, principal, habit_id)).days
    if as_json:
        print_json(days)
        return
    rows = [[day.day, day.effect, day.streak, day.points or "", day.sentence] for day in days]
    print_table(["Day", "Effect", "Streak", "Points", "Why"], rows, empty="The habit has no days yet.")


@commands.command("ledger")
async def list_ledger(services: Services, owner: Owner = "admin@localhost", as_json: AsJson = False) -> None:
    """List the latest changes of points with their reasons."""
    lines = (await progress.list_ledger(services, await load_principal(services, owner), limit=100)).items
    if as_json:
        print_json(lines)
        return
    rows = [[line.day, line.habit_name, f"{line.points:+d}", line.reason] for line in lines]
    print_table(["Day", "Habit", "Points", "Why"], rows, empty="No points yet.")


@commands.command("report")
async def show_report(
    services: Services,
    owner: Owner = "admin@localhost",
    week: Annotated[
        datetime | None,
        typer.Option("--week", parser=parse_day, help="A day of the week; by default the last full week."),
    ] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", help="Also write the report to this PDF file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Report a week: days kept, streaks, strength and points."""
    principal = await load_principal(services, owner)
    report = await progress.get_week_report(services, principal, to_date(week))
    if pdf is not None:
        write_file(pdf, (await render_report_pdf(report, SOURCE_LANGUAGE)).content)
    if as_json:
        print_json(report)
        return
    _print_report(report)
    if pdf is not None:
        print_line(f"Wrote {pdf}.")


def _print_report(report: WeekReport) -> None:
    rows = [
        [
            habit.name,
            f"{habit.kept} of {habit.asked}",
            habit.streak_words,
            f"{habit.strength:.0%}",
            habit.points,
            "at risk" if habit.at_risk else "",
        ]
        for habit in report.habits
    ]
    print_table(["Habit", "Kept", "Streak", "Strength", "Points", "Today"], rows, empty="No habits in this week.")
    print_line(f"{report.title}: {report.kept} of {report.asked} kept, {counted(report.points, 'point')}.")


@commands.command("leaderboard")
async def show_leaderboard(
    services: Services,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100)] = 10,
    period: Annotated[str, typer.Option("--period", help=", ".join(LEADERBOARD_PERIODS))] = "all",
    as_json: AsJson = False,
) -> None:
    """Show the people with the most points."""
    chosen = parse_choice(period, LEADERBOARD_PERIODS, "--period")
    places = await get_leaderboard(services, CONSOLE, limit=limit, period=chosen)
    if as_json:
        print_json(places)
        return
    rows = [[place.rank, place.username, place.points, place.late_points or ""] for place in places]
    print_table(["Rank", "Who", "Points", "Entered late"], rows, empty="Nobody has points yet.")


@commands.command("reconcile")
async def reconcile(services: Services, as_json: AsJson = False) -> None:
    """Check that points, ledger and table match the log, and repair what doesn't."""
    report = await reconcile_habits(services)
    if as_json:
        print_json({"people": report.people, "repairs": report.repairs})
        return
    for sentence in report.repairs:
        print_line(sentence)
    people = counted(report.people, "person", "people")
    print_line(f"{people} checked; {counted(len(report.repairs), 'repair')}.")
