"""The job that deletes the buckets of callers who stay away."""

from datetime import timedelta
from typing import Protocol

from almanac.http.rate_limit import store
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext

# A bucket refills in a minute; the rest is for clocks that differ.
IDLE = timedelta(minutes=10)


class SweepServices(Protocol):
    """The services that the job needs."""

    @property
    def clock(self) -> Clock: ...


async def _delete_full(job: RunningJob[SweepServices]) -> None:
    async with job.unit() as unit:
        await store.delete_full_buckets(unit, job.services.clock.now() - IDLE)


DELETE_FULL_BUCKETS = Schedule(
    "requests.sweep_limits",
    JobType(
        "requests.sweep_limits", _delete_full, queue="housekeeping", title=gettext("Delete rate limits of idle callers")
    ),
    "50 * * * *",
)
