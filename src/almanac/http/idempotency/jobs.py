"""The job that deletes expired idempotency keys."""

from typing import Protocol

from almanac.http.idempotency import store
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext


class RequestServices(Protocol):
    """The services that the job needs."""

    @property
    def clock(self) -> Clock: ...


async def _delete_expired(job: RunningJob[RequestServices]) -> None:
    async with job.unit() as unit:
        await store.delete_all_expired_keys(unit, job.services.clock.now() - store.RETENTION)


DELETE_EXPIRED_KEYS = Schedule(
    "requests.forget",
    JobType(
        "requests.forget",
        _delete_expired,
        queue="housekeeping",
        title=gettext("Delete stored answers to repeated requests"),
    ),
    "10 * * * *",
)
