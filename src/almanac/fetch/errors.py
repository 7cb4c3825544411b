"""How a fetch can fail: refused, too large, failed for good, or worth a retry; and which HTTP status means what."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from almanac.errors import AlmanacError, InputError, TooLarge, TooMany, Unavailable
from almanac.kit.messages import gettext

LONGEST_PATIENCE = 24 * 3600
_DEFAULT_PATIENCE = 60
_WORTH_ANOTHER_TRY = frozenset({408, 421, 423, 425})
_WORDS = {
    401: gettext("wants a password"),
    402: gettext("requires a payment"),
    403: gettext("doesn't give us access"),
    404: gettext("doesn't have that page"),
    410: gettext("has removed that page"),
    451: gettext("isn't allowed to show this page"),
}


class AddressRefused(InputError, code="address_refused"):
    """The address may not be fetched from here; the sentence says which rule stands against it."""


class BodyTooLarge(TooLarge, code="answer_too_large"):
    """The answer is larger than the caller allows, as sent or once unpacked."""


class FetchFailed(AlmanacError, code="fetch_failed", status=502):
    """The host answered and will answer the same again: not found, forbidden, no valid certificate, nonsense.

    `body` is what it said about it, for callers who know its language.
    """

    by_input = True

    def __init__(self, sentence: str, *, status_code: int | None = None, body: bytes = b"") -> None:
        super().__init__(sentence)
        self.status_code = status_code
        self.body = body


class HostUnavailable(Unavailable, code="host_unavailable"):
    """The host can't be reached, is too slow, or has a fault of its own: worth another try later."""

    by_input = True

    def __init__(self, sentence: str, *, status_code: int | None = None) -> None:
        super().__init__(sentence)
        self.status_code = status_code


class HostRateLimited(TooMany, code="host_asks_for_patience"):
    """The host asks for patience; `retry_after` is in seconds."""

    by_input = True

    def __init__(self, sentence: str, retry_after: int, *, status_code: int = 429) -> None:
        super().__init__(sentence, retry_after)
        self.status_code = status_code


def check_status(status: int, headers: Mapping[str, str], host: str, now: datetime, body: bytes = b"") -> None:
    """Raise the failure that a status of 400 and more stands for."""
    if status < 400:
        return
    wait = retry_after(headers.get("retry-after"), now)
    if status == 429 or (status == 503 and wait is not None):
        patience = wait if wait is not None else _DEFAULT_PATIENCE
        raise HostRateLimited(gettext("%(host)s asks us to slow down.", host=host), patience, status_code=status)
    if status >= 500 or status in _WORTH_ANOTHER_TRY:
        raise HostUnavailable(
            gettext("%(host)s has a problem (status %(status)s).", host=host, status=status),
            status_code=status,
        )
    words = _WORDS.get(status, gettext("refuses the request"))
    raise FetchFailed(
        gettext("%(host)s %(words)s (status %(status)s); check the address.", host=host, words=words, status=status),
        status_code=status,
        body=body,
    )


def retry_after(value: str | None, now: datetime) -> int | None:
    """Seconds to wait, from a number or a date, within a day; None where nothing sensible is said."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdecimal():
        return min(int(value[:9]), LONGEST_PATIENCE)
    try:
        due = parsedate_to_datetime(value)
    except ValueError:
        return None
    due = due if due.tzinfo else due.replace(tzinfo=UTC)
    return max(0, min(int((due - now).total_seconds()), LONGEST_PATIENCE))
