"""Stores query tasks with their sources, runs, scorecards and previews."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import msgspec

from almanac.desks.news.model.tasks import (
    DayCount,
    LinkSource,
    LinkSourceKind,
    QueryTask,
    Scorecard,
    TaskPreview,
    TaskRun,
    Trigger,
)
from almanac.desks.news.store.rows import QUERIES, columns, in_utc
from almanac.kit.json_text import to_builtins
from almanac.relational import Jsonb, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFields:
    """The fields of a task that people set, and when it is due."""

    task_name: str
    prompt_template: str
    is_active: bool
    schedule: str | None
    time_zone: str | None
    next_run: datetime | None

    def params(self, now: datetime) -> dict[str, Any]:
        return {**asdict(self), "now": now}


@dataclass(frozen=True, slots=True)
class DueTask:
    """A task that is to be planned or run."""

    id: int
    schedule: str | None
    time_zone: str | None
    next_run: datetime | None = None


async def list_tasks(unit: Unit) -> list[QueryTask]:
    """Every task by name, with its sources."""
    tasks = await unit.all(QUERIES["list_tasks"], into=in_utc(QueryTask))
    return await _with_sources(unit, tasks)


async def find_task(unit: Unit, name: str) -> QueryTask | None:
    task = await unit.one(QUERIES["find_task"], {"name": name}, into=in_utc(QueryTask))
    return (await _with_sources(unit, [task]))[0] if task else None


async def find_task_by_id(unit: Unit, task_id: int) -> QueryTask | None:
    task = await unit.one(QUERIES["find_task_by_id"], {"id": task_id}, into=in_utc(QueryTask))
    return (await _with_sources(unit, [task]))[0] if task else None


async def _with_sources(unit: Unit, tasks: Sequence[QueryTask]) -> list[QueryTask]:
    rows = await unit.all(QUERIES["list_sources"], {"tasks": [task.id for task in tasks]}, into=in_utc(columns))
    by_task: dict[int, list[LinkSource]] = {}
    for row in rows:
        task_id, kind = row.pop("task_id"), LinkSourceKind(row.pop("kind"))
        by_task.setdefault(task_id, []).append(LinkSource(kind=kind, **row))
    return [replace(task, sources=tuple(by_task.get(task.id, ()))) for task in tasks]


async def add_task(unit: Unit, fields: TaskFields, now: datetime) -> int:
    """Add a task; a name that is taken is a Duplicate."""
    return int(await unit.value(QUERIES["add_task"], fields.params(now)))


async def edit_task(unit: Unit, task_id: int, fields: TaskFields, *, expected: int, now: datetime) -> bool:
    """Change a task if nobody else did meanwhile."""
    given = {**fields.params(now), "id": task_id, "expected": expected}
    return await unit.execute(QUERIES["edit_task"], given) == 1


async def rename_task_in_links(unit: Unit, old: str, new: str) -> None:
    """Links name the task that found them."""
    await unit.execute(QUERIES["rename_task_in_links"], {"old": old, "new": new})


async def delete_task(unit: Unit, name: str) -> bool:
    return await unit.execute(QUERIES["delete_task"], {"name": name}) == 1


async def replace_sources(unit: Unit, task_id: int, sources: Sequence[LinkSource]) -> None:
    """Give a task these sources and no others; those it has already keep what is known of them."""
    for source in sources:
        given = {"task_id": task_id, "kind": source.kind, "address": source.address, "title": source.title}
        await unit.execute(QUERIES["add_source"], given)
    kept = {"kinds": [str(source.kind) for source in sources], "addresses": [source.address for source in sources]}
    await unit.execute(QUERIES["delete_other_sources"], {"task_id": task_id, **kept})


async def record_source_result(
    unit: Unit,
    source_id: int,
    *,
    now: datetime,
    error: str | None = None,
    etag: str | None = None,
    last_modified: str | None = None,
    title: str = "",
) -> None:
    """Remember how a source answered."""
    given = {
        "id": source_id,
        "now": now,
        "error": error,
        "etag": etag,
        "last_modified": last_modified,
        "title": title,
    }
    await unit.execute(QUERIES["record_source_result"], given)


async def list_unplanned_tasks(unit: Unit) -> list[DueTask]:
    """Tasks with a schedule whose next run nobody worked out, such as those that another program added."""
    return await unit.all(QUERIES["list_unplanned_tasks"], into=DueTask)


async def list_due_tasks(unit: Unit, now: datetime, limit: int) -> list[DueTask]:
    """Tasks that are due; nobody else gets them until the unit ends."""
    return await unit.all(QUERIES["list_due_tasks"], {"now": now, "limit": limit}, into=in_utc(DueTask))


async def set_next_run(unit: Unit, task_id: int, next_run: datetime | None) -> None:
    await unit.execute(QUERIES["set_next_run"], {"id": task_id, "next_run": next_run})


async def pause_task(unit: Unit, task_id: int, now: datetime) -> None:
    """Let a task rest whose schedule can't be read."""
    await unit.execute(QUERIES["pause_task"], {"id": task_id, "now": now})


async def start_run(
    unit: Unit, task_id: int, *, trigger: Trigger, job_id: int | None, now: datetime
) -> tuple[int, str]:
    """The run of a job, new or begun by an attempt before this one, with its status."""
    given = {"task_id": task_id, "trigger": trigger, "job_id": job_id, "now": now}
    row = await unit.one(QUERIES["start_run"], given)
    assert row is not None
    return row["id"], row["status"]


async def add_run_counts(
    unit: Unit, run_id: int, *, total: int = 0, added: int = 0, duplicate: int = 0, blocked: int = 0, refused: int = 0
) -> None:
    """Add the links of one source to the counts of the run; `total` is how many it named."""
    given = {
        "id": run_id,
        "found": total,
        "added": added,
        "duplicate": duplicate,
        "blocked": blocked,
        "refused": refused,
    }
    await unit.execute(QUERIES["add_run_counts"], given)


async def finish_run(
    unit: Unit, run_id: int, task_id: int, *, problems: Sequence[str], status: str, now: datetime
) -> None:
    """End a run once, and count it with its task."""
    given = {"id": run_id, "problems": list(problems), "status": status, "now": now}
    if await unit.execute(QUERIES["finish_run"], given):
        credited = await unit.value(QUERIES["count_credited_links"], {"id": run_id})
        await unit.execute(QUERIES["add_run_to_task"], {"id": task_id, "credited": credited, "now": now})


async def list_runs(unit: Unit, task_id: int, *, before: int | None, limit: int) -> list[TaskRun]:
    """The runs of a task, the latest first."""
    given = {"task_id": task_id, "before": before, "limit": limit}
    return await unit.all(QUERIES["list_runs"], given, into=in_utc(TaskRun))


async def find_run(unit: Unit, run_id: int) -> TaskRun | None:
    return await unit.one(QUERIES["find_run"], {"id": run_id}, into=in_utc(TaskRun))


async def get_scorecard(unit: Unit, task_id: int) -> Scorecard:
    """What came of everything that a task found."""
    scorecard = await unit.one(QUERIES["get_scorecard"], {"task_id": task_id}, into=Scorecard)
    assert scorecard is not None
    return scorecard


async def count_links_by_day(unit: Unit, task_id: int, since: datetime) -> list[DayCount]:
    """What a task found day by day, and what came of it."""
    return await unit.all(QUERIES["count_links_by_day"], {"task_id": task_id, "since": since}, into=DayCount)


async def save_preview(unit: Unit, job_id: int, preview: TaskPreview, now: datetime) -> None:
    given = {"job_id": job_id, "found": Jsonb(to_builtins(preview)), "now": now}
    await unit.execute(QUERIES["save_preview"], given)


async def find_preview(unit: Unit, job_id: int) -> TaskPreview | None:
    stored = await unit.value(QUERIES["find_preview"], {"job_id": job_id})
    return None if stored is None else msgspec.convert(stored, TaskPreview)


async def delete_previews_before(unit: Unit, before: datetime) -> int:
    """Forget what was found out before a moment."""
    return await unit.execute(QUERIES["delete_previews_before"], {"before": before})
