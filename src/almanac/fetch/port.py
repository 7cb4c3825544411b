"""The port: fetch from or post to an address on the open web. Adapters are `HttpFetcher` and `FakeFetcher`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from typing import Protocol

NO_HEADERS: Mapping[str, str] = {}
NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What an earlier answer said about itself; sent along so that the host may answer "not modified"."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """An answer. `url` is where it came from after `redirects`; header names are in lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    redirects: tuple[str, ...] = ()

    @property
    def not_modified(self) -> bool:
        """Whether the host says that nothing changed since the conditions given; the body is then empty."""
        return self.status == NOT_MODIFIED

    @property
    def content_type(self) -> str:
        """The media type in lower case without parameters, or nothing."""
        return self._type().get_content_type() if "content-type" in self.headers else ""

    @property
    def charset(self) -> str | None:
        """The charset that the host names, if it names one."""
        return self._type().get_content_charset()

    @property
    def conditions(self) -> Conditions:
        """What to send next time to be told only of changes."""
        return Conditions(etag=self.headers.get("etag"), last_modified=self.headers.get("last-modified"))

    def _type(self) -> Message:
        message = Message()
        message["Content-Type"] = self.headers.get("content-type", "")
        return message


class Fetcher(Protocol):
    """Reaches hosts that anybody could have named, so every address is vetted first and again at each redirect.

    AddressRefused: the guard forbids it. BodyTooLarge: over `max_bytes`, as sent or unpacked. SlowDown and
    HostUnavailable are Retryable; FetchFailed is not. `seconds` is the time for the whole exchange. What is None
    is taken from the settings.
    """

    def check(self, url: str) -> str:
        """The address in its plain form, or AddressRefused; nothing is sent or looked up."""

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] = NO_HEADERS,
        accept: str = "*/*",
        conditions: Conditions | None = None,
        max_bytes: int | None = None,
        seconds: float | None = None,
    ) -> Fetched:
        """Fetch, following redirects. A status of 400 and more is an error of the kinds above."""

    async def post(
        self,
        url: str,
        body: bytes,
        *,
        headers: Mapping[str, str] = NO_HEADERS,
        max_bytes: int | None = None,
        seconds: float | None = None,
    ) -> Fetched:
        """Send once, without following redirects. Any answer is returned, whatever its status."""
