"""Reports by mail: on Monday morning on each person's own clocks, to whoever asked for them, once for each week."""

from datetime import date, datetime, time, timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.formats.report_pdf import render_report_pdf
from almanac.desks.habits.model.week_report import WeekReport, build_week_report, monday_of
from almanac.desks.habits.pipeline.mail import REPORT_TOPIC, report_message
from almanac.desks.habits.store import entries, habits, people
from almanac.desks.habits.store.people import HabitOwner, load_owner
from almanac.relational import Unit
from almanac.saved.owners import owner_of
from almanac.services import Services

REPORT_TIME = time(7)
_AT_A_TIME = 200
# A worker that was away on Monday still reports; later in the week nobody wants to hear of the last one.
_TOO_LATE = timedelta(days=2)
# Somewhere Monday has begun while here it is still Sunday.
_ANOTHER_WEEK = timedelta(days=5)


async def mail_weekly_reports(services: Services) -> int:
    """Mail the report of the last week to everybody whose Monday morning has come; returns how many mails that were."""
    mailed, after, now = 0, "", services.clock.now()
    while True:
        async with services.database.unit() as unit:
            some = await people.list_report_recipients(
                unit, after=after, since=now.date() - _ANOTHER_WEEK, limit=_AT_A_TIME
            )
        for user_id in some:
            mailed += await _report(services, user_id, now)
        if len(some) < _AT_A_TIME:
            return mailed
        after = some[-1]


async def _report(services: Services, user_id: str, now: datetime) -> bool:
    async with services.database.unit() as unit:
        person = await people.find_person(unit, user_id)
        if person is None:
            return False
        owner = await load_owner(unit, person, services.clock.now())
        monday = monday_of(owner.today)
        moment = owner.local.moment_of(monday, max(REPORT_TIME, time(owner.local.day_start)))
        if not moment <= now < moment + _TOO_LATE or not await people.claim_report(unit, user_id, monday):
            return False
        recipient = await owner_of(services.accounts, user_id)
        if (
            recipient is None
            or not recipient.email
            or await services.suppressions.find(recipient.email, topic=REPORT_TOPIC)
        ):
            return False
        return await _mail(services, unit, owner, recipient)


async def _mail(services: Services, unit: Unit, owner: HabitOwner, recipient: Principal) -> bool:
    """A week without habits has nothing to tell."""
    week = await collect_week_report(unit, owner, recipient.name, owner.today - timedelta(weeks=1))
    if not week.habits:
        return False
    message = report_message(services.settings.public_url, recipient, week, await render_report_pdf(week))
    queued = await services.mailer.queue(message, key=f"habits:report:{owner.id}:{week.first}", unit=unit)
    return queued.created


async def collect_week_report(unit: Unit, owner: HabitOwner, name: str, day: date) -> WeekReport:
    """The report of the week that contains a day."""
    found = await habits.list_habits(unit, owner.id, archived=True)
    known = [(habit, one.history) for habit, one in zip(found, await entries.read_histories(unit, found), strict=True)]
    return build_week_report(name, known, monday_of(day), owner.today)
