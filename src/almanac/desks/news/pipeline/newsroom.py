"""What the pipeline works with: the services it needs, readers of pages, and the lease that its writes are bound to."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import timedelta

from almanac.articles import PageReader
from almanac.desks.news.fetching.robots import RobotRules
from almanac.desks.news.model.rules import ReadyRule
from almanac.desks.news.writer.compose import Composer
from almanac.desks.news.writer.step import STORY
from almanac.relational import Unit
from almanac.services import Services

LEASE = timedelta(minutes=10)
OpenUnit = Callable[[], AbstractAsyncContextManager[Unit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Newsroom:
    """One run of the pipeline. `open_unit` opens a transaction that commits only while the run holds its job.

    The lease is the holder's name, such as that of a job, a slash, and what tells its runs apart.
    """

    services: Services
    reader: PageReader
    lease: str
    open_unit: OpenUnit
    robots: RobotRules
    composer: Composer
    rules: list[ReadyRule] = field(default_factory=list)

    @property
    def holder(self) -> str:
        return self.lease.partition("/")[0]


def open_newsroom(services: Services, reader: PageReader, lease: str, open_unit: OpenUnit | None = None) -> Newsroom:
    """A newsroom on a running installation."""
    robots = RobotRules(services.database, services.fetcher, services.clock, services.settings.fetch_user_agent)
    # Extraction costs nothing, and what is chosen was chosen when the page was read: there is nothing to book.
    has_model = services.models.config.for_step(STORY.name) is not None
    return Newsroom(
        services=services,
        reader=reader,
        lease=lease,
        open_unit=open_unit or services.database.unit,
        robots=robots,
        composer=Composer(services.writer if has_model else None, services.clock),
    )
