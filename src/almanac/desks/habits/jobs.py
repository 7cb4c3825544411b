"""The desk's jobs and schedules: event handlers, the start of a day, reminders, weekly reports and reconciliation."""

from datetime import timedelta

from almanac.desks.habits.pipeline.day_rollover import roll_over_days
from almanac.desks.habits.pipeline.event_handlers import AWARD_POINTS, CHECK_STREAKS, QUEUE, SEND_NOTIFICATION
from almanac.desks.habits.pipeline.reconciliation import reconcile_habits
from almanac.desks.habits.pipeline.reminders import send_due_reminders
from almanac.desks.habits.pipeline.weekly_report import mail_weekly_reports
from almanac.desks.habits.store import events
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.jobs.job_type import JobFunction
from almanac.kit.messages import gettext, ngettext
from almanac.kit.text import counted
from almanac.services import Services

EVENT_RETENTION = timedelta(days=90)


async def _roll_over(job: RunningJob[Services]) -> None:
    people = await roll_over_days(job.services)
    await job.progress(
        people, people, ngettext("%(num)s person started a new day", "%(num)s people started a new day", people)
    )


async def _remind(job: RunningJob[Services]) -> None:
    sent = await send_due_reminders(job.services)
    await job.progress(sent, sent, ngettext("%(num)s reminder queued", "%(num)s reminders queued", sent))


async def _report(job: RunningJob[Services]) -> None:
    mailed = await mail_weekly_reports(job.services)
    await job.progress(
        mailed, mailed, ngettext("%(num)s weekly report queued", "%(num)s weekly reports queued", mailed)
    )


async def _reconcile(job: RunningJob[Services]) -> None:
    async with job.services.database.unit() as unit:
        await events.prune_events(unit, job.services.clock.now() - EVENT_RETENTION)
    report = await reconcile_habits(job.services)
    result = "; ".join(report.repairs[:3]) or "everything matches the log"
    await job.progress(report.people, report.people, f"{counted(report.people, 'person', 'people')}: {result}")


def _scheduled(name: str, run: JobFunction, cron: str, title: str) -> Schedule:
    return Schedule(name, JobType(name, run, queue=QUEUE, lock=name, title=title), cron)


JOBS = (CHECK_STREAKS, AWARD_POINTS, SEND_NOTIFICATION)
SCHEDULES = (
    _scheduled("habits.turn_days", _roll_over, "*/15 * * * *", gettext("Start a new day for habits")),
    _scheduled("habits.remind", _remind, "*/5 * * * *", gettext("Send habit reminders")),
    _scheduled("habits.report", _report, "*/15 * * * *", gettext("Mail weekly habit reports")),
    _scheduled("habits.reconcile", _reconcile, "40 3 * * *", gettext("Check habits against their log")),
)
