"""`almanac habits`: keep habits from a terminal, bring them from a file, and prove that they add up."""

from collections.abc import Awaitable, Callable
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.service import get_user_by_email
from almanac.desks.habits.formats.report_pdf import render_report_pdf
from almanac.desks.habits.model.goal import GOAL_KINDS, Goal, parse_amount
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.model.schedule import SCHEDULE_KINDS, HabitSchedule
from almanac.desks.habits.pipeline import settlement
from almanac.desks.habits.pipeline.reconciliation import reconcile_habits as reconcile
from almanac.desks.habits.service import entries, habits, leaderboard, progress, transfer
from almanac.desks.habits.service.leaderboard import LEADERBOARD_PERIODS
from almanac.desks.habits.service.progress import get_week_report
from almanac.desks.habits.service.transfer import EXPORT_FORMATS
from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, OpenServices, Run, Work, make_runner, print_json, print_line, print_table

Owner = Annotated[str, typer.Option("--for", help="E-mail address of the person whose habits they are.")]
HabitName = Annotated[str, typer.Argument(help="The habit's name or id.")]
OnDay = Annotated[datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="The day; today unless given.")]
T = TypeVar("T")


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands, on services that are opened for each."""
    app = typer.Typer(no_args_is_help=True, help="Keep habits: complete, undo, skip, explain, compare, import, export.")

    run = make_runner(open_services)
    for add in (
        _add_listing,
        _add_beginning,
        _add_entries,
        _add_reasons,
        _add_report,
        _add_boards,
        _add_transfer,
        _add_upkeep,
    ):
        add(app, run)
    return app


def _add_listing(app: typer.Typer, run: Run) -> None:
    @app.command("list")
    def list_habits(owner: Owner = "admin@localhost", as_json: AsJson = False) -> None:
        """A person's habits, with their streaks and points."""

        async def work(services: Services) -> None:
            found = await habits.list_habits(services, await _principal(services, owner))
            if as_json:
                print_json([_facts(one) for one in found])
                return
            rows = [
                [
                    one.habit.name,
                    one.habit.streak_words(one.stats.current_streak),
                    one.stats.best_streak,
                    f"{one.stats.strength:.0%}",
                    one.stats.points,
                    "due" if one.stats.due_today else "",
                ]
                for one in found
            ]
            print_table(["Habit", "Streak", "Best", "Strength", "Points", "Today"], rows, empty="No habits yet.")

        run(work)


def _add_beginning(app: typer.Typer, run: Run) -> None:
    @app.command("new")
    def new(
        name: Annotated[str, typer.Argument(help="What it is called.")],
        owner: Owner = "admin@localhost",
        schedule: Annotated[str, typer.Option("--schedule", help=", ".join(SCHEDULE_KINDS))] = "daily",
        times: Annotated[int, typer.Option("--times", help="For per_week and per_month.")] = 1,
        every: Annotated[int, typer.Option("--every", help="For every_days.")] = 1,
        weekday: Annotated[list[int] | None, typer.Option("--weekday", help="0 is Monday; repeatable.")] = None,
        goal: Annotated[str, typer.Option("--goal", help=", ".join(GOAL_KINDS))] = "done",
        target: Annotated[str, typer.Option("--target", help="An amount, for goals that have one.")] = "1",
        as_json: AsJson = False,
    ) -> None:
        """Begin a habit."""

        async def work(services: Services) -> None:
            made = await habits.create_habit(
                services,
                await _principal(services, owner),
                HabitInput(name=name),
                schedule=HabitSchedule(
                    kind=_one_of(schedule, SCHEDULE_KINDS, "--schedule"),
                    times=times,
                    every=every,
                    weekdays=tuple(sorted(weekday or ())),
                ),
                goal=Goal(kind=_one_of(goal, GOAL_KINDS, "--goal"), target=parse_amount(target)),
            )
            if as_json:
                print_json(_facts(made))
            else:
                print_line(f"{made.habit.name}: {made.habit.rule.sentence}.")

        run(work)

    @app.command("delete")
    def delete(habit: HabitName, owner: Owner = "admin@localhost") -> None:
        """Remove a habit with its log, points and achievements."""

        async def work(services: Services) -> None:
            principal = await _principal(services, owner)
            found = await _habit(services, principal, habit)
            await habits.delete_habit(services, principal, found.habit.id)
            print_line(f"{found.habit.name} is gone.")

        run(work)


def _add_entries(app: typer.Typer, run: Run) -> None:
    @app.command("done")
    def done(
        habit: HabitName,
        owner: Owner = "admin@localhost",
        on: OnDay = None,
        amount: Annotated[str | None, typer.Option("--amount", help="The day's total.")] = None,
        note: Annotated[str | None, typer.Option("--note", help="Some words about the day.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Complete a day; the same again changes nothing."""
        total = None if amount is None else parse_amount(amount)

        async def act(services: Services, principal: Principal, habit_id: str) -> settlement.HabitSnapshot:
            return await entries.complete_habit(services, principal, habit_id, day=_day(on), amount=total, note=note)

        run(_entry(habit, owner, act, as_json=as_json))

    @app.command("undo")
    def undo(habit: HabitName, owner: Owner = "admin@localhost", on: OnDay = None, as_json: AsJson = False) -> None:
        """Take a day's entry back, and with it exactly what it brought."""

        async def act(services: Services, principal: Principal, habit_id: str) -> settlement.HabitSnapshot:
            today = (await habits.get_habit(services, principal, habit_id)).stats.today
            return await entries.undo_completion(services, principal, habit_id, _day(on) or today)

        run(_entry(habit, owner, act, as_json=as_json))

    @app.command("skip")
    def skip(habit: HabitName, owner: Owner = "admin@localhost", on: OnDay = None, as_json: AsJson = False) -> None:
        """Leave a day out; it protects the streak."""

        async def act(services: Services, principal: Principal, habit_id: str) -> settlement.HabitSnapshot:
            return await entries.skip_day(services, principal, habit_id, day=_day(on))

        run(_entry(habit, owner, act, as_json=as_json))


def _entry(
    habit: str,
    owner: str,
    act: Callable[[Services, Principal, str], Awaitable[settlement.HabitSnapshot]],
    *,
    as_json: bool,
) -> Work:
    async def work(services: Services) -> None:
        principal = await _principal(services, owner)
        found = await _habit(services, principal, habit)
        snapshot = await act(services, principal, found.habit.id)
        if as_json:
            print_json(_facts(snapshot))
            return
        known = "" if snapshot.changed else "Nothing changed. "
        streak = snapshot.habit.streak_words(snapshot.stats.current_streak)
        print_line(f"{known}{snapshot.habit.name}: streak of {streak}, {snapshot.points:+d} points.")

    return work


def _add_reasons(app: typer.Typer, run: Run) -> None:
    @app.command("explain")
    def explain(habit: HabitName, owner: Owner = "admin@localhost", as_json: AsJson = False) -> None:
        """Why the streak is what it is, for each of the last thirty days."""

        async def work(services: Services) -> None:
            principal = await _principal(services, owner)
            found = await _habit(services, principal, habit)
            days = (await progress.explain_streak(services, principal, found.habit.id)).days
            if as_json:
                print_json(days)
                return
            rows = [[day.day, day.effect, day.streak, day.points or "", day.sentence] for day in days]
            print_table(["Day", "Effect", "Streak", "Points", "Why"], rows, empty="The habit has no days yet.")

        run(work)

    @app.command("ledger")
    def ledger(owner: Owner = "admin@localhost", as_json: AsJson = False) -> None:
        """The latest changes of points, with their reasons."""

        async def work(services: Services) -> None:
            lines = (await progress.list_ledger(services, await _principal(services, owner), limit=100)).items
            if as_json:
                print_json(lines)
                return
            rows = [[line.day, line.habit_name, f"{line.points:+d}", line.reason] for line in lines]
            print_table(["Day", "Habit", "Points", "Why"], rows, empty="No points yet.")

        run(work)


def _add_report(app: typer.Typer, run: Run) -> None:
    @app.command("report")
    def report(
        owner: Owner = "admin@localhost",
        week: Annotated[
            datetime | None,
            typer.Option("--week", formats=["%Y-%m-%d"], help="A day of the week; the last full week unless given."),
        ] = None,
        pdf: Annotated[Path | None, typer.Option("--pdf", help="Write the report to this file as PDF.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """What a week came to: kept, streaks, strength and points."""

        async def work(services: Services) -> None:
            found = await get_week_report(services, await _principal(services, owner), _day(week))
            if pdf is not None:
                _write(pdf, (await render_report_pdf(found)).content)
            if as_json:
                print_json(found)
                return
            rows = [
                [
                    one.name,
                    f"{one.kept} of {one.asked}",
                    one.streak_words,
                    f"{one.strength:.0%}",
                    one.points,
                    "at risk" if one.at_risk else "",
                ]
                for one in found.habits
            ]
            print_table(["Habit", "Kept", "Streak", "Strength", "Points", "Today"], rows, empty="No habit had begun.")
            print_line(f"{found.title}: {found.kept} of {found.asked} kept, {counted(found.points, 'point')}.")
            if pdf is not None:
                print_line(f"Wrote {pdf}.")

        run(work)


def _add_boards(app: typer.Typer, run: Run) -> None:
    @app.command("leaderboard")
    def show_leaderboard(
        limit: Annotated[int, typer.Option("--limit", min=1, max=100)] = 10,
        period: Annotated[str, typer.Option("--period", help=", ".join(LEADERBOARD_PERIODS))] = "all",
        as_json: AsJson = False,
    ) -> None:
        """The people with the most points."""

        async def work(services: Services) -> None:
            found = await leaderboard.get_leaderboard(
                services, CONSOLE, limit=limit, period=_one_of(period, LEADERBOARD_PERIODS, "--period")
            )
            if as_json:
                print_json(found)
                return
            rows = [[one.rank, one.username, one.points, one.late_points or ""] for one in found]
            print_table(["Rank", "Who", "Points", "Entered late"], rows, empty="Nobody has points yet.")

        run(work)


def _add_transfer(app: typer.Typer, run: Run) -> None:
    @app.command("import")
    def import_habits(
        file: Annotated[Path, typer.Argument(help="Loop's archive or database, Beaver's or our JSON, or CSV.")],
        owner: Owner = "admin@localhost",
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what the file would bring.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """Bring habits from a file; the same file again brings nothing."""
        data = _read(file)

        async def work(services: Services) -> None:
            report = await transfer.import_habits(services, await _principal(services, owner), data, dry_run=dry_run)
            if as_json:
                told_of = {"habits": report.habits, "days_off": report.days_off, "refused": report.refused}
                print_json({"dry_run": dry_run, **told_of})
                return
            rows = [
                ["new" if one.is_new else "merged", one.name, one.entries, one.entries_known, one.skips]
                for one in report.habits
            ]
            print_table(["", "Habit", "Entries", "Known", "Skips"], rows, empty="The file has no habits.")
            for sentence in report.refused:
                print_line(f"Left out: {sentence}")
            told = counted(report.entries, "entry", "entries")
            if report.days_off:
                told += f" and {counted(report.days_off, 'vacation or rest day', 'vacations and rest days')}"
            print_line(f"{told} would come; nothing was changed." if dry_run else f"{told} came.")

        run(work)

    @app.command("export")
    def export_habits(
        to: Annotated[Path, typer.Argument(help="The file to write.")],
        form: Annotated[str, typer.Option("--form", help=", ".join(EXPORT_FORMATS))] = "json",
        owner: Owner = "admin@localhost",
    ) -> None:
        """Take all habits away in a file; JSON and loop lose nothing on the way back."""

        async def work(services: Services) -> None:
            made = await transfer.export_habits(
                services, await _principal(services, owner), _one_of(form, EXPORT_FORMATS, "--form")
            )
            _write(to, made.data)
            print_line(f"Wrote {to}.")

        run(work)


def _add_upkeep(app: typer.Typer, run: Run) -> None:
    @app.command("reconcile")
    def reconcile_habits(as_json: AsJson = False) -> None:
        """Prove that points, ledger and table equal the log, and repair what doesn't."""

        async def work(services: Services) -> None:
            told = await reconcile(services)
            if as_json:
                print_json({"people": told.people, "repairs": told.repairs})
                return
            for sentence in told.repairs:
                print_line(sentence)
            people = counted(told.people, "person", "people")
            print_line(f"{people} looked at; {counted(len(told.repairs), 'repair')}.")

        run(work)


async def _principal(services: Services, email: str) -> Principal:
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    return Principal(
        user_id=user.id, name=user.name, email=user.email, role=user.role, via="console", preferences=user.preferences
    )


async def _habit(services: Services, principal: Principal, wanted: str) -> settlement.HabitSnapshot:
    own = await habits.list_habits(services, principal, archived=True)
    found = [one for one in own if wanted.casefold() in (one.habit.name.casefold(), one.habit.id)]
    if not found:
        raise InputError(f"There is no habit {wanted!r}; `almanac habits list` shows them.")
    return found[0]


def _facts(snapshot: settlement.HabitSnapshot) -> dict[str, object]:
    habit, found = snapshot.habit, snapshot.stats
    return {
        "id": habit.id,
        "name": habit.name,
        "current_streak": found.current_streak,
        "best_streak": found.best_streak,
        "streak_unit": habit.streak_unit,
        "strength": round(found.strength, 6),
        "points": found.points,
        "due_today": found.due_today,
        "last_completed": found.last_completed,
        "changed": snapshot.changed,
        "awarded": snapshot.points,
    }


def _day(given: datetime | None) -> date | None:
    return given.date() if given else None


def _one_of(value: str, known: tuple[T, ...], option: str) -> T:
    found = next((one for one in known if one == value), None)
    if found is None:
        raise InputError(f"{option} is one of {', '.join(map(str, known))}.")
    return found


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} can't be read ({error.strerror}); check the path.") from error


def _write(to: Path, data: bytes) -> None:
    try:
        to.write_bytes(data)
    except OSError as error:
        raise InputError(f"{to} can't be written ({error.strerror}); choose another place.") from error
