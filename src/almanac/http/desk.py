"""The descriptor of a desk: what it offers to the web, to workers and to the command line.

The list of desks is in `almanac.desks`.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import quote

from almanac.accounts.model import Principal
from almanac.accounts.permissions import desk_permission
from almanac.audit.model import AuditEntry
from almanac.demo import DemoPart
from almanac.http.actions import Action
from almanac.http.day import Day, Deed, DeskDay
from almanac.http.handover_part import HandoverPart
from almanac.jobs import JobType, Schedule
from almanac.kit.messages import Translatable
from almanac.saved.model import MatchQuote, SavedQuery
from almanac.search import DocumentProvider
from almanac.services import Services
from almanac.subscribers import AlertQuote, UntoldPart
from almanac.webhooks import EventType
from almanac.why import WhySource

if TYPE_CHECKING:
    import typer
    from fastapi import APIRouter

    from almanac.public import PublicPart, SentForm
    from almanac.terminal import OpenServices

MAX_COUNTED = 50
WaitingCounter = Callable[[Services, Principal], Awaitable[int]]
DayLoader = Callable[[Services, Principal, Day], Awaitable[DeskDay]]
ObjectNamer = Callable[[Services, Principal, str], Awaitable["NamedObject"]]
BulkNamer = Callable[[Services, Principal, Collection[str]], Awaitable[Mapping[str, str]]]
AuditSlots = Callable[[AuditEntry], Mapping[str, str]]
ServiceFormReceiver = Callable[[Services, "SentForm"], Awaitable[str | None]]
NameFinder = Callable[[Services, str], Awaitable[Sequence["NamedObject"]]]
ServiceQuoteLoader = Callable[[Services, Sequence[UntoldPart], str], Awaitable[Sequence[AlertQuote]]]
ServiceMatchQuoter = Callable[[Services, SavedQuery, str], Awaitable[Sequence[MatchQuote]]]
SearchProviders = Callable[[Services], tuple[DocumentProvider, ...]]


async def count_nothing(_services: Services, _principal: Principal) -> int:
    """The counter of a desk where nothing waits for people."""
    return 0


async def empty_day(_services: Services, _principal: Principal, _day: Day) -> DeskDay:
    """The day of a desk that shows nothing on the home page."""
    return DeskDay()


def no_search_providers(_services: Services) -> tuple[DocumentProvider, ...]:
    """The search providers of a desk without searchable content."""
    return ()


def fill_no_slots(_entry: AuditEntry) -> Mapping[str, str]:
    """The slots of a desk whose sentences have none of their own."""
    return {}


def desk_path(desk: str, *parts: str) -> str:
    """The path of a desk's page; every part is escaped."""
    return "/".join((f"/{desk}", *map(escape_part, parts)))


@lru_cache(maxsize=4096)
def escape_part(text: str) -> str:
    """One part of a path, or one value of a query, escaped; a page links to the same few again and again."""
    return quote(text, safe="")


@dataclass(frozen=True, slots=True)
class NamedObject:
    """An object as a person who may see it knows it. `owner_id` is empty where it belongs to nobody in particular."""

    title: str
    href: str
    owner_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Desk:
    """One desk: its package, names, background jobs, webhook events, search providers and demo content.

    `short_title` fits the bar of a phone.
    `waiting` counts what waits for a person; every page asks, so a desk may stop counting at MAX_COUNTED, which means
    that many or more. `approvals` counts what waits for this person's approval beside the platform's approvals.
    `day` is its part of a person's day, and `deeds` are the actions of the audit log that the record of a day tells.
    `mail_result_job` runs with `mail_id` when the result of
    a mail is known whose topic is the desk's name. `languages` are those of its pages and of errors there. `places` are
    pages that search finds by their title, `actions` what the command palette offers to do there. `writer_steps` names
    the model steps of the desk, which settings may give another model. `object_namers` name what its jobs work on, by
    kind; they raise NotFound for whom may not see it. `audit_sentences` say what its entries in the audit log read
    like, by action, `audit_slots` fill those that the entry itself tells, and `audit_namers` name what entries are
    about, by kind, for readers of the desk. `handover` lists what people own there that another can go on with.
    `why` explains why its things are as they are. `api_noun` is what its API is called, if not like the desk.
    `is_publishable` says that it has something anyone may read if the settings list it. `feed_kind` is the kind of its
    documents that public feeds may list, and `collector` the task that collects from outside, for the status page.
    `quotes` quotes parts of its items in mails to people who follow something there, `match_quotes` what a saved query
    found, by the kind of documents. `names` finds pages of the desk by a name that somebody types, for readers of the
    desk.

    Its pages, API, commands and public pages are the modules `pages`, `api`, `commands` and `published` of its package.
    A worker needs none of them and they load slowly, so each is imported on first use.
    """

    package: str
    name: str
    title: str
    summary: str
    short_title: str = ""
    waiting: WaitingCounter = field(default=count_nothing)
    approvals: WaitingCounter = field(default=count_nothing)
    day: DayLoader = field(default=empty_day)
    deeds: Mapping[str, Deed] = field(default_factory=dict)
    jobs: tuple[JobType, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    writer_steps: tuple[str, ...] = ()
    events: tuple[EventType, ...] = ()
    audit_sentences: Mapping[str, Translatable] = field(default_factory=dict)
    audit_namers: Mapping[str, BulkNamer] = field(default_factory=dict)
    audit_slots: AuditSlots = field(default=fill_no_slots)
    search_providers: SearchProviders = field(default=no_search_providers)
    object_namers: Mapping[str, ObjectNamer] = field(default_factory=dict)
    mail_result_job: JobType | None = None
    places: Mapping[str, str] = field(default_factory=dict)
    actions: tuple[Action, ...] = ()
    languages: tuple[str, ...] = ("en",)
    demo: DemoPart | None = None
    handover: tuple[HandoverPart, ...] = ()
    why: WhySource | None = None
    api_noun: str = ""
    is_publishable: bool = False
    feed_kind: str = ""
    collector: str = ""
    quotes: ServiceQuoteLoader | None = None
    match_quotes: Mapping[str, ServiceMatchQuoter] = field(default_factory=dict)
    names: NameFinder | None = None

    @property
    def pages(self) -> "APIRouter":
        router: APIRouter = self._module("pages").pages
        return router

    @property
    def api(self) -> "APIRouter":
        """Carries its whole path: `/api/v1/` and the plural noun of what the desk makes, as `/api/v1/newsletters`."""
        router: APIRouter = self._module("api").api
        return router

    @property
    def public_part(self) -> "PublicPart | None":
        """Its share of the public side, from its room `published`; None if it has none."""
        if not self.is_publishable:
            return None
        part: PublicPart = self._module("published").PART
        return part

    @property
    def form_receivers(self) -> "Mapping[str, ServiceFormReceiver]":
        """What takes the forms of its public part, by their names, from its module `intake`; empty if it has none."""
        part = self.public_part
        if part is None or not part.forms:
            return {}
        receivers: Mapping[str, ServiceFormReceiver] = self._module("intake").RECEIVERS
        return receivers

    def commands(self, open_services: "OpenServices") -> "typer.Typer":
        """Mounted under the desk's name."""
        made: typer.Typer = self._module("commands").desk_commands(open_services)
        return made

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self.package}.{name}")

    @property
    def templates(self) -> Path:
        return Path(str(files(self.package))) / "templates"

    @property
    def path(self) -> str:
        """Where its list of work is."""
        return f"/{self.name}"

    @property
    def path_prefixes(self) -> frozenset[str]:
        """What the paths of its pages and of its API begin with; a path elsewhere would never be found."""
        return frozenset({self.name, f"api/v1/{self.api_noun or self.name}"})

    @property
    def rights_path(self) -> str:
        """Where its administrators give rights."""
        return f"/desks/{self.name}/rights"

    @property
    def read_permission(self) -> str:
        return desk_permission(self.name, "read")


def may_give_rights(principal: Principal, desk: Desk) -> bool:
    """Whether the principal gives people and teams rights at the desk."""
    return principal.may("users.manage") or principal.may(desk_permission(desk.name, "administer"))
