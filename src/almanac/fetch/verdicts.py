"""What an answer's status means to the caller: fine, failed for good, or worth another try, and when."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from almanac.fetch.failures import FetchFailed, HostUnavailable, SlowDown

LONGEST_PATIENCE = 24 * 3600
_DEFAULT_PATIENCE = 60
_WORTH_ANOTHER_TRY = frozenset({408, 421, 423, 425})
_WORDS = {
    401: "wants a password",
    402: "wants to be paid",
    403: "does not let us in",
    404: "has no such page",
    410: "has removed that page",
    451: "may not show that page",
}


def check_status(status: int, headers: Mapping[str, str], host: str, now: datetime, body: bytes = b"") -> None:
    """Raise the failure that a status of 400 and more stands for."""
    if status < 400:
        return
    wait = retry_after(headers.get("retry-after"), now)
    if status == 429 or (status == 503 and wait is not None):
        patience = wait if wait is not None else _DEFAULT_PATIENCE
        raise SlowDown(f"{host} asks us to slow down; it is tried again later.", patience, answer=status)
    if status >= 500 or status in _WORTH_ANOTHER_TRY:
        raise HostUnavailable(
            f"{host} has a fault of its own (status {status}); it is tried again later.", answer=status
        )
    words = _WORDS.get(status, "refuses the request")
    raise FetchFailed(f"{host} {words} (status {status}); check the address.", answer=status, body=body)


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
