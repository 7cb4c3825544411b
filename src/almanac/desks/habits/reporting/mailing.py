"""Reports by mail: on Monday morning on each person's own clocks, to whoever asked for them, once for each week."""

from datetime import datetime, time, timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.reporting.collecting import collect_week
from almanac.desks.habits.reporting.letter import REPORT_TOPIC, report_message
from almanac.desks.habits.reporting.paper import report_file
from almanac.desks.habits.reporting.week import monday_of
from almanac.desks.habits.service.access import Keeper, known_keeper
from almanac.desks.habits.store import people
from almanac.relational import Unit
from almanac.saved.owners import owner_of
from almanac.services import Services

MORNING = time(7)
_AT_A_TIME = 200
# A worker that was away on Monday still reports; later in the week nobody wants to hear of the last one.
_TOO_LATE = timedelta(days=2)
# Somewhere Monday has begun while here it is still Sunday.
_ANOTHER_WEEK = timedelta(days=5)


async def mail_reports(services: Services) -> int:
    """Mail the report of the last week to everybody whose Monday morning has come; returns how many mails that were."""
    mailed, after, now = 0, "", services.clock.now()
    while True:
        async with services.database.unit() as unit:
            some = await people.list_to_report(unit, after=after, since=now.date() - _ANOTHER_WEEK, limit=_AT_A_TIME)
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
        keeper = await known_keeper(services, unit, person)
        monday = monday_of(keeper.today)
        moment = keeper.local.moment_of(monday, max(MORNING, time(keeper.local.day_start)))
        if not moment <= now < moment + _TOO_LATE or not await people.mark_reported(unit, user_id, monday):
            return False
        owner = await owner_of(services.accounts, user_id)
        if owner is None or not owner.email or await services.suppressions.of(owner.email, topic=REPORT_TOPIC):
            return False
        return await _mail(services, unit, keeper, owner)


async def _mail(services: Services, unit: Unit, keeper: Keeper, owner: Principal) -> bool:
    """A week without habits has nothing to tell."""
    week = await collect_week(unit, keeper, owner.name)
    if not week.habits:
        return False
    message = report_message(services.settings.public_url, owner, week, await report_file(week))
    queued = await services.mailer.queue(message, key=f"habits:report:{keeper.id}:{week.first}", unit=unit)
    return queued.created
