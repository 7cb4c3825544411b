"""What a link is: its statuses, the causes behind them, and what people may do about each."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class LinkStatus(StrEnum):
    """The documented four, `blocked` for what we may not read, and `duplicate` for another address of a known link."""

    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    BLOCKED = "blocked"
    DUPLICATE = "duplicate"


class LinkCause(StrEnum):
    """Why a link stands where it stands, for programs; the sentence for people is in `error_message`."""

    WAITING = "waiting"
    UNREACHABLE = "unreachable"
    SLOW_DOWN = "slow_down"
    GONE = "gone"
    REFUSED = "refused"
    ROBOTS = "robots"
    BLACKLIST = "blacklist"
    RULE = "rule"
    NO_ARTICLE = "no_article"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    BAD_ADDRESS = "bad_address"
    UNCHECKED = "unchecked"
    MODEL = "model"
    SAME_PAGE = "same_page"


RETRIABLE = frozenset({LinkStatus.FAILED, LinkStatus.BLOCKED, LinkStatus.DUPLICATE, LinkStatus.COMPLETED})


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLink:
    """A link as a source names it; `published` is what the source says about its date."""

    url: str
    title: str = ""
    published: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsLink:
    """A row of `news_links` with what stands beside it."""

    id: int
    url: str
    url_hash: str
    title: str | None
    discovered_at: datetime | None
    source_task: str | None
    status: str
    error_message: str | None
    processed_at: datetime | None
    last_checked: datetime | None
    created_at: datetime | None
    canonical_url: str | None
    domain: str | None
    cause: str | None
    attempts: int
    next_attempt_at: datetime | None
    duplicate_of: int | None
    published: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedLink:
    """A link that one worker reads now; `text_hash` is that of an earlier reading."""

    id: int
    url: str
    title: str | None
    domain: str
    source_task: str | None
    attempts: int
    published: date | None
    etag: str | None
    last_modified: str | None
    text_hash: str | None
    url_hash: str
    blocked_until: datetime | None = None
    blocked_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStats:
    """The documented statistics, with what was added to the statuses."""

    total_links: int
    pending: int
    processing: int
    completed: int
    failed: int
    blocked: int
    duplicate: int
