"""The fetcher on aiohttp: a vetted connection for each request, redirects followed by hand, no cookies, no proxies."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING

from yarl import URL

from almanac.fetch.decompression import ACCEPTED, read_body
from almanac.fetch.errors import AddressRefused, FetchFailed, HostUnavailable, check_status
from almanac.fetch.guard import FetchGuard
from almanac.fetch.port import NO_HEADERS, Conditions, Fetched, Fetcher
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext
from almanac.kit.trace import span

if TYPE_CHECKING:
    import aiohttp
    from aiohttp.abc import AbstractResolver, ResolveResult
else:
    aiohttp = lazy_module("aiohttp")
    # A resolver only has to look like one.
    AbstractResolver = object

HostLookup = Callable[[str, int], Awaitable[Sequence[str]]]
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 8
_CONNECT_SECONDS = 10.0
_BODILESS = frozenset({204, 304})


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """The addresses that this system's resolver gives, IPv4 and IPv6."""
    loop = asyncio.get_running_loop()
    entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


class GuardedResolver(AbstractResolver):
    """Resolves a name once per connection and hands on only addresses that the guard lets pass."""

    def __init__(self, guard: FetchGuard, lookup: HostLookup = system_lookup) -> None:
        self._guard = guard
        self._lookup = lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> "list[ResolveResult]":
        """In the form that aiohttp connects to without asking anybody again."""
        addresses = [ip_address(text.partition("%")[0]) for text in await self._lookup(host, port)]
        if not addresses:
            raise OSError(None, "The name has no address.")
        self._guard.check_addresses(host, port, addresses)
        return [
            {
                "hostname": host,
                "host": str(address),
                "port": port,
                "family": kind,
                "proto": socket.IPPROTO_TCP,
                "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            }
            for address in addresses
            if (kind := socket.AF_INET if address.version == 4 else socket.AF_INET6)
            and family in (socket.AF_UNSPEC, kind)
        ]

    async def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """What holds unless the caller says otherwise."""

    max_bytes: int = 10_000_000
    seconds: float = 30.0
    user_agent: str = "Almanac"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """One request and everything that bounds it."""

    method: str
    headers: Mapping[str, str]
    max_bytes: int
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class HttpFetcher(Fetcher):
    """Fetches over the network. It holds no connections between calls, so it needs no closing."""

    guard: FetchGuard
    limits: FetchLimits = field(default_factory=FetchLimits)
    lookup: HostLookup = system_lookup
    clock: Clock = field(default_factory=SystemClock)

    def check(self, url: str) -> str:
        return str(self.guard.check_url(url))

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
        sent = {**headers, "Accept": accept, **_conditional(conditions)}
        request = _Request(method="GET", headers=sent, max_bytes=max_bytes or self.limits.max_bytes)
        with span("fetch", method="GET") as traced:
            async with self._in_time(url, seconds):
                fetched = await self._follow(self.guard.check_url(url), request)
            traced.note(status=fetched.status, bytes=len(fetched.body))
        check_status(fetched.status, fetched.headers, _host(fetched.url), self.clock.now(), fetched.body)
        return fetched

    async def post(
        self,
        url: str,
        body: bytes,
        *,
        headers: Mapping[str, str] = NO_HEADERS,
        max_bytes: int | None = None,
        seconds: float | None = None,
    ) -> Fetched:
        request = _Request(method="POST", headers=headers, max_bytes=max_bytes or self.limits.max_bytes, body=body)
        with span("fetch", method="POST") as traced:
            async with self._in_time(url, seconds):
                answer = await self._send(self.guard.check_url(url), request)
            traced.note(status=answer.status)
            return answer

    @asynccontextmanager
    async def _in_time(self, url: str, seconds: float | None) -> AsyncIterator[None]:
        limit = seconds or self.limits.seconds
        try:
            async with asyncio.timeout(limit):
                yield
        except TimeoutError as error:
            raise HostUnavailable(
                gettext(
                    "%(url)s took longer than %(limit)s seconds.",
                    url=_host(url),
                    limit=f"{limit:g}",
                )
            ) from error

    async def _follow(self, url: URL, request: _Request) -> Fetched:
        """Every hop is vetted like the first; what was meant for one host is not shown to another."""
        hops: list[str] = []
        while True:
            fetched = await self._send(url, request)
            if fetched.status not in REDIRECTS or "location" not in fetched.headers:
                return Fetched(
                    url=fetched.url,
                    status=fetched.status,
                    headers=fetched.headers,
                    body=fetched.body,
                    redirects=tuple(hops),
                )
            if len(hops) == MOST_REDIRECTS:
                raise FetchFailed(
                    gettext(
                        "%(host)s redirects in a loop: more than %(limit)s redirects.",
                        host=url.host,
                        limit=MOST_REDIRECTS,
                    )
                )
            hops.append(str(url))
            target = self.guard.check_url(_joined(url, fetched.headers["location"]))
            if target.origin() != url.origin():
                request = _Request(method="GET", headers=_for_strangers(request.headers), max_bytes=request.max_bytes)
            url = target

    async def _send(self, url: URL, request: _Request) -> Fetched:
        headers = {"User-Agent": self.limits.user_agent, "Accept-Encoding": ACCEPTED, **request.headers}
        with _failures_of(url.host or ""):
            async with (
                self._session() as session,
                session.request(
                    request.method, url, headers=headers, data=request.body, allow_redirects=False
                ) as answer,
            ):
                received = {name.lower(): value for name, value in answer.headers.items()}
                redirected = request.method == "GET" and answer.status in REDIRECTS
                empty = redirected or answer.status in _BODILESS
                body = (
                    b""
                    if empty
                    else await read_body(
                        answer.content.iter_any(), received.get("content-encoding", ""), request.max_bytes
                    )
                )
                return Fetched(url=str(url), status=answer.status, headers=received, body=body)

    def _session(self) -> "aiohttp.ClientSession":
        connector = aiohttp.TCPConnector(
            resolver=GuardedResolver(self.guard, self.lookup), use_dns_cache=False, force_close=True
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
        )


@contextmanager
def _failures_of(host: str) -> Iterator[None]:
    """Translate the client's errors into ours."""
    try:
        yield
    except aiohttp.ClientConnectorCertificateError as error:
        raise FetchFailed(
            gettext("%(host)s doesn't have a valid certificate, so nothing is read from it.", host=host)
        ) from error
    except (aiohttp.ClientConnectorDNSError, socket.gaierror) as error:
        raise HostUnavailable(gettext("%(host)s can't be found; check its name.", host=host)) from error
    except (aiohttp.ClientConnectorSSLError, ssl.SSLError) as error:
        raise FetchFailed(gettext("%(host)s doesn't offer a secure connection that works here.", host=host)) from error
    except aiohttp.ClientPayloadError as error:
        raise HostUnavailable(gettext("%(host)s closed the connection early.", host=host)) from error
    except aiohttp.ClientResponseError as error:
        raise FetchFailed(gettext("%(host)s answers with something that is not HTTP.", host=host)) from error
    except aiohttp.InvalidURL as error:
        raise AddressRefused(
            gettext("That isn't a valid web address; it should look like https://example.org/page.")
        ) from error
    except (aiohttp.ClientError, OSError) as error:
        raise HostUnavailable(gettext("%(host)s can't be reached.", host=host)) from error


def _conditional(conditions: Conditions | None) -> dict[str, str]:
    if conditions is None:
        return {}
    named = {"If-None-Match": conditions.etag, "If-Modified-Since": conditions.last_modified}
    return {name: value for name, value in named.items() if value}


def _for_strangers(headers: Mapping[str, str]) -> dict[str, str]:
    kept = {"accept", "accept-language", "if-none-match", "if-modified-since"}
    return {name: value for name, value in headers.items() if name.lower() in kept}


def _joined(url: URL, location: str) -> str:
    """The target of a redirect; hosts send raw UTF-8 in it, which arrives as surrogates."""
    text = location.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        return str(url.join(URL(text)))
    except ValueError as error:
        raise FetchFailed(
            gettext("%(host)s redirects to something that isn't a web address.", host=url.host)
        ) from error


def _host(url: str) -> str:
    try:
        return URL(url).host or gettext("The host")
    except ValueError:
        return gettext("The host")
