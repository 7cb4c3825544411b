"""Which runs of a schedule are due now, and the view of a schedule; pure, so that both adapters decide alike."""

from datetime import datetime, timedelta
from itertools import islice

from almanac.jobs.cron import due_times, next_due
from almanac.jobs.job_type import CatchUp, Schedule
from almanac.jobs.views import JobView, ScheduleView

PUNCTUAL = timedelta(minutes=2)
CATCH_UP_LIMIT = 200
# Counting a year of minutes through takes twenty seconds, so the last moment is sought from the end.
_LOOKS_BACK = (timedelta(minutes=10), timedelta(hours=2), timedelta(days=2), timedelta(days=62))


def is_due(schedule: Schedule, last_due: datetime, now: datetime) -> bool:
    """Whether a moment of the schedule has come since it was last kept."""
    return next(due_times(schedule.cron, schedule.time_zone, after=last_due, until=now), None) is not None


def due_runs(schedule: Schedule, last_due: datetime, now: datetime) -> tuple[list[datetime], datetime]:
    """The runs to start now, and up to when the schedule is then kept.

    Missed runs are one, all or none, as the schedule says. "All" comes in portions, so that a long silence of a
    schedule by the minute doesn't flood the queue in one transaction.
    """
    if schedule.catch_up is CatchUp.ALL:
        moments = due_times(schedule.cron, schedule.time_zone, after=last_due, until=now)
        portion = list(islice(moments, CATCH_UP_LIMIT))
        return portion, portion[-1] if len(portion) == CATCH_UP_LIMIT else max(now, last_due)
    latest = _latest_due(schedule, last_due, now)
    is_wanted = latest is not None and (schedule.catch_up is CatchUp.ONCE or now - latest <= PUNCTUAL)
    return ([latest] if latest and is_wanted else []), max(now, last_due)


def _latest_due(schedule: Schedule, last_due: datetime, now: datetime) -> datetime | None:
    """The last moment of the schedule since it was kept, however long ago that is."""
    for since in (*(max(last_due, now - back) for back in _LOOKS_BACK), last_due):
        if moments := list(due_times(schedule.cron, schedule.time_zone, after=since, until=now)):
            return moments[-1]
    return None


def view_schedule(schedule: Schedule, *, paused: bool, last_job: JobView | None, now: datetime) -> ScheduleView:
    """What people see of a schedule."""
    return ScheduleView(
        name=schedule.name,
        task=schedule.task.name,
        cron=schedule.cron,
        time_zone=schedule.time_zone,
        catch_up=schedule.catch_up,
        paused=paused,
        next_due=None if paused else next_due(schedule.cron, schedule.time_zone, now),
        last_due=last_job.due_at if last_job else None,
        last_job=last_job,
    )
