"""What must be true of the whole, whatever was asked of it: jobs, mail, the audit chain, the files of the tables."""

import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from report import Report
from stage import Stage
from starting import run_almanac

from tablature.engine.engine import Engine

ENDED = {"succeeded", "failed", "cancelled"}


async def unfinished_jobs(stage: Stage) -> int:
    """Jobs that wait or run, apart from those that a schedule starts and nobody asked for."""
    return sum(job["status"] not in ENDED and not _is_for_later(job) for job in await stage.admin.every("/jobs"))


def _is_for_later(job: dict[str, Any]) -> bool:
    """Whether it was never tried and is meant for a later time, as a notification that waits for others."""
    begins = job["not_before"] and datetime.fromisoformat(job["not_before"])
    return not job["attempts"] and bool(begins) and begins > datetime.now(UTC)


async def check_jobs(stage: Stage, report: Report) -> None:
    jobs = {str(job["id"]): job for job in await stage.admin.every("/jobs")}
    asked = stage.journal.certain("jobs")
    lost = [number for number in asked if number not in jobs or jobs[number]["status"] not in ENDED]
    report.claim(
        "jobs: every one that was acknowledged has ended",
        f"{len(asked)}, {len(lost)} lost",
        holds=not lost,
        detail="\n".join(lost),
    )
    statuses = Counter(job["status"] for job in jobs.values())
    failed = [
        f"{job['id']} {job['task']} {job['status']}: {job['reason']}"
        for job in jobs.values()
        if job["status"] in ("failed", "cancelled")
    ]
    later = sum(map(_is_for_later, jobs.values()))
    open_ones = [
        f"{job['id']} {job['task']}" for job in jobs.values() if job["status"] not in ENDED and not _is_for_later(job)
    ]
    report.claim(
        "jobs: every job has succeeded, but for those that are meant for later",
        f"{statuses['succeeded']} of {len(jobs)}, {later} later",
        holds=not failed and not open_ones,
        detail="\n".join([*failed, *open_ones]),
    )
    taken_over = sum(job["attempts"] > 1 for job in jobs.values())
    report.claim("jobs: of those, taken over from a killed worker or tried again", taken_over)


async def check_mail(stage: Stage, report: Report) -> None:
    """By the name that each mail carries: one name, one mail at the server."""
    ids = stage.office.message_ids
    twice = [name for name, count in ids.items() if count > 1]
    report.claim(
        "mail: no message arrived twice at the server",
        f"{sum(ids.values())} mails, {len(twice)} twice",
        holds=not twice,
        detail="\n".join(twice),
    )
    mails = await stage.admin.every("/mail")
    states = Counter(mail["status"] for mail in mails)
    waiting = [mail["id"] for mail in mails if mail["status"] in ("queued", "sending")]
    text = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    report.claim("mail: every message has an outcome", text, holds=not waiting, detail="\n".join(waiting))


async def check_records(stage: Stage, report: Report) -> None:
    chain = await stage.admin.get("/audit/check")
    report.claim(
        "audit: the chain is unbroken", f"{chain['entries']} entries", holds=chain["intact"], detail=chain["reason"]
    )
    checked = json.loads(await run_almanac(stage, "reminders", "check", "--json"))
    report.claim(
        "`almanac reminders check` finds nothing wrong",
        f"{checked['ladders']} ladders",
        holds=not checked["findings"],
        detail=json.dumps(checked["findings"], indent=1),
    )


def check_processes(stage: Stage, report: Report) -> None:
    late = sum(len(program.late) for program in stage.programs)
    report.claim("starts that had to be repeated because PostgreSQL was down", late)
    ended = [f"{program.kind} ended with {code}" for program in stage.programs for code in program.ended]
    report.claim(
        "no process that had started ended but by a kill",
        f"{len(ended)} did",
        holds=not ended,
        detail="\n".join(ended),
    )
    orphans = [line for program in stage.programs for line in program.orphans()]
    report.claim(
        "nothing that a killed process had started is left",
        f"{len(orphans)} left",
        holds=not orphans,
        detail="\n".join(orphans),
    )


def check_tables(stage: Stage, report: Report) -> None:
    """When everything has stopped: the file by SQLite's own check and ours."""
    with Engine(stage.folder / "tables.db") as engine:
        findings = engine.storage.check()
    report.claim(
        "the file of the tables is sound",
        f"{len(findings)} findings",
        holds=not findings,
        detail="\n".join(map(str, findings)),
    )
