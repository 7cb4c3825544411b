"""Every read and write of the job tables, by name. Deciding what should happen is left to the modules that call it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import procrastinate

from almanac.jobs.job_type import JobObject
from almanac.jobs.model import (
    Dismissal,
    FailureFilter,
    JobBacklog,
    JobFailure,
    JobFilter,
    JobStatus,
    JobView,
    QueueCounts,
    RunOutcome,
    RunView,
)
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)
# The migrations that procrastinate ships for its own tables.
SCHEMA = Path(procrastinate.__file__).parent / "sql" / "migrations"

FAILURES_LOOKED_AT = 2000
ALIVE_SECONDS = 30

_STORED = {
    JobStatus.QUEUED: ["todo"],
    JobStatus.RUNNING: ["doing", "aborting"],
    JobStatus.SUCCEEDED: ["succeeded"],
    JobStatus.FAILED: ["failed"],
    JobStatus.CANCELLED: ["cancelled", "aborted"],
}


@dataclass(frozen=True, slots=True)
class StartedRun:
    """An attempt that was just recorded, and the request and trace in which its job was deferred."""

    id: int
    attempt: int
    due_at: datetime | None
    request_id: str | None
    trace: str | None


@dataclass(frozen=True, slots=True)
class LostJob:
    """A running job whose worker is silent; `losses` counts the workers that were lost with it before, in a row."""

    id: int
    task: str
    losses: int
    cancelled: bool


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """Up to when a schedule has been kept."""

    name: str
    last_due: datetime
    paused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOrigin:
    """Where a job comes from: its schedule, what it works on, and the request and trace that deferred it."""

    schedule: str | None = None
    due_at: datetime | None = None
    object: JobObject | None = None
    request_id: str | None = None
    trace: str | None = None


async def insert_job_details(unit: Unit, job_id: int, now: datetime, origin: JobOrigin) -> None:
    facts = {
        "job_id": job_id,
        "now": now,
        "schedule": origin.schedule,
        "due_at": origin.due_at,
        "object_kind": origin.object.kind if origin.object else None,
        "object_id": origin.object.id if origin.object else None,
        "request_id": origin.request_id,
        "trace": origin.trace,
    }
    await unit.execute(QUERIES["insert_job_details"], facts)


async def find_queued_job(unit: Unit, queueing_lock: str) -> int | None:
    job_id: int | None = await unit.value(QUERIES["find_queued_job"], {"queueing_lock": queueing_lock})
    return job_id


async def list_jobs(
    reading: ReadTransaction, which: JobFilter, *, job_id: int | None = None, before: int | None = None, limit: int = 1
) -> list[JobView]:
    asked = {
        "job_id": job_id,
        "before": before,
        "statuses": _STORED[which.status] if which.status else None,
        "task": which.task,
        "queue": which.queue,
        "schedule": which.schedule,
        "housekeeping": which.housekeeping,
        "hidden": list(which.hidden),
        "limit": limit,
    }
    return await reading.all(QUERIES["list_jobs"], asked, into=_job_view)


async def list_failures(reading: ReadTransaction, which: FailureFilter, limit: int) -> list[JobFailure]:
    asked = {
        "task": which.task,
        "ids": list(which.ids) if which.ids is not None else None,
        "dismissed": which.dismissed,
        "looked_at": FAILURES_LOOKED_AT,
        "limit": limit,
    }
    return await reading.all(QUERIES["list_failures"], asked, into=_job_failure)


async def list_failed_runs(reading: ReadTransaction, since: datetime, until: datetime, limit: int) -> list[JobFailure]:
    asked = {"since": since, "until": until, "limit": limit}
    return await reading.all(QUERIES["list_failed_runs"], asked, into=_job_failure)


async def dismiss_failures(unit: Unit, ids: Sequence[int], dismissal: Dismissal) -> int:
    dismissed = {"ids": list(ids), "now": dismissal.at, "by": dismissal.by, "why": dismissal.why}
    return await unit.execute(QUERIES["dismiss_failures"], dismissed)


async def restore_failures(unit: Unit, ids: Sequence[int]) -> int:
    return await unit.execute(QUERIES["restore_failures"], {"ids": list(ids)})


async def find_job(reading: ReadTransaction, job_id: int) -> JobView | None:
    return next(iter(await list_jobs(reading, JobFilter(), job_id=job_id)), None)


async def read_arguments(reading: ReadTransaction, job_id: int) -> dict[str, Any]:
    return await reading.value(QUERIES["read_arguments"], {"job_id": job_id}) or {}


async def list_runs(reading: ReadTransaction, job_id: int) -> list[RunView]:
    return await reading.all(QUERIES["list_runs"], {"job_id": job_id}, into=_run_view)


async def measure_backlog(reading: ReadTransaction) -> JobBacklog:
    """What waits to run now, and how many workers are alive."""
    backlog = await reading.one(QUERIES["measure_backlog"], {"lease_seconds": ALIVE_SECONDS}, into=JobBacklog)
    assert backlog is not None
    return backlog


async def count_jobs(reading: ReadTransaction) -> list[QueueCounts]:
    return await reading.all(QUERIES["count_jobs"], into=QueueCounts)


async def compact_tallies(unit: Unit, many: int) -> None:
    await unit.execute(QUERIES["compact_tallies"], {"many": many})


async def count_open_jobs(unit: Unit, worker_id: int | None, queues: Sequence[str] | None) -> int:
    params = {"worker_id": worker_id, "queues": None if queues is None else list(queues)}
    return int(await unit.value(QUERIES["count_open_jobs"], params))


async def requeue_jobs(
    unit: Unit,
    statuses: Sequence[JobStatus],
    *,
    ids: Sequence[int] | None = None,
    task: str | None = None,
    queue: str | None = None,
) -> int:
    stored = [name for status in statuses for name in _STORED[status]]
    chosen = {"statuses": stored, "ids": list(ids) if ids is not None else None, "task": task, "queue": queue}
    return await unit.execute(QUERIES["requeue_jobs"], chosen)


async def cancel_queued_job(unit: Unit, job_id: int, reason: str) -> bool:
    cancelled = await unit.execute(QUERIES["cancel_queued_job"], {"job_id": job_id})
    if cancelled:
        await unit.execute(QUERIES["set_cancel_reason"], {"job_id": job_id, "reason": reason})
    return bool(cancelled)


async def request_cancel(unit: Unit, job_id: int) -> bool:
    return bool(await unit.execute(QUERIES["request_cancel"], {"job_id": job_id}))


async def request_abort(unit: Unit, job_id: int) -> bool:
    return bool(await unit.execute(QUERIES["request_abort"], {"job_id": job_id}))


async def has_succeeded(unit: Unit, job_id: int) -> bool:
    return bool(await unit.value(QUERIES["has_succeeded"], {"job_id": job_id}))


async def begin_run(unit: Unit, job_id: int, worker_id: int, worker: str, now: datetime) -> StartedRun | None:
    begun = {"job_id": job_id, "worker_id": worker_id, "worker": worker, "now": now}
    return await unit.one(QUERIES["begin_run"], begun, into=StartedRun)


async def end_run(
    unit: Unit, run_id: int, outcome: RunOutcome, reason: str | None, now: datetime, *, by_input: bool = False
) -> None:
    ended = {"run_id": run_id, "outcome": outcome.value, "reason": reason, "now": now, "by_input": by_input}
    await unit.execute(QUERIES["end_run"], ended)


async def hold_lease(unit: Unit, run_id: int, worker_id: int) -> bool:
    return await unit.value(QUERIES["hold_lease"], {"run_id": run_id, "worker_id": worker_id}) is not None


async def report_progress(
    unit: Unit, run_id: int, worker_id: int, done: int | None, total: int | None, doing: str
) -> bool | None:
    """Whether somebody wants the run to stop; None when the lease is lost."""
    report = {"run_id": run_id, "worker_id": worker_id, "done": done, "total": total, "doing": doing or None}
    wanted: bool | None = await unit.value(QUERIES["report_progress"], report)
    return wanted


async def claim_step(unit: Unit, job_id: int, step: str) -> bool:
    return bool(await unit.execute(QUERIES["claim_step"], {"job_id": job_id, "step": step}))


async def finish_leased_job(unit: Unit, job_id: int, worker_id: int | None, run_id: int | None, status: str) -> bool:
    finished = {"job_id": job_id, "worker_id": worker_id, "run_id": run_id, "status": status}
    return bool(await unit.execute(QUERIES["finish_leased_job"], finished))


async def requeue_leased_job(
    unit: Unit, job_id: int, worker_id: int | None, run_id: int | None, retry_at: datetime
) -> bool:
    again = {"job_id": job_id, "worker_id": worker_id, "run_id": run_id, "retry_at": retry_at}
    return bool(await unit.execute(QUERIES["requeue_leased_job"], again))


async def wake_paused_jobs(unit: Unit) -> int:
    return await unit.execute(QUERIES["wake_paused_jobs"])


async def set_end_reason(unit: Unit, job_id: int, reason: str) -> None:
    await unit.execute(QUERIES["set_end_reason"], {"job_id": job_id, "reason": reason})


async def lock_lost_jobs(unit: Unit, lease_seconds: float, worker_id: int | None, held: Sequence[int]) -> list[LostJob]:
    values = {"lease_seconds": lease_seconds, "worker_id": worker_id, "held": list(held)}
    return await unit.all(QUERIES["lock_lost_jobs"], values, into=LostJob)


async def release_lost_job(unit: Unit, job_id: int, status: JobStatus, reason: str, now: datetime) -> None:
    await unit.execute(QUERIES["mark_runs_lost"], {"job_id": job_id, "reason": reason, "now": now})
    await unit.execute(QUERIES["release_lost_job"], {"job_id": job_id, "status": _STORED[status][0], "reason": reason})


async def remove_finished_jobs(unit: Unit, statuses: Sequence[JobStatus], before: datetime) -> int:
    stored = [name for status in statuses for name in _STORED[status]]
    return await unit.execute(QUERIES["remove_finished_jobs"], {"statuses": stored, "before": before})


async def insert_schedule(unit: Unit, name: str, now: datetime) -> None:
    await unit.execute(QUERIES["insert_schedule"], {"name": name, "now": now})


async def lock_schedule(unit: Unit, name: str) -> datetime | None:
    last_due: datetime | None = await unit.value(QUERIES["lock_schedule"], {"name": name})
    return last_due


async def advance_schedule(unit: Unit, name: str, last_due: datetime) -> None:
    await unit.execute(QUERIES["advance_schedule"], {"name": name, "last_due": last_due})


async def pause_schedule(unit: Unit, name: str, paused: bool, now: datetime) -> None:
    await unit.execute(QUERIES["pause_schedule"], {"name": name, "paused": paused, "now": now})


async def list_schedules(unit: Unit) -> list[ScheduleState]:
    return await unit.all(QUERIES["list_schedules"], into=ScheduleState)


def _job_view(*, status: str, **columns: Any) -> JobView:
    return JobView(status=JobStatus(status), **_nested(columns))


def _job_failure(**columns: Any) -> JobFailure:
    return JobFailure(**_nested(columns))


def _nested(columns: dict[str, Any]) -> dict[str, Any]:
    """The columns with those of the object and of the dismissal each as one value."""
    kind, object_id = columns.pop("object_kind"), columns.pop("object_id")
    at, by, why = (columns.pop(f"dismissed_{name}") for name in ("at", "by", "why"))
    columns["object"] = JobObject(kind, object_id) if kind else None
    columns["dismissal"] = Dismissal(at=at, by=by, why=why) if at else None
    return columns


def _run_view(*, outcome: str | None, **columns: Any) -> RunView:
    return RunView(outcome=RunOutcome(outcome) if outcome else None, **columns)
