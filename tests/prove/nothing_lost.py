"""Nothing lost, nothing sent twice: load over all desks while every part is killed at random; then what is left of it.

`PROVE_SECONDS` sets how long (300 unless said); with `PROVE_QUICK=1` leases last seconds, and so does the wait.
"""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from at_habits import Habits
from at_news import News
from at_newsletters import Newsletters
from at_platform import Platform
from at_recap import Recap
from at_reminders import Reminders
from calling import InDoubt, Refused
from chaos import supervise, wreak_havoc
from checks import check_jobs, check_mail, check_processes, check_records, check_tables, unfinished_jobs
from parts import Part
from report import Report
from stage import Desk, Plan, Stage, tell, until
from starting import set_stage

DESKS: tuple[Callable[[Stage], Desk], ...] = (Habits, News, Recap, Newsletters, Reminders, Platform)
WEIGHTS = {"serve": 3, "worker": 3, "table endpoint": 2, "PostgreSQL": 2}


def plan_from_environment() -> Plan:
    seconds = float(os.environ.get("PROVE_SECONDS", "300"))
    if os.environ.get("PROVE_QUICK"):
        return Plan(seconds=seconds, pause=(1, 3), settle_seconds=240, workers=1, pages_in_feeds=6, is_quick=True)
    return Plan(seconds=seconds)


def prove() -> Report:
    """The whole proof, in a folder that is removed unless a claim was found broken."""
    plan = plan_from_environment()
    folder = Path(tempfile.mkdtemp(prefix="almanac-prove-"))
    report = asyncio.run(_prove(plan, folder))
    if report.holds:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        tell(f"the journal and the logs are kept in {folder}")
    return report


async def _prove(plan: Plan, folder: Path) -> Report:
    report = Report("Nothing lost, nothing sent twice")
    async with set_stage(plan, folder) as stage, _supervised(stage):
        desks = [desk(stage) for desk in DESKS]
        for desk in desks:
            await desk.set_up()
        tell("everything runs; the load begins")
        await _load(stage, desks)
        tell(f"load over: {stage.journal.writes} writes acknowledged, killed {dict(stage.kills)}; now it settles")
        rest = await _settle(stage, desks)
        tell(f"at rest after {rest:.0f} s; now everything is looked for")
        _describe(stage, report, rest)
        for desk in desks:
            await desk.check(report)
        await check_jobs(stage, report)
        await check_mail(stage, report)
        await check_records(stage, report)
        check_processes(stage, report)
    check_tables(stage, report)
    return report


@asynccontextmanager
async def _supervised(stage: Stage) -> AsyncIterator[None]:
    watch = asyncio.create_task(supervise(stage.programs))
    try:
        yield
    finally:
        watch.cancel()


async def _load(stage: Stage, desks: list[Desk]) -> None:
    end = time.monotonic() + stage.plan.seconds
    everything: list[Part] = [*stage.programs, stage.postgres]
    parts = [(part, WEIGHTS[part.kind]) for part in everything]
    havoc = wreak_havoc(parts, stage.chance, stage.plan.pause, stage.kills, end)
    writers = [_write(stage, desk, writer, end) for desk in desks for writer in range(desk.writers)]
    await asyncio.gather(havoc, *writers)


async def _write(stage: Stage, desk: Desk, writer: int, end: float) -> None:
    """Round after round; what is cut off is in doubt, and what is refused without a reason is a fault."""
    while time.monotonic() < end:
        try:
            await desk.write(writer)
        except InDoubt as doubt:
            stage.met["rounds cut off"] += 1
            stage.journal.doubt("rounds", f"{type(desk).__name__} {writer}: {doubt}")
        except Refused as refusal:
            stage.trouble.append(f"{type(desk).__name__}: {refusal}")


async def _settle(stage: Stage, desks: list[Desk]) -> float:
    """Nothing is killed any more and the post office is kind; returns how long it took until all work had ended."""
    began = time.monotonic()
    stage.office.is_kind = True

    async def is_at_rest() -> bool:
        return not await unfinished_jobs(stage) and all([await desk.is_at_rest() for desk in desks])

    await until(is_at_rest, stage.plan.settle_seconds, pause=1)
    return time.monotonic() - began


def _describe(stage: Stage, report: Report, rest: float) -> None:
    kills = ", ".join(f"{count} × {kind}" for kind, count in sorted(stage.kills.items()))
    report.claim("seconds under load", f"{stage.plan.seconds:.0f}")
    report.claim("kills by `kill -9`, each with a restart", f"{stage.kills.total()}: {kills}")
    report.claim("acknowledged writes", stage.journal.writes)
    report.claim("requests repeated because they got no answer", stage.met["requests repeated"])
    report.claim("requests that stayed in doubt, told as such to the client", stage.met["rounds cut off"])
    report.claim(
        "requests refused without a reason",
        len(stage.trouble),
        holds=not stage.trouble,
        detail="\n".join(stage.trouble[:20]),
    )
    limit = stage.plan.settle_seconds
    report.claim("seconds until all work had ended", f"{rest:.0f}", holds=rest < limit, detail=f"more than {limit:.0f}")
