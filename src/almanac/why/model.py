"""Values of a question and its answer: who asks, what can be asked about, and the trace that explains its state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from almanac.accounts.model import Principal
from almanac.kit.messages import join_sentences
from almanac.search import SearchHit
from almanac.services import Services

WhyTone = Literal["done", "waiting", "running", "failed", "plain"]


@dataclass(frozen=True, slots=True)
class WhyReader:
    """Who asks: a source shows them only what they may see, and days as their time zone has them."""

    services: Services
    principal: Principal

    def may(self, permission: str) -> bool:
        return self.principal.may(permission)

    @property
    def now(self) -> datetime:
        return self.services.clock.now()

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.principal.preferences.time_zone or self.services.settings.time_zone)

    def day_of(self, moment: datetime) -> date:
        """The day of a moment where the reader is."""
        return moment.astimezone(self.zone).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyQuestion:
    """What was typed, without the word “why”. `is_asked` says that the word was there; `hits` are the documents that
    search finds by the words, of those that the reader may see.
    """

    words: str
    is_asked: bool = True
    hits: Sequence[SearchHit] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhySubject:
    """Something that can be asked about. `kind` and `id` name it, `label` is its kind for people.

    With `is_exact` the words can mean nothing else, such as a whole address.
    """

    kind: str
    id: str
    title: str
    label: str
    is_exact: bool = False

    @property
    def about(self) -> str:
        """Its name in an address and on the command line."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """One thing that was looked at or that happened, in order, with the page of the evidence.

    `quote` is content in its own words, never translated. Steps of one `group` stand below its heading.
    """

    sentence: str
    tone: WhyTone = "plain"
    at: datetime | date | None = None
    href: str = ""
    quote: str = ""
    group: str = ""

    @property
    def moment(self) -> datetime | None:
        """When it happened; None where only the day is known."""
        return self.at if isinstance(self.at, datetime) else None

    @property
    def day(self) -> date | None:
        """The day, where the time isn't known."""
        return None if isinstance(self.at, datetime) else self.at


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceAction:
    """What the reader can do about it: a page, or with `posts` a form that is sent. Only for who has the right."""

    label: str
    href: str
    posts: bool = False
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyTrace:
    """The answer: the state in one sentence, the steps that led there, what comes next, and what can be done.

    `href` is the page of the subject; `next_step` is empty if nothing is known to follow.
    """

    subject: WhySubject
    state: str
    tone: WhyTone = "plain"
    href: str = ""
    steps: Sequence[TraceStep] = ()
    next_step: str = ""
    actions: Sequence[TraceAction] = ()

    @property
    def summary(self) -> str:
        """The state and what comes next, for a line of a list."""
        return join_sentences([self.state, self.next_step]) if self.next_step else self.state
