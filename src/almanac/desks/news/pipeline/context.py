"""What one run of the pipeline works with: services, the page reader, robots rules, and the lease its writes need."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import timedelta

from almanac.articles import PageReader
from almanac.desks.news.model.rules import CompiledRule
from almanac.desks.news.pipeline.robots import RobotsCache
from almanac.desks.news.writer.composer import StoryComposer
from almanac.desks.news.writer.step import STORY
from almanac.relational import Unit
from almanac.services import Services

LEASE = timedelta(minutes=10)
OpenUnit = Callable[[], AbstractAsyncContextManager[Unit]]
Report = Callable[[int | None, int | None, str], Awaitable[None]]


async def no_report(_done: int | None, _total: int | None, _doing: str) -> None:
    """No-op progress callback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineContext:
    """One run of the pipeline. `open_unit` opens a transaction that commits only while the run still holds its job.

    `lease` is the name of the holder, such as a job, a slash, and an id that differs between its runs.
    """

    services: Services
    reader: PageReader
    lease: str
    open_unit: OpenUnit
    robots: RobotsCache
    composer: StoryComposer
    rules: list[CompiledRule] = field(default_factory=list)

    @property
    def holder(self) -> str:
        """The lease without the id of the run."""
        return self.lease.partition("/")[0]


def open_context(
    services: Services, reader: PageReader, lease: str, open_unit: OpenUnit | None = None
) -> PipelineContext:
    """A context on a running installation."""
    robots = RobotsCache(services.database, services.fetcher, services.clock, services.settings.fetch_user_agent)
    # Extraction is free, and its highlights are picked when the page is parsed, so no model call is recorded.
    has_model = services.models.config.for_step(STORY.name) is not None
    return PipelineContext(
        services=services,
        reader=reader,
        lease=lease,
        open_unit=open_unit or services.database.unit,
        robots=robots,
        composer=StoryComposer(services.writer if has_model else None, services.clock, services.judge),
    )
