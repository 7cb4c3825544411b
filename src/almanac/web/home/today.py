"""What ran today by itself or for somebody: one line for each task, with its last result and why it failed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from almanac.accounts.model import Principal
from almanac.jobs import JobFilter, JobStatus, JobView
from almanac.services import Services

_SHOWN, _LOOKED_AT = 8, 100


@dataclass(frozen=True, slots=True)
class Ran:
    """A task of today: what people call it, how often it ran and failed, and the run to look at."""

    title: str
    job: JobView
    times: int
    failed: int


@dataclass(frozen=True, slots=True)
class Today:
    """What runs now and what has ended today; `is_whole` unless the day had more jobs than are looked at."""

    running: Sequence[JobView]
    ran: Sequence[Ran]
    is_whole: bool


async def todays_work(services: Services, principal: Principal) -> Today | None:
    """The day as it is on the person's clocks; nothing for whoever may not see jobs."""
    if not principal.may("jobs.read"):
        return None
    since = _midnight(services, principal)
    running = (await services.jobs.jobs(JobFilter(status=JobStatus.RUNNING), limit=_SHOWN)).items
    latest = (await services.jobs.jobs(limit=_LOOKED_AT)).items
    ended = [job for job in latest if job.finished_at is not None and job.finished_at >= since]
    by_task: dict[str, list[JobView]] = {}
    for job in ended:
        by_task.setdefault(job.task, []).append(job)
    # What runs every few minutes would hide the rest: failures first, then work that somebody asked for.
    ran = sorted(
        (_ran(services, jobs) for jobs in by_task.values()),
        key=lambda ran_job: (not ran_job.failed, bool(ran_job.job.schedule)),
    )
    is_whole = len(latest) < _LOOKED_AT or latest[-1].created_at < since
    return Today(running, ran, is_whole)


def _ran(services: Services, jobs: list[JobView]) -> Ran:
    """The latest failure is what to look at; where there is none, the latest run."""
    failed = [job for job in jobs if job.status is JobStatus.FAILED]
    return Ran(services.jobs.title_of(jobs[0].task), (failed or jobs)[0], len(jobs), len(failed))


def _midnight(services: Services, principal: Principal) -> datetime:
    zone = ZoneInfo(principal.preferences.time_zone or services.settings.time_zone)
    return datetime.combine(services.clock.now().astimezone(zone).date(), time(), zone)
