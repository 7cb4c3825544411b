"""Alert jobs: every five minutes the due alerts are found, and each runs as its own job."""

from typing import Protocol

from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext

QUEUE = "alerts"


class AlertRunner(Protocol):
    """Finds and runs due alerts."""

    async def start_due(self) -> int: ...

    async def run(self, saved_id: str) -> int: ...


class AlertServices(Protocol):
    """The services these jobs need."""

    @property
    def alerts(self) -> AlertRunner: ...


async def _run(job: RunningJob[AlertServices], saved_id: str) -> None:
    await job.services.alerts.run(saved_id)


async def _start_due(job: RunningJob[AlertServices]) -> None:
    started = 0
    while batch := await job.services.alerts.start_due():
        started += batch
        await job.progress(started, None, gettext("starting alerts"))


RUN_ALERT = JobType(
    "saved.alert",
    _run,
    queue=QUEUE,
    lock="alert:{saved_id}",
    title=gettext("Check a saved query for new matches"),
    about=("saved query", "saved_id"),
)
START_DUE_ALERTS = Schedule(
    "saved.alerts",
    JobType(
        "saved.alerts",
        _start_due,
        queue=QUEUE,
        lock="saved.alerts",
        title=gettext("Start due alerts"),
    ),
    "*/5 * * * *",
)
