"""What became of a visit to a link, and what each way of failing means for the link and for its site."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from almanac.articles import NoArticle, ParsedPage
from almanac.desks.news.model.articles import Written
from almanac.desks.news.model.backoff import MOST_ATTEMPTS, wait_for_link
from almanac.desks.news.model.links import Cause, LeasedLink, LinkStatus
from almanac.desks.news.store.links import Settlement
from almanac.desks.news.writer.compose import NothingHolds
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, Paused, Retryable, TooMany
from almanac.fetch import AddressRefused, BodyTooLarge, Conditions, FetchFailed, HostRateLimited
from almanac.llm.errors import ModelFailure

SiteNews = Literal["answered", "failed", "refused", "asks for patience", "nothing"]
REFUSING = frozenset({401, 402, 403, 407, 451})
GONE = frozenset({404, 410})
KEPT = "What was read before is kept; the last try failed:"
_RETRY_REFUSED = timedelta(days=1)
_REFUSED_ATTEMPTS = 3


class RobotsForbid(AlmanacError):
    """The site's rules for programs keep us from the page."""

    code = "robots_forbid"

    def __init__(self, domain: str) -> None:
        super().__init__(f"The rules of {domain} for programs (robots.txt) don't let us read this page.")


class SiteBlocked(AlmanacError):
    """The site is on the blacklist."""

    code = "site_blocked"

    def __init__(self, domain: str, until: datetime, reason: str) -> None:
        super().__init__(f"{domain} is not asked until {until:%Y-%m-%d}: {reason}")
        self.until = until


class LedHome(AlmanacError):
    """The link leads to a front page."""

    code = "led_home"

    def __init__(self, domain: str) -> None:
        super().__init__(f"The address leads to the front page of {domain}, so the page itself seems to be gone.")


class LeftOut(AlmanacError):
    """A rule of the desk leaves the article out."""

    code = "left_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The page was read and written about."""

    page: ParsedPage
    written: Written
    tags: tuple[str, ...]
    identities: list[str]
    conditions: Conditions
    answer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The visit ended otherwise. `site` says what it means for the site."""

    settlement: Settlement
    site: SiteNews = "nothing"
    answer: int | None = None
    patience: float = 0.0


Outcome = Told | Ended


def unchanged(conditions: Conditions, answer: int) -> Ended:
    """What was read before is what the page still says."""
    kept = Settlement(status=LinkStatus.COMPLETED, etag=conditions.etag, last_modified=conditions.last_modified)
    return Ended(settlement=kept, site="answered", answer=answer)


def keeping_what_was_read(link: LeasedLink, ended: Ended) -> Ended:
    """An article that is here stays when reading its page again fails; the reason is told with it."""
    if link.text_hash is None or ended.settlement.status not in (LinkStatus.FAILED, LinkStatus.BLOCKED):
        return ended
    reason = f"{KEPT} {ended.settlement.reason or ''}".rstrip()
    kept = replace(ended.settlement, status=LinkStatus.COMPLETED, next_attempt_at=None, reason=reason)
    return replace(ended, settlement=kept)


def unforeseen() -> Ended:
    """Something went wrong that nobody thought of; the log has the rest."""
    return Ended(settlement=Settlement(status=LinkStatus.FAILED, cause=Cause.UNREADABLE, reason=UNEXPECTED_ERROR))


def outcome_of(error: AlmanacError, link: LeasedLink, now: datetime) -> Ended:
    """What a failure means."""
    if isinstance(error, ModelFailure | Paused):
        return _wait_for_model(error, link, now)
    if isinstance(error, Retryable):
        return _try_later(error, link, now)
    if isinstance(error, FetchFailed):
        return _answered(error, link, now)
    return _not_to_be_had(error)


def _not_to_be_had(error: AlmanacError) -> Ended:
    """We may not read it, or there is nothing to read."""
    match error:
        case SiteBlocked():
            return Ended(settlement=_blocked(error, Cause.BLACKLIST, error.until))
        case RobotsForbid():
            return Ended(settlement=_blocked(error, Cause.ROBOTS))
        case LeftOut():
            return Ended(settlement=_blocked(error, Cause.RULE), site="answered")
        case AddressRefused():
            return Ended(settlement=_failed(error, Cause.BAD_ADDRESS))
    return Ended(settlement=_failed(error, _cause_of(error)), site="answered")


def _cause_of(error: AlmanacError) -> Cause:
    match error:
        case NoArticle():
            return Cause(str(error.cause))
        case NothingHolds():
            return error.cause
        case BodyTooLarge():
            return Cause.TOO_LARGE
        case LedHome():
            return Cause.GONE
    return Cause.UNREADABLE


def _try_later(error: AlmanacError, link: LeasedLink, now: datetime) -> Ended:
    """Again after a growing wait; for good after the last attempt. Neither says that the site refuses us."""
    answer: int | None = getattr(error, "answer", None)
    patience = float(error.retry_after) if isinstance(error, TooMany) else 0.0
    cause = Cause.SLOW_DOWN if isinstance(error, HostRateLimited) else Cause.UNREACHABLE
    site: SiteNews = "asks for patience" if isinstance(error, HostRateLimited) else "failed"
    if link.attempts >= MOST_ATTEMPTS:
        sentence = f"{error.sentence.partition(';')[0].rstrip('.')}; it was tried {link.attempts} times."
        ended = Settlement(status=LinkStatus.FAILED, cause=cause, reason=sentence)
    else:
        due = now + wait_for_link(link.attempts, asked=patience)
        ended = Settlement(status=LinkStatus.PENDING, cause=cause, reason=error.sentence, next_attempt_at=due)
    return Ended(settlement=ended, site=site, answer=answer, patience=patience)


def _wait_for_model(error: AlmanacError, link: LeasedLink, now: datetime) -> Ended:
    """The page is fine; who should write about it is not there. That uses up no attempt."""
    asked = float(error.retry_after) if isinstance(error, TooMany) else 0.0
    due = error.until if isinstance(error, Paused) else now + wait_for_link(link.attempts, asked=asked)
    waiting = Settlement(
        status=LinkStatus.PENDING, cause=Cause.MODEL, reason=error.sentence, next_attempt_at=due, uses_attempt=False
    )
    return Ended(settlement=waiting, site="answered")


def _answered(error: FetchFailed, link: LeasedLink, now: datetime) -> Ended:
    if error.answer in REFUSING:
        again = now + _RETRY_REFUSED * link.attempts if link.attempts < _REFUSED_ATTEMPTS else None
        return Ended(settlement=_blocked(error, Cause.REFUSED, again), site="refused", answer=error.answer)
    cause = Cause.GONE if error.answer in GONE else Cause.UNREADABLE
    return Ended(settlement=_failed(error, cause), site="answered" if error.answer else "failed", answer=error.answer)


def _blocked(error: AlmanacError, cause: Cause, until: datetime | None = None) -> Settlement:
    return Settlement(status=LinkStatus.BLOCKED, cause=cause, reason=error.sentence, next_attempt_at=until)


def _failed(error: AlmanacError, cause: Cause) -> Settlement:
    return Settlement(status=LinkStatus.FAILED, cause=cause, reason=error.sentence)
