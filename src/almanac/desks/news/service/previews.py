"""A look at what a task would find: a job asks the sources, and its finding can be read for a day."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.news.events import record
from almanac.desks.news.jobs import PREVIEW
from almanac.desks.news.model.tasks import Preview, QueryTask, Source
from almanac.desks.news.sources.running import sources_of
from almanac.desks.news.store import previews
from almanac.errors import NotFound
from almanac.jobs import JobDetail
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class Look:
    """A look and how far it is; `found` is there once its job has ended well."""

    detail: JobDetail
    found: Preview | None


async def start_preview(services: Services, principal: Principal, words: str, sources: Sequence[Source]) -> int:
    """Let a worker find out what these words and sources name now; returns the job's id."""
    asked = [{"kind": str(one.kind), "address": one.address, "title": one.title} for one in sources_of(sources)]
    async with services.database.unit() as unit:
        await record(unit, services, principal.actor, "news.task.previewed", "preview", sources=len(asked))
        return await services.jobs.defer(PREVIEW, {"words": words, "sources": asked}, unit=unit, priority=1)


async def preview_task(services: Services, principal: Principal, task: QueryTask) -> int:
    """Let a worker find out what a task would find now; returns the job's id."""
    return await start_preview(services, principal, task.prompt_template, task.sources)


async def get_preview(services: Services, job_id: int) -> Look:
    """How a look stands, and what it found."""
    # The job is read before what it leaves, so that one that has ended is never shown without its finding.
    detail = await services.jobs.job(job_id)
    if detail.job.task != PREVIEW.name:
        raise NotFound("There is no such preview.")
    async with services.database.unit() as unit:
        return Look(detail, await previews.find_preview(unit, job_id))


async def cancel_preview(services: Services, job_id: int) -> Look:
    """Stop a look, wherever it is."""
    look = await get_preview(services, job_id)
    if not look.detail.job.status.final:
        await services.jobs.abort(job_id)
    return await get_preview(services, job_id)
