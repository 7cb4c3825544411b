"""Mails the weekly report on Monday morning, local time, to everybody who wants it, once per week."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.formats.report_pdf import render_report_pdf
from almanac.desks.habits.model.week_report import WeekReport, build_week_report, monday_of
from almanac.desks.habits.pipeline.batches import PAGE_SIZE, iter_pages
from almanac.desks.habits.pipeline.demo_habits import is_demo_habit
from almanac.desks.habits.pipeline.mail import REPORT_TOPIC, find_recipient, report_message
from almanac.desks.habits.pipeline.settlement import HabitSnapshot, load_snapshots
from almanac.desks.habits.store import habits, people
from almanac.desks.habits.store.people import HabitOwner
from almanac.relational import Unit
from almanac.services import Services

REPORT_TIME = time(7)
# A worker that was down on Monday still reports; later in the week the report is no longer useful.
_TOO_LATE = timedelta(days=2)
# Less than a week, because Monday starts earlier in some time zones than in UTC.
_REPORTED_RECENTLY = timedelta(days=5)


async def mail_weekly_reports(services: Services) -> int:
    """Mail the report of the last week to everybody whose Monday morning has come; returns how many."""
    now = services.clock.now()

    async def list_page(unit: Unit, after: str) -> list[str]:
        since = now.date() - _REPORTED_RECENTLY
        return await people.list_report_recipients(unit, after=after, since=since, limit=PAGE_SIZE)

    mailed = 0
    async for user_id in iter_pages(services, list_page, key=str):
        mailed += await _report(services, user_id, now)
    return mailed


async def _report(services: Services, user_id: str, now: datetime) -> bool:
    async with services.database.unit() as unit:
        person = await people.find_person(unit, user_id)
        if person is None:
            return False
        owner = await people.load_owner(unit, person, services.clock.now())
        monday = monday_of(owner.today)
        due_at = owner.local.moment_of(monday, max(REPORT_TIME, time(owner.local.day_start)))
        if not due_at <= now < due_at + _TOO_LATE or not await people.claim_report(unit, user_id, monday):
            return False
        recipient = await find_recipient(services, user_id, REPORT_TOPIC)
        return recipient is not None and await _mail(services, unit, owner, recipient)


async def _mail(services: Services, unit: Unit, owner: HabitOwner, recipient: Principal) -> bool:
    """Whether a mail was queued; a week without habits of their own is not reported."""
    own = await habits.list_habits(unit, owner.id, archived=True)
    kept = [habit for habit in own if not await is_demo_habit(services, habit)]
    snapshots = await load_snapshots(unit, kept, owner.today)
    week = report_week(recipient.name, snapshots, owner.today - timedelta(weeks=1), owner.today)
    if not week.habits:
        return False
    message = report_message(
        services.settings.public_url, recipient, week, await render_report_pdf(week, recipient.preferences.language)
    )
    queued = await services.mailer.queue(message, key=f"habits:report:{owner.id}:{week.first}", unit=unit)
    return queued.created


def report_week(name: str, snapshots: Iterable[HabitSnapshot], day: date, today: date) -> WeekReport:
    """The report of the week that contains a day."""
    lines = [(snapshot.habit, snapshot.history, snapshot.stats) for snapshot in snapshots]
    return build_week_report(name, lines, monday_of(day), today)
