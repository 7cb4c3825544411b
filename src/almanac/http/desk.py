"""The descriptor by which a desk presents itself: to the web, to workers and to the command line.

The list of desks is in `almanac.desks`.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from almanac.accounts.model import Principal
from almanac.accounts.permissions import desk_permission
from almanac.demo import DemoPart
from almanac.http.overview import Overview
from almanac.jobs import JobType, Schedule
from almanac.search import DocumentProvider
from almanac.services import Services
from almanac.webhooks import EventType

if TYPE_CHECKING:
    import typer
    from fastapi import APIRouter

    from almanac.terminal import OpenServices

MOST_WAITING = 50
Waiting = Callable[[Services, Principal], Awaitable[int]]
AtAGlance = Callable[[Services, Principal], Awaitable[Overview]]
Searchable = Callable[[Services], tuple[DocumentProvider, ...]]


async def nothing_waits(_services: Services, _principal: Principal) -> int:
    """For a desk where nothing can wait for a person."""
    return 0


async def nothing_to_see(_services: Services, _principal: Principal) -> Overview:
    """For a desk that shows nothing of itself on the home page."""
    return Overview()


def nothing_to_search(_services: Services) -> tuple[DocumentProvider, ...]:
    """For a desk of which nothing can be searched for."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Desk:
    """One desk: its package, its words and how much waits there; its background work, the events it tells webhooks of,
    what can be searched for, and the demo content it brings. `mail_news` is the task that learns by `mail_id` what
    became of mail whose topic is the desk's name. Every page asks what is waiting, so a desk may stop counting at
    MOST_WAITING, which stands for that many and more. `glance` is what the home page shows. `languages` are those of
    its pages; errors there are told in them. `places` are pages that readers find by words. `writes` names the steps of
    writing that are its own, which settings may give another model.

    Its pages, API and commands are the rooms `pages`, `api` and `commands` of its package. A worker needs none of
    them, and they take long to load, so each is loaded when it is asked for.
    """

    package: str
    name: str
    title: str
    summary: str
    waiting: Waiting = field(default=nothing_waits)
    glance: AtAGlance = field(default=nothing_to_see)
    jobs: tuple[JobType, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    writes: tuple[str, ...] = ()
    events: tuple[EventType, ...] = ()
    searchable: Searchable = field(default=nothing_to_search)
    mail_news: JobType | None = None
    places: Mapping[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ("en",)
    demo: DemoPart | None = None

    @property
    def pages(self) -> "APIRouter":
        router: APIRouter = self._room("pages").pages
        return router

    @property
    def api(self) -> "APIRouter":
        """Carries its whole path: `/api/v1/` and the plural noun of what the desk makes, as `/api/v1/newsletters`."""
        router: APIRouter = self._room("api").api
        return router

    def commands(self, open_services: "OpenServices") -> "typer.Typer":
        """Mounted under the desk's name."""
        made: typer.Typer = self._room("commands").desk_commands(open_services)
        return made

    def _room(self, name: str) -> ModuleType:
        return import_module(f"{self.package}.{name}")

    @property
    def templates(self) -> Path:
        return Path(str(files(self.package))) / "templates"

    @property
    def path(self) -> str:
        """Where its list of work is."""
        return f"/{self.name}"

    @property
    def read_permission(self) -> str:
        return desk_permission(self.name, "read")
