"""The scheduled job that deletes cached answers that nobody asked for in a year."""

from datetime import timedelta
from typing import Protocol

from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext, ngettext
from almanac.llm import store

KEEP_UNUSED = timedelta(days=365)


class ModelServices(Protocol):
    """Services that a worker needs to run this job."""

    @property
    def clock(self) -> Clock: ...


async def _forget_unused_answers(job: RunningJob[ModelServices]) -> None:
    async with job.unit() as unit:
        forgotten = await store.forget_old_answers(unit, job.services.clock.now() - KEEP_UNUSED)
    await job.progress(
        forgotten, forgotten, ngettext("%(num)s answer forgotten", "%(num)s answers forgotten", forgotten)
    )


FORGET_ANSWERS = Schedule(
    "models.forget",
    JobType(
        "models.forget",
        _forget_unused_answers,
        queue="housekeeping",
        title=gettext("Delete unused model answers"),
    ),
    "40 3 * * *",
)
