"""Finds links: asks every source of a task, stores what is new, and records problems with the run. Also previews."""

import logging
from collections.abc import Mapping, Sequence

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import (
    LinkSource,
    LinkSourceKind,
    QueryTask,
    TaskPreview,
    TaskRun,
    Trigger,
    fill_prompt,
)
from almanac.desks.news.pipeline.context import Report, no_report
from almanac.desks.news.pipeline.new_links import FoundBy, LinkTally, add_found_links
from almanac.desks.news.sources.base import DomainRateLimiter, LinkFinder, SourceResult
from almanac.desks.news.sources.feeds import FeedFinder
from almanac.desks.news.sources.search import ModelFinder, SearchFinder
from almanac.desks.news.sources.sites import SiteFinder
from almanac.desks.news.store import tasks
from almanac.errors import UNEXPECTED_ERROR, AlmanacError
from almanac.services import Services

DONE, PARTLY, FAILED = "done", "partly done", "failed"
PREVIEW_LIMIT = 100
logger = logging.getLogger(__name__)


def link_finders(services: Services) -> Mapping[LinkSourceKind, LinkFinder]:
    """The adapter for each kind of source."""
    limiter = DomainRateLimiter(services.database, services.clock, services.settings.news_delay_ms)
    return {
        LinkSourceKind.FEED: FeedFinder(services.fetcher, limiter, services.page_reader),
        LinkSourceKind.SITE: SiteFinder(services.fetcher, limiter),
        LinkSourceKind.SEARCH: SearchFinder(services.fetcher, services.settings.news_search_url),
        LinkSourceKind.MODEL: ModelFinder(services.web_search),
    }


def sources_or_search(sources: Sequence[LinkSource]) -> tuple[LinkSource, ...]:
    """The sources of a task; a task without any runs a search for its words."""
    return tuple(sources) or (LinkSource(kind=LinkSourceKind.SEARCH),)


def source_name(source: LinkSource) -> str:
    """Title, address or kind, whichever is set first."""
    return source.title or source.address or str(source.kind)


async def ask_source(finder: LinkFinder, source: LinkSource, words: str) -> SourceResult | str:
    """What a source names, or the sentence of its failure. Unexpected errors are logged, so that the run goes on."""
    try:
        return await finder.find(source, words)
    except AlmanacError as error:
        return str(error.sentence)
    except Exception:
        logger.exception("A source could not be asked.", extra={"source": source_name(source)})
        return str(UNEXPECTED_ERROR)


async def run_task(
    services: Services, task: QueryTask, *, trigger: Trigger, job_id: int | None = None, report: Report = no_report
) -> TaskRun:
    """Ask every source of a task. A failing source doesn't stop the others; a run resumes after a crash."""
    async with services.database.unit() as unit:
        run_id, status = await tasks.start_run(unit, task.id, trigger=trigger, job_id=job_id, now=services.clock.now())
    if status == "running":
        problems = await _ask_sources(services, task, run_id, report)
        asked = len(sources_or_search(task.sources))
        status = DONE if not problems else FAILED if len(problems) >= asked else PARTLY
        async with services.database.unit() as unit:
            await tasks.finish_run(unit, run_id, task.id, problems=problems, status=status, now=services.clock.now())
    async with services.database.unit() as unit:
        run = await tasks.find_run(unit, run_id)
    assert run is not None
    return run


async def _ask_sources(services: Services, task: QueryTask, run_id: int, report: Report) -> list[str]:
    finders, words = link_finders(services), fill_prompt(task.prompt_template, services.clock.now())
    found_by = FoundBy(task.task_name, task.id, run_id)
    problems: list[str] = []
    sources = sources_or_search(task.sources)
    for done, source in enumerate(sources):
        await report(done, len(sources), f"Asking {source_name(source)}")
        result = await ask_source(finders[source.kind], source, words)
        if isinstance(result, str):
            problems.append(f"{source_name(source)}: {result}")
            await _record_result(services, source, error=result)
            continue
        tally = await add_found_links(services.database, services.clock, result.links, found_by)
        await _add_to_run(services, run_id, tally)
        # Validators are stored last, so that a crash before this asks the source again in full.
        await _record_result(services, source, result=result)
    return problems


async def _add_to_run(services: Services, run_id: int, tally: LinkTally) -> None:
    async with services.database.unit() as unit:
        await tasks.add_run_counts(
            unit,
            run_id,
            total=tally.found,
            added=tally.added,
            duplicate=tally.duplicate,
            blocked=tally.blocked,
            refused=tally.refused,
        )


async def _record_result(
    services: Services, source: LinkSource, *, result: SourceResult | None = None, error: str | None = None
) -> None:
    """Record how a stored source answered; the implicit search source of a task has no id and is not stored."""
    if not source.id:
        return
    async with services.database.unit() as unit:
        await tasks.record_source_result(
            unit,
            source.id,
            now=services.clock.now(),
            error=error,
            etag=result.conditions.etag if result else None,
            last_modified=result.conditions.last_modified if result else None,
            title=result.title if result else "",
        )


async def preview_sources(
    services: Services,
    words: str,
    sources: Sequence[LinkSource],
    *,
    report: Report = no_report,
    limit: int = PREVIEW_LIMIT,
) -> TaskPreview:
    """What a run would find now, asked without conditional requests; nothing is stored."""
    finders, words = link_finders(services), fill_prompt(words, services.clock.now())
    links: list[FoundLink] = []
    problems: list[str] = []
    for done, source in enumerate(sources):
        await report(done, len(sources), f"Asking {source_name(source)}")
        unconditional = LinkSource(kind=source.kind, address=source.address, title=source.title)
        result = await ask_source(finders[source.kind], unconditional, words)
        if isinstance(result, str):
            problems.append(f"{source_name(source)}: {result}")
        else:
            links += result.links
    return TaskPreview(links[:limit], problems)
