"""One run of a task: every source is asked, what it names is kept, and what went wrong is told with the run."""

import logging
from collections.abc import Mapping, Sequence

from almanac.desks.news.fetching.turns import Turns
from almanac.desks.news.model.tasks import QueryTask, Run, Source, SourceKind, Trigger, filled_prompt
from almanac.desks.news.pipeline.working import Report, no_report
from almanac.desks.news.sources.adding import Finder, Tally, add_found
from almanac.desks.news.sources.feeds import FeedFinder
from almanac.desks.news.sources.model_search import ModelFinder
from almanac.desks.news.sources.port import Findings, LinkFinder
from almanac.desks.news.sources.searching import SearchFinder
from almanac.desks.news.sources.sites import SiteFinder
from almanac.desks.news.store import tasks
from almanac.errors import UNEXPECTED_ERROR, AlmanacError
from almanac.services import Services

DONE, PARTLY, FAILED = "done", "partly done", "failed"
logger = logging.getLogger(__name__)


def finders_of(services: Services) -> Mapping[SourceKind, LinkFinder]:
    """The adapter for each kind of source."""
    turns = Turns(services.database, services.clock, services.settings.news_delay_ms)
    return {
        SourceKind.FEED: FeedFinder(services.fetcher, turns, services.page_reader),
        SourceKind.SITE: SiteFinder(services.fetcher, turns),
        SourceKind.SEARCH: SearchFinder(services.fetcher, services.settings.news_search_url),
        SourceKind.MODEL: ModelFinder(services.web_search),
    }


def sources_of(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Where a task with these sources looks; one without any searches with its words."""
    return tuple(sources) or (Source(kind=SourceKind.SEARCH),)


def name_of(source: Source) -> str:
    """What people call it."""
    return source.title or source.address or str(source.kind)


async def ask(finder: LinkFinder, source: Source, words: str) -> Findings | str:
    """What a source names, or the sentence of its failure; one that nobody thought of must not end the whole run."""
    try:
        return await finder.find(source, words)
    except AlmanacError as error:
        return error.sentence
    except Exception:
        logger.exception("A source could not be asked.", extra={"source": name_of(source)})
        return UNEXPECTED_ERROR


async def run_task(
    services: Services, task: QueryTask, *, trigger: Trigger, job_id: int | None = None, report: Report = no_report
) -> Run:
    """Ask every source. One that fails doesn't keep the others from being asked; a run goes on after a crash."""
    async with services.database.unit() as unit:
        run_id, status = await tasks.begin_run(unit, task.id, trigger=trigger, job_id=job_id, now=services.clock.now())
    if status == "running":
        problems = await _ask_all(services, task, run_id, report)
        asked = len(sources_of(task.sources))
        ended = DONE if not problems else FAILED if len(problems) >= asked else PARTLY
        async with services.database.unit() as unit:
            await tasks.end_run(unit, run_id, task.id, problems=problems, status=ended, now=services.clock.now())
    async with services.database.unit() as unit:
        run = await tasks.find_run(unit, run_id)
    assert run is not None
    return run


async def _ask_all(services: Services, task: QueryTask, run_id: int, report: Report) -> list[str]:
    finders, words = finders_of(services), filled_prompt(task.prompt_template, services.clock.now())
    finder = Finder(task.task_name, task.id, run_id)
    problems: list[str] = []
    sources = sources_of(task.sources)
    for done, source in enumerate(sources):
        await report(done, len(sources), f"Asking {name_of(source)}")
        found = await ask(finders[source.kind], source, words)
        if isinstance(found, str):
            problems.append(f"{name_of(source)}: {found}")
            await _note(services, source, error=found)
            continue
        tally = await add_found(services.database, services.clock, found.links, finder)
        await _keep(services, run_id, source, found, tally)
    return problems


async def _keep(services: Services, run_id: int, source: Source, found: Findings, tally: Tally) -> None:
    """Count what a source brought. What it says about itself is kept last, so that a crash asks it again in full."""
    async with services.database.unit() as unit:
        await tasks.add_to_run(
            unit,
            run_id,
            found=tally.found,
            added=tally.added,
            duplicate=tally.duplicate,
            blocked=tally.blocked,
            refused=tally.refused,
        )
    await _note(services, source, found=found)


async def _note(services: Services, source: Source, *, found: Findings | None = None, error: str | None = None) -> None:
    if not source.id:
        return
    async with services.database.unit() as unit:
        await tasks.note_source(
            unit,
            source.id,
            now=services.clock.now(),
            error=error,
            etag=found.conditions.etag if found else None,
            last_modified=found.conditions.last_modified if found else None,
            title=found.title if found else "",
        )
