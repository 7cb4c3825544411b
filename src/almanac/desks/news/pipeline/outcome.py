"""Outcomes of a visit to a link, and what each kind of failure means for the link and for its site."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from almanac.articles import NoArticle, ParsedPage
from almanac.desks.news.model.articles import WrittenStory
from almanac.desks.news.model.backoff import MAX_ATTEMPTS, link_retry_delay
from almanac.desks.news.model.links import LeasedLink, LinkCause, LinkStatus
from almanac.desks.news.store.links import LinkUpdate
from almanac.desks.news.writer.composer import NoClaimVerified
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, Paused, Retryable, TooMany
from almanac.fetch import AddressRefused, BodyTooLarge, Conditions, FetchFailed, HostRateLimited
from almanac.llm.errors import ModelFailure

SiteSignal = Literal["answered", "failed", "refused", "rate limited", "nothing"]
REFUSED_STATUSES = frozenset({401, 402, 403, 407, 451})
GONE_STATUSES = frozenset({404, 410})
_KEPT = "The article from an earlier visit is kept; the last attempt failed:"
_RETRY_REFUSED = timedelta(days=1)
_REFUSED_ATTEMPTS = 3


class DisallowedByRobots(AlmanacError, code="robots_forbid"):
    """The site's robots.txt disallows the page."""

    def __init__(self, domain: str) -> None:
        super().__init__(f"The robots.txt of {domain} doesn't allow programs to read this page.")


class SiteBlocked(AlmanacError, code="site_blocked"):
    """The site is on the blacklist."""

    def __init__(self, domain: str, until: datetime, reason: str) -> None:
        super().__init__(f"{domain} is blocked until {until:%Y-%m-%d}: {reason}")
        self.until = until


class RedirectedToHomepage(AlmanacError, code="led_home"):
    """The link redirects to the site's home page, as many sites do for pages that are gone."""

    def __init__(self, domain: str) -> None:
        super().__init__(f"The address redirects to the home page of {domain}; the page itself seems to be gone.")


class ExcludedByRule(AlmanacError, code="left_out"):
    """A rule of the desk excludes the article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRead:
    """The page was read and a story was written. `urls` are canonical addresses of the page, its own first."""

    page: ParsedPage
    written: WrittenStory
    tags: tuple[str, ...]
    urls: list[str]
    conditions: Conditions
    status_code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkEnded:
    """How the link's row changes and what the visit says about the site. `retry_after` is in seconds."""

    update: LinkUpdate
    site: SiteSignal = "nothing"
    status_code: int | None = None
    retry_after: float = 0.0


VisitOutcome = ArticleRead | LinkEnded


def article_unchanged(conditions: Conditions, status_code: int) -> LinkEnded:
    """The page says the same as at the last visit."""
    update = LinkUpdate(status=LinkStatus.COMPLETED, etag=conditions.etag, last_modified=conditions.last_modified)
    return LinkEnded(update=update, site="answered", status_code=status_code)


def keep_existing_article(link: LeasedLink, ended: LinkEnded) -> LinkEnded:
    """Keep an article that exists already when rereading its page fails, with the reason of the failure."""
    if link.text_hash is None or ended.update.status not in (LinkStatus.FAILED, LinkStatus.BLOCKED):
        return ended
    reason = f"{_KEPT} {ended.update.reason or ''}".rstrip()
    update = replace(ended.update, status=LinkStatus.COMPLETED, next_attempt_at=None, reason=reason)
    return replace(ended, update=update)


def unexpected_failure() -> LinkEnded:
    """Outcome of an unexpected exception; callers log it."""
    return LinkEnded(
        update=LinkUpdate(status=LinkStatus.FAILED, cause=LinkCause.UNREADABLE, reason=str(UNEXPECTED_ERROR))
    )


def outcome_for_error(error: AlmanacError, link: LeasedLink, now: datetime) -> LinkEnded:
    """What a failure means: wait for the model, retry later, or end the link."""
    if isinstance(error, ModelFailure | Paused):
        return _wait_for_model(error, link, now)
    if isinstance(error, Retryable):
        return _retry_later(error, link, now)
    if isinstance(error, FetchFailed):
        return _fetch_failed(error, link, now)
    return _end_link(error)


def _end_link(error: AlmanacError) -> LinkEnded:
    """We may not read the page, or there is nothing to read."""
    match error:
        case SiteBlocked():
            return LinkEnded(update=_blocked(error, LinkCause.BLACKLIST, error.until))
        case DisallowedByRobots():
            return LinkEnded(update=_blocked(error, LinkCause.ROBOTS))
        case ExcludedByRule():
            return LinkEnded(update=_blocked(error, LinkCause.RULE), site="answered")
        case AddressRefused():
            return LinkEnded(update=_failed(error, LinkCause.BAD_ADDRESS))
    return LinkEnded(update=_failed(error, _cause(error)), site="answered")


def _cause(error: AlmanacError) -> LinkCause:
    match error:
        case NoArticle():
            return LinkCause(str(error.cause))
        case NoClaimVerified():
            return error.cause
        case BodyTooLarge():
            return LinkCause.TOO_LARGE
        case RedirectedToHomepage():
            return LinkCause.GONE
    return LinkCause.UNREADABLE


def _retry_later(error: AlmanacError, link: LeasedLink, now: datetime) -> LinkEnded:
    """Retry with backoff; fail after the last attempt. Neither counts as a refusal by the site."""
    status_code: int | None = getattr(error, "status_code", None)
    retry_after = float(error.retry_after) if isinstance(error, TooMany) else 0.0
    is_rate_limited = isinstance(error, HostRateLimited)
    cause = LinkCause.SLOW_DOWN if is_rate_limited else LinkCause.UNREACHABLE
    if link.attempts >= MAX_ATTEMPTS:
        sentence = f"{error.sentence.partition(';')[0].rstrip('.')}; it was tried {link.attempts} times."
        update = LinkUpdate(status=LinkStatus.FAILED, cause=cause, reason=sentence)
    else:
        due = now + link_retry_delay(link.attempts, asked=retry_after)
        update = LinkUpdate(status=LinkStatus.PENDING, cause=cause, reason=str(error.sentence), next_attempt_at=due)
    site: SiteSignal = "rate limited" if is_rate_limited else "failed"
    return LinkEnded(update=update, site=site, status_code=status_code, retry_after=retry_after)


def _wait_for_model(error: AlmanacError, link: LeasedLink, now: datetime) -> LinkEnded:
    """The page is fine but the model isn't available. That uses up no attempt."""
    retry_after = float(error.retry_after) if isinstance(error, TooMany) else 0.0
    due = error.until if isinstance(error, Paused) else now + link_retry_delay(link.attempts, asked=retry_after)
    update = LinkUpdate(
        status=LinkStatus.PENDING,
        cause=LinkCause.MODEL,
        reason=str(error.sentence),
        next_attempt_at=due,
        uses_attempt=False,
    )
    return LinkEnded(update=update, site="answered")


def _fetch_failed(error: FetchFailed, link: LeasedLink, now: datetime) -> LinkEnded:
    status_code = error.status_code
    if status_code in REFUSED_STATUSES:
        retry_at = now + _RETRY_REFUSED * link.attempts if link.attempts < _REFUSED_ATTEMPTS else None
        update = _blocked(error, LinkCause.REFUSED, retry_at)
        return LinkEnded(update=update, site="refused", status_code=status_code)
    cause = LinkCause.GONE if status_code in GONE_STATUSES else LinkCause.UNREADABLE
    site: SiteSignal = "answered" if status_code else "failed"
    return LinkEnded(update=_failed(error, cause), site=site, status_code=status_code)


def _blocked(error: AlmanacError, cause: LinkCause, until: datetime | None = None) -> LinkUpdate:
    return LinkUpdate(status=LinkStatus.BLOCKED, cause=cause, reason=str(error.sentence), next_attempt_at=until)


def _failed(error: AlmanacError, cause: LinkCause) -> LinkUpdate:
    return LinkUpdate(status=LinkStatus.FAILED, cause=cause, reason=str(error.sentence))
