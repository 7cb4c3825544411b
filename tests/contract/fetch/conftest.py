"""The fetchers under test: the real one before a real server on loopback, and the fake with answers laid out."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from almanac.fetch import Fetched, Fetcher
from almanac.fetch.fake import FakeFetcher
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import HttpFetcher

LOOPBACK = FetchGuard.from_settings("127.0.0.0/8", "80,443")


@dataclass
class Site:
    """A web site whose answers a test decides; `seen` holds the requests that reached it."""

    url: str = ""
    handler: Callable | None = None
    seen: list[web.Request] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.seen.append(request)
        self.bodies.append(await request.read())
        return await self.handler(request)


@pytest.fixture
async def site(loopback: Callable) -> AsyncIterator[Site]:
    site = Site()
    async with loopback(web.route("*", "/{path:.*}", site.answer)) as site.url:
        yield site


@dataclass
class Fetching:
    """A fetcher and a way to decide what an address answers."""

    fetcher: Fetcher
    base: str
    lay_out: Callable[..., None]


@pytest.fixture(params=["http", "fake"])
def fetching(request: pytest.FixtureRequest, site: Site) -> Fetching:
    if request.param == "fake":
        fake = FakeFetcher(LOOPBACK)
        return Fetching(fake, site.url, lambda path, body=b"", **answer: fake.lay_out(site.url + path, body, **answer))
    laid_out: dict[str, Fetched] = {}

    async def handler(asked: web.Request) -> web.Response:
        response = laid_out[asked.path]
        if "etag" in response.headers and asked.headers.get("If-None-Match") == response.headers["etag"]:
            return web.Response(status=304, headers=response.headers)
        return web.Response(status=response.status, headers=response.headers, body=response.body)

    def lay_out(path: str, body: bytes = b"", *, status: int = 200, headers: dict[str, str] | None = None) -> None:
        lowered = {name.lower(): value for name, value in (headers or {}).items()}
        laid_out[path] = Fetched(url=site.url + path, status=status, headers=lowered, body=body)

    site.handler = handler
    return Fetching(HttpFetcher(LOOPBACK), site.url, lay_out)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate that nobody vouches for, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    paths = tmp_path / "host.crt", tmp_path / "host.key"
    paths[0].write_bytes(made.public_bytes(Encoding.PEM))
    paths[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return paths
