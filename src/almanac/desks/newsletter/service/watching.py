"""Following a newsletter while jobs work on it."""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter.jobs import STEP_OF
from almanac.desks.newsletter.service.generation import progress
from almanac.jobs import JobView
from almanac.jobs.feed import follow_jobs
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


async def follow(
    services: Services, principal: Principal, code: str, *, shown: Collection[int] = ()
) -> AsyncGenerator[Event, None]:
    """The present state of every step and of the jobs in `shown`, then each change, until the reader leaves."""
    steps = await progress(services, principal, code)
    for one in steps:
        yield Event(
            step=one.step,
            status=one.state.status,
            job_id=one.state.job,
            error=one.state.error,
            done=one.job.done if one.job else None,
            total=one.job.total if one.job else None,
            doing=one.job.doing if one.job else None,
        )
    # A step that is under way may end before its changes are listened to; so may whatever the reader shows.
    first = {*shown, *(one.state.job for one in steps if one.state.job and one.state.status == "processing")}
    async with aclosing(follow_jobs(services.jobs, STEP_OF, {"code": code}, first=first)) as changes:
        async for detail in changes:
            yield _event(detail.job, detail.args.get("section"))


def _event(job: JobView, section: str | None) -> Event:
    return Event(
        step=STEP_OF[job.task],
        status=str(job.status),
        job_id=job.id,
        section=section,
        done=job.done,
        total=job.total,
        doing=job.doing,
        error=job.reason,
    )
