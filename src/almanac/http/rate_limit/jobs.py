"""The job that deletes the buckets of callers who stay away."""

from datetime import timedelta
from typing import Protocol

from almanac.http.rate_limit import store
from almanac.http.rate_limit.forms import delete_old_form_counts
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext

# A bucket refills in a minute; the rest is for clocks that differ.
IDLE = timedelta(minutes=10)
AN_HOUR = timedelta(hours=1)


class SweepServices(Protocol):
    """The services that the job needs."""

    @property
    def clock(self) -> Clock: ...


async def _delete_full(job: RunningJob[SweepServices]) -> None:
    async with job.unit() as unit:
        now = job.services.clock.now()
        await store.delete_full_buckets(unit, now - IDLE)
        await delete_old_form_counts(unit, now - AN_HOUR)


DELETE_FULL_BUCKETS = Schedule(
    "requests.sweep_limits",
    JobType(
        "requests.sweep_limits", _delete_full, queue="housekeeping", title=gettext("Delete rate limits of idle callers")
    ),
    "50 * * * *",
)
