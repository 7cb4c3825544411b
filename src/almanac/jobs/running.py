"""What a task function receives: its job, to report progress, to write under its lease, and to learn of a cancel."""

import re
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from almanac.errors import Conflict
from almanac.relational import Database, Unit

ServicesT = TypeVar("ServicesT")
_HOLDER = re.compile(r"job (\d+)/(\d+)")


class JobCancelled(Conflict):
    """A person cancelled the job; the task lets this pass, and the job ends as cancelled."""

    code = "job_cancelled"

    def __init__(self) -> None:
        super().__init__("This job was cancelled.")


class LeaseLost(Conflict):
    """The worker was silent for so long that the job was given to another; nothing more may be written here."""

    code = "lease_lost"

    def __init__(self) -> None:
        super().__init__("This job was taken over by another worker.")


class RunLedger(Protocol):
    """Where a run leaves its marks; the adapters and the fake each bring one."""

    async def progress(self, done: int | None, total: int | None, doing: str) -> None: ...

    def unit(self) -> AbstractAsyncContextManager[Unit]: ...

    async def once(self, unit: Unit, step: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Unwatched:
    """The ledger of work that is done on the spot, without a job: nobody watches it, stops it or takes it over."""

    database: Database

    async def progress(self, _done: int | None, _total: int | None, _doing: str) -> None:
        return

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        return self.database.unit()

    async def once(self, _unit: Unit, _step: str) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RunningJob(Generic[ServicesT]):
    """One attempt at a job, as its task function sees it. `due_at` is set when a schedule started it."""

    id: int
    task: str
    attempt: int
    services: ServicesT
    ledger: RunLedger
    due_at: datetime | None = None

    @property
    def holder(self) -> str:
        """What this attempt calls itself on leases in other stores; `JobsPort.is_gone` can be asked about it."""
        return f"job {self.id}/{self.attempt}"

    async def progress(self, done: int | None = None, total: int | None = None, doing: str = "") -> None:
        """Tell others how far this is. Raises JobCancelled if a person asked for that, LeaseLost if it moved on."""
        await self.ledger.progress(done, total, doing)

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        """A transaction that commits only while this run still holds the job; otherwise it raises LeaseLost."""
        return self.ledger.unit()

    async def once(self, unit: Unit, step: str = "done") -> bool:
        """True the first time for this job and step, and never again once the unit has committed.

        An attempt after a crash meets False for the steps whose transactions were committed, and skips them.
        """
        return await self.ledger.once(unit, step)


def attempt_named(holder: str) -> tuple[int, int] | None:
    """The job and the number of the attempt that calls itself so; None where no attempt does."""
    found = _HOLDER.fullmatch(holder)
    return (int(found[1]), int(found[2])) if found else None
