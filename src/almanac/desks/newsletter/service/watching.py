"""Following a newsletter while jobs work on it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter.service.generation import progress
from almanac.desks.newsletter.tasks import STEP_OF
from almanac.errors import NotFound
from almanac.jobs import JobView
from almanac.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A step, or one section of the draft, as it stands now."""

    step: str
    status: str
    job_id: int | None = None
    section: str | None = None
    done: int | None = None
    total: int | None = None
    doing: str | None = None
    error: str | None = None


async def follow(services: Services, principal: Principal, code: str) -> AsyncGenerator[Event, None]:
    """The present state of every step first, then each change; it goes on until the reader leaves."""
    ours: dict[int, str | None] = {}
    async with aclosing(services.jobs.watch()) as changes:
        for one in await progress(services, principal, code):
            yield Event(
                step=one.step, status=one.state.status, job_id=one.state.job, error=one.state.error,
                done=one.job.done if one.job else None, total=one.job.total if one.job else None,
                doing=one.job.doing if one.job else None,
            )  # fmt: skip
        async for job in changes:
            if job.task not in STEP_OF:
                continue
            if job.id not in ours:
                ours[job.id] = await _section_of(services, job, code)
            if (section := ours[job.id]) is not None:
                yield _event(job, section)


async def _section_of(services: Services, job: JobView, code: str) -> str | None:
    """The section that a job of this newsletter writes, empty where it does a whole step; None for other jobs."""
    try:
        args = (await services.jobs.job(job.id)).args
    except NotFound:
        return None
    return str(args.get("section", "")) if args.get("code") == code else None


def _event(job: JobView, section: str) -> Event:
    return Event(
        step=STEP_OF[job.task], status=str(job.status), job_id=job.id, section=section or None, done=job.done,
        total=job.total, doing=job.doing, error=job.reason,
    )  # fmt: skip
