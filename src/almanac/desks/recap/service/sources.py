"""Sources of records that don't answer: since when, what was tried, and when they are asked again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.desks.recap.jobs import COLLECT, COLLECT_DAILY
from almanac.desks.recap.pipeline.collect import source_name
from almanac.desks.recap.store.source_status import RecordSourceStatus, list_failing_sources
from almanac.jobs import JobFilter
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class DownSource:
    """A source that failed when it was last asked; `next_try` is None where nothing is planned."""

    status: RecordSourceStatus
    next_try: datetime | None


async def list_down_sources(services: Services) -> Sequence[DownSource]:
    """The configured sources that failed when they were last asked, the longest first."""
    names = [source_name(address) for address in services.settings.recap_sources]
    failing = await list_failing_sources(services.database, names)
    if not failing:
        return ()
    next_try = await _next_collection(services)
    return [DownSource(status, next_try) for status in failing]


async def _next_collection(services: Services) -> datetime | None:
    """When the sources are asked next: by a job that waits to be tried again, or by the daily one."""
    moments: list[datetime] = []
    for task in (COLLECT.name, COLLECT_DAILY.job_type.name):
        listed = await services.jobs.jobs(JobFilter(task=task), limit=5)
        moments += [job.not_before for job in listed.items if job.not_before and not job.status.final]
    if services.settings.recap_daily:
        schedules = await services.jobs.schedules()
        moments += [each.next_due for each in schedules if each.name == COLLECT_DAILY.name and each.next_due]
    return min(moments, default=None)
