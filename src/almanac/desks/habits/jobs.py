"""The desk's jobs: handlers of events, the turn of everybody's day, reminders, reports, and the proof that
all adds up."""

from datetime import timedelta

from almanac.desks.habits.reactions import AWARD_POINTS, CHECK_STREAKS, QUEUE, SEND_NOTIFICATION
from almanac.desks.habits.reconciling import reconcile
from almanac.desks.habits.reminding import remind_due
from almanac.desks.habits.reporting.mailing import mail_reports
from almanac.desks.habits.service.access import known_keeper
from almanac.desks.habits.service.days_off import settle_all
from almanac.desks.habits.store import events, people
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.jobs.job_type import TaskFunction
from almanac.kit.text import counted
from almanac.services import Services

_AT_A_TIME = 200
_KEPT = timedelta(days=90)


async def turn_days(services: Services) -> int:
    """Settle the habits of everybody for whom a new day has begun; returns how many people that were."""
    turned, after, now = 0, "", services.clock.now()
    while True:
        async with services.database.unit() as unit:
            some = await people.list_to_turn(unit, after=after, now=now, limit=_AT_A_TIME)
        for user_id in some:
            turned += await _turn(services, user_id)
        if len(some) < _AT_A_TIME:
            return turned
        after = some[-1]


async def _turn(services: Services, user_id: str) -> bool:
    async with services.database.unit() as unit:
        person = await people.find_person(unit, user_id, lock=True)
        if person is None:
            return False
        keeper = await known_keeper(services, unit, person)
        begun = keeper.today != person.turned_on
        if begun:
            await settle_all(services, unit, keeper, None, "A new day")
        following = keeper.local.begin_of(keeper.today + timedelta(days=1))
        await people.mark_turned(unit, user_id, keeper.today, following)
        return begun


async def _turn_days(job: RunningJob[Services]) -> None:
    turned = await turn_days(job.services)
    await job.progress(turned, turned, f"{counted(turned, 'person', 'people')} began a new day")


async def _remind(job: RunningJob[Services]) -> None:
    sent = await remind_due(job.services)
    await job.progress(sent, sent, f"{counted(sent, 'reminder')} sent")


async def _report(job: RunningJob[Services]) -> None:
    mailed = await mail_reports(job.services)
    await job.progress(mailed, mailed, f"{counted(mailed, 'weekly report')} mailed")


async def _reconcile(job: RunningJob[Services]) -> None:
    async with job.services.database.unit() as unit:
        await events.prune_events(unit, job.services.clock.now() - _KEPT)
    told = await reconcile(job.services)
    repaired = "; ".join(told.repairs[:3]) or "everything equals the log"
    await job.progress(told.people, told.people, f"{counted(told.people, 'person', 'people')}: {repaired}")


def _scheduled(name: str, run: TaskFunction, cron: str, title: str) -> Schedule:
    return Schedule(name, JobType(name, run, queue=QUEUE, lock=name, title=title), cron)


TASKS = (CHECK_STREAKS, AWARD_POINTS, SEND_NOTIFICATION)
SCHEDULES = (
    _scheduled("habits.turn_days", _turn_days, "*/15 * * * *", "Begin a new day of habits"),
    _scheduled("habits.remind", _remind, "*/5 * * * *", "Remind of due habits"),
    _scheduled("habits.report", _report, "*/15 * * * *", "Mail reports of the week"),
    _scheduled("habits.reconcile", _reconcile, "40 3 * * *", "Prove that habits add up"),
)
