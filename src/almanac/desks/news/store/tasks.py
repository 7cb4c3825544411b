"""Query tasks, their sources, runs, scorecards, and the rules."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from almanac.desks.news.model.rules import Action, Rule, RuleFields
from almanac.desks.news.model.tasks import DayCount, QueryTask, Run, Scorecard, Source, SourceKind, Trigger
from almanac.desks.news.store.rows import QUERIES, columns, in_utc
from almanac.relational import Unit


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
        return {
            "task_name": self.task_name,
            "prompt_template": self.prompt_template,
            "is_active": self.is_active,
            "schedule": self.schedule,
            "time_zone": self.time_zone,
            "next_run": self.next_run,
            "now": now,
        }


@dataclass(frozen=True, slots=True)
class Due:
    """A task that is to be planned or run."""

    id: int
    schedule: str | None
    time_zone: str | None
    next_run: datetime | None = None


async def list_tasks(unit: Unit) -> list[QueryTask]:
    """Every task by name, with its sources."""
    found = await unit.all(QUERIES["list_tasks"], into=in_utc(QueryTask))
    return await _with_sources(unit, found)


async def find_task(unit: Unit, name: str) -> QueryTask | None:
    found = await unit.one(QUERIES["find_task"], {"name": name}, into=in_utc(QueryTask))
    return (await _with_sources(unit, [found]))[0] if found else None


async def find_task_by_id(unit: Unit, task_id: int) -> QueryTask | None:
    found = await unit.one(QUERIES["find_task_by_id"], {"id": task_id}, into=in_utc(QueryTask))
    return (await _with_sources(unit, [found]))[0] if found else None


async def _with_sources(unit: Unit, tasks: Sequence[QueryTask]) -> list[QueryTask]:
    rows = await unit.all(QUERIES["list_sources"], {"tasks": [task.id for task in tasks]}, into=in_utc(columns))
    by_task: dict[int, list[Source]] = {}
    for row in rows:
        task_id, kind = row.pop("task_id"), SourceKind(row.pop("kind"))
        by_task.setdefault(task_id, []).append(Source(kind=kind, **row))
    return [replace(task, sources=tuple(by_task.get(task.id, ()))) for task in tasks]


async def add_task(unit: Unit, fields: TaskFields, now: datetime) -> int:
    """Add a task; a name that is taken is a Duplicate."""
    return int(await unit.value(QUERIES["add_task"], fields.params(now)))


async def edit_task(unit: Unit, task_id: int, fields: TaskFields, *, expected: int, now: datetime) -> bool:
    """Change a task if nobody else did meanwhile."""
    given = {**fields.params(now), "id": task_id, "expected": expected}
    return await unit.execute(QUERIES["edit_task"], given) == 1


async def rename_in_links(unit: Unit, old: str, new: str) -> None:
    """Links name the task that found them."""
    await unit.execute(QUERIES["rename_in_links"], {"old": old, "new": new})


async def delete_task(unit: Unit, name: str) -> bool:
    return await unit.execute(QUERIES["delete_task"], {"name": name}) == 1


async def put_sources(unit: Unit, task_id: int, sources: Sequence[Source]) -> None:
    """Give a task these sources and no others; those it has already keep what is known of them."""
    for source in sources:
        given = {"task_id": task_id, "kind": source.kind, "address": source.address, "title": source.title}
        await unit.execute(QUERIES["add_source"], given)
    kept = {"kinds": [str(one.kind) for one in sources], "addresses": [one.address for one in sources]}
    await unit.execute(QUERIES["drop_other_sources"], {"task_id": task_id, **kept})


async def note_source(
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
    await unit.execute(QUERIES["note_source"], given)


async def unplanned_tasks(unit: Unit) -> list[Due]:
    """Tasks with a schedule whose next run nobody worked out, such as those that another program added."""
    return await unit.all(QUERIES["unplanned_tasks"], into=Due)


async def due_tasks(unit: Unit, now: datetime, limit: int) -> list[Due]:
    """Tasks that are due; nobody else gets them until the unit ends."""
    return await unit.all(QUERIES["due_tasks"], {"now": now, "limit": limit}, into=in_utc(Due))


async def plan_task(unit: Unit, task_id: int, next_run: datetime | None) -> None:
    await unit.execute(QUERIES["plan_task"], {"id": task_id, "next_run": next_run})


async def unplan_task(unit: Unit, task_id: int, now: datetime) -> None:
    """Let a task rest whose schedule can't be read."""
    await unit.execute(QUERIES["unplan_task"], {"id": task_id, "now": now})


async def begin_run(
    unit: Unit, task_id: int, *, trigger: Trigger, job_id: int | None, now: datetime
) -> tuple[int, str]:
    """The run of a job, new or begun by an attempt before this one, with its status."""
    given = {"task_id": task_id, "trigger": trigger, "job_id": job_id, "now": now}
    row = await unit.one(QUERIES["begin_run"], given)
    assert row is not None
    return row["id"], row["status"]


async def add_to_run(
    unit: Unit, run_id: int, *, found: int = 0, added: int = 0, duplicate: int = 0, blocked: int = 0, refused: int = 0
) -> None:
    """Count what a source of the run brought."""
    given = {
        "id": run_id,
        "found": found,
        "added": added,
        "duplicate": duplicate,
        "blocked": blocked,
        "refused": refused,
    }
    await unit.execute(QUERIES["add_to_run"], given)


async def end_run(
    unit: Unit, run_id: int, task_id: int, *, problems: Sequence[str], status: str, now: datetime
) -> None:
    """End a run once, and count it with its task."""
    given = {"id": run_id, "problems": list(problems), "status": status, "now": now}
    if await unit.execute(QUERIES["end_run"], given):
        credited = await unit.value(QUERIES["credited_in_run"], {"id": run_id})
        await unit.execute(QUERIES["count_run"], {"id": task_id, "credited": credited, "now": now})


async def list_runs(unit: Unit, task_id: int, *, before: int | None, limit: int) -> list[Run]:
    """The runs of a task, the latest first."""
    given = {"task_id": task_id, "before": before, "limit": limit}
    return await unit.all(QUERIES["list_runs"], given, into=in_utc(Run))


async def find_run(unit: Unit, run_id: int) -> Run | None:
    return await unit.one(QUERIES["find_run"], {"id": run_id}, into=in_utc(Run))


async def scorecard(unit: Unit, task_id: int) -> Scorecard:
    """What came of everything that a task found."""
    found = await unit.one(QUERIES["scorecard"], {"task_id": task_id}, into=Scorecard)
    assert found is not None
    return found


async def days_of_task(unit: Unit, task_id: int, since: datetime) -> list[DayCount]:
    """What a task found day by day, and what came of it."""
    return await unit.all(QUERIES["days_of_task"], {"task_id": task_id, "since": since}, into=DayCount)


async def list_rules(unit: Unit) -> list[Rule]:
    return await unit.all(QUERIES["list_rules"], into=_rule)


async def find_rule(unit: Unit, rule_id: int) -> Rule | None:
    return await unit.one(QUERIES["find_rule"], {"id": rule_id}, into=_rule)


async def add_rule(unit: Unit, rule: RuleFields, now: datetime) -> int:
    """Add a rule; a name that is taken is a Duplicate."""
    return int(await unit.value(QUERIES["add_rule"], {**asdict(rule), "now": now}))


async def edit_rule(unit: Unit, rule_id: int, rule: RuleFields, *, expected: int) -> bool:
    """Change a rule if nobody else did meanwhile."""
    return await unit.execute(QUERIES["edit_rule"], {**asdict(rule), "id": rule_id, "expected": expected}) == 1


async def delete_rule(unit: Unit, rule_id: int) -> bool:
    return await unit.execute(QUERIES["delete_rule"], {"id": rule_id}) == 1


def _rule(*, action: str, **row: Any) -> Rule:
    return Rule(action=Action(action), **row)
