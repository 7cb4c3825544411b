"""One operation's HTTP exchange without I/O: sign, check the response, decide whether and when to retry.

The blocking and the asyncio client drive the same object, so both follow the same rules.
"""

import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

from tablature.errors import ServiceError, Unavailable, service_error
from tablature.transport.credentials import CredentialsProvider
from tablature.transport.http_pool import RawResponse
from tablature.transport.signature import Signer

STREAMS = frozenset({"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"})
# Operations whose response has no body.
EMPTY_RESPONSES = frozenset({"TagResource", "UntagResource"})
THROTTLED = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        "Throttling",
        "ThrottledException",
        "TransactionInProgressException",
        "SlowDown",
        "BandwidthLimitExceeded",
    }
)
WRONG_CLOCK = frozenset(
    {
        "InvalidSignatureException",
        "RequestExpired",
        "RequestTimeTooSkewed",
        "SignatureDoesNotMatch",
        "RequestInTheFuture",
    }
)
_NOTICEABLE_SKEW = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class AwsRetryPolicy:
    """Exponential backoff with full jitter: each pause is random between nothing and a bound that doubles."""

    attempts: int = 8
    first_bound: float = 0.05
    longest: float = 20.0

    def pause(self, attempt: int, chance: Callable[[], float] = random.random) -> float:
        """Seconds to wait after this many attempts."""
        return chance() * min(self.longest, self.first_bound * 2.0 ** (attempt - 1))


class ServiceClock:
    """The local clock, corrected by the service's time if they differ."""

    def __init__(self) -> None:
        self._offset = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self._offset

    def adjust(self, date_header: str | None) -> bool:
        """Adopt the service's time. True if ours was wrong enough to explain a rejected signature."""
        try:
            theirs = parsedate_to_datetime(date_header or "")
        except ValueError:
            return False
        difference = theirs - self.now()
        if abs(difference) < _NOTICEABLE_SKEW:
            return False
        self._offset += difference
        return True


@dataclass(frozen=True, slots=True)
class EndpointConfig:
    """What all exchanges with one endpoint share: address, signer, credentials, clock and retries."""

    host: str
    path: str
    signer: Signer
    credentials: CredentialsProvider
    clock: ServiceClock
    retries: AwsRetryPolicy


class HttpExchange:
    """One operation. If `accept` returns None or `connection_lost` returns, wait `pause` seconds and send it again."""

    def __init__(self, endpoint: EndpointConfig, operation: str, request: dict[str, Any]) -> None:
        self.body = msgspec.json.encode(request)
        self.pause = 0.0
        self._endpoint, self._operation = endpoint, operation
        self._attempts = 0
        self._clock_was_corrected = False
        prefix = "DynamoDBStreams_20120810." if operation in STREAMS else "DynamoDB_20120810."
        self._target = prefix + operation

    def headers(self) -> dict[str, str]:
        """Signed for each attempt, because credentials and time may have changed."""
        self._attempts += 1
        endpoint = self._endpoint
        return endpoint.signer.headers(
            endpoint.credentials(),
            host=endpoint.host,
            path=endpoint.path,
            target=self._target,
            body=self.body,
            now=endpoint.clock.now(),
        )

    def accept(self, raw: RawResponse) -> dict[str, Any] | None:
        """The decoded response; None if the request must be sent again. Raises if a retry would not help."""
        if not _has_valid_checksum(raw):
            return self._retry(Unavailable("AnswerDamaged", f"The response to {self._operation} arrived damaged."))
        if raw.status == 200:
            return self._decode(raw)
        error = _service_error(raw)
        if raw.status >= 500 or error.code in THROTTLED:
            return self._retry(error)
        if error.code in WRONG_CLOCK and not self._clock_was_corrected:
            self._clock_was_corrected = True
            if self._endpoint.clock.adjust(raw.headers.get("date")):
                self.pause = 0.0
                return None
        raise error

    def connection_lost(self, error: Exception) -> None:
        """The connection broke before a response came: schedule a retry or raise."""
        sentence = f"{self._operation} got no response from {self._endpoint.host}: {error}"
        self._retry(Unavailable("Unreachable", sentence), error)

    def _retry(self, error: Exception, cause: Exception | None = None) -> dict[str, Any] | None:
        if self._attempts >= self._endpoint.retries.attempts:
            raise error from cause
        self.pause = self._endpoint.retries.pause(self._attempts)
        return None

    def _decode(self, raw: RawResponse) -> dict[str, Any] | None:
        if not raw.body and self._operation in EMPTY_RESPONSES:
            return {}
        try:
            response: dict[str, Any] = msgspec.json.decode(raw.body, type=dict)
        except msgspec.MsgspecError as error:
            return self._retry(Unavailable("AnswerDamaged", f"The response to {self._operation} isn't JSON."), error)
        return response


def _has_valid_checksum(raw: RawResponse) -> bool:
    """Check the CRC32 that the service sends. A compressed body is checked by its own format."""
    expected = raw.headers.get("x-amz-crc32")
    if expected is None or raw.headers.get("content-encoding"):
        return True
    return expected == str(zlib.crc32(raw.body))


def _service_error(raw: RawResponse) -> ServiceError:
    try:
        fields: dict[str, Any] = msgspec.json.decode(raw.body, type=dict)
    except msgspec.MsgspecError:
        fields = {}
    code = str(fields.pop("__type", "")).rpartition("#")[2] or (
        "InternalServerError" if raw.status >= 500 else "Refused"
    )
    message = str(
        fields.pop("message", "") or fields.pop("Message", "") or f"The service responded with status {raw.status}."
    )
    return service_error(code, message, fields)
