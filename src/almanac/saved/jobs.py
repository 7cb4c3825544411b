"""The jobs of alerts: every five minutes find those whose time has come, and run each in a job of its own."""

from typing import Protocol

from almanac.jobs import JobType, RunningJob, Schedule

QUEUE = "alerts"


class Runner(Protocol):
    """What runs alerts."""

    async def start_due(self) -> int: ...

    async def run(self, saved_id: str) -> int: ...


class AlertServices(Protocol):
    """What a worker must hold to run these jobs."""

    @property
    def alerts(self) -> Runner: ...


async def _run(job: RunningJob[AlertServices], saved_id: str) -> None:
    await job.services.alerts.run(saved_id)


async def _start_due(job: RunningJob[AlertServices]) -> None:
    started = 0
    while found := await job.services.alerts.start_due():
        started += found
        await job.progress(started, None, "starting alerts")


RUN_ALERT = JobType(
    "saved.alert", _run, queue=QUEUE, lock="alert:{saved_id}", title="Look for what is new in a saved query"
)
START_DUE = Schedule(
    "saved.alerts",
    JobType("saved.alerts", _start_due, queue=QUEUE, lock="saved.alerts", title="Start the alerts that are due"),
    "*/5 * * * *",
)
