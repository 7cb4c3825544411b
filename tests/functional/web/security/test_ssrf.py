"""SSRF protection: wherever somebody may enter a URL, a server on loopback is never reached."""

import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address

import pytest
from aiohttp import web

from almanac.bootstrap import make_worker
from almanac.kit.clock import SystemClock

# Loopback has many addresses: this one is allowed in the settings, the one behind it is not.
ALLOWED, SECRET = "127.0.0.2", "127.0.0.1"
METADATA_HOST = "metadata.google.internal"


@dataclass
class Site:
    """A server that counts who came."""

    url: str = ""
    seen: list[str] = field(default_factory=list)


@pytest.fixture
def serving(loopback):
    @asynccontextmanager
    async def serve(host, answer):
        site = Site()

        async def respond(request):
            site.seen.append(request.path)
            return await answer(request)

        async with loopback(web.route("*", "/{path:.*}", respond), host=host) as site.url:
            yield site

    return serve


@pytest.fixture
async def inside(serving):
    """What only this machine may reach."""

    async def answer(_request):
        return web.Response(text="<html><body><p>the secret of the machine</p></body></html>", content_type="text/html")

    async with serving(SECRET, answer) as site:
        yield site


@pytest.fixture
async def turncoat(serving, inside):
    """A host that is allowed and sends everybody inside."""

    async def answer(request):
        if request.path == "/robots.txt":
            return web.Response(text="User-agent: *\nAllow: /\n")
        raise web.HTTPFound(inside.url + "/from-redirect")

    async with serving(ALLOWED, answer) as site:
        yield site


@pytest.fixture
def clock():
    """A site that fails is left in peace for some seconds, which pass on a clock that goes."""
    return SystemClock()


@pytest.fixture
def settings(settings):
    return replace(settings, fetch_allow=ALLOWED, fetch_seconds=5, news_delay_ms=0)


def spellings(site):
    """The same address in the ways that fool a careless reader."""
    port, number = site.url.rpartition(":")[2], int(IPv4Address(SECRET))
    hosts = (
        SECRET,
        "localhost",
        str(number),
        hex(number),
        "0177.0.0.1",
        "127.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "①②⑦.0.0.1",
        "127.0.0.1.",
        f"user:pass@{SECRET}",
        f"{ALLOWED}@{SECRET}",
    )
    return [f"http://{host}:{port}/" for host in hosts]


OTHERS = [
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "ftp://127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    f"http://{METADATA_HOST}/",
    "jar:http://127.0.0.1!/",
    "dict://127.0.0.1:11211/",
]


def opml(addresses):
    escaped = [address.replace("&", "&amp;") for address in addresses]
    lines = "".join(f'<outline type="rss" text="a" xmlUrl="{address}"/>' for address in escaped)
    return f'<opml version="2.0"><body>{lines}</body></opml>'.encode()


async def entered(api, addresses):
    """Every entrance for addresses of people's choice; each may refuse at once or later, in the job that fetches."""
    for number, address in enumerate(addresses):
        await api.post("/api/v1/knowledge", data={"url": address})
        await api.post("/api/v1/knowledge", data={"feed": address})
        hook = await api.post("/api/v1/webhooks", json={"url": address, "events": ["approval.asked"]})
        if hook.status_code == 201:
            await api.post(f"/api/v1/webhooks/{hook.json()['id']}/ping")
        task = {
            "task_name": f"task {number}",
            "prompt_template": "rain",
            "sources": [{"kind": "feed", "address": address}],
        }
        if (await api.post("/api/v1/news/tasks", json=task)).status_code == 201:
            await api.post(f"/api/v1/news/tasks/task {number}/preview")
            await api.post(f"/api/v1/news/tasks/task {number}/run")
    await api.post("/api/v1/news/links", json={"urls": addresses})
    await api.post("/api/v1/news/opml", content=opml(addresses), headers={"Content-Type": "text/x-opml"})
    await api.post("/api/v1/knowledge/opml", files={"file": ("feeds.opml", opml(addresses), "text/x-opml")})


@pytest.fixture
def metadata_host(monkeypatch):
    """Resolves the cloud's metadata host as inside that cloud; elsewhere the name is unknown and jobs would retry."""
    look_up = socket.getaddrinfo

    def resolve(host, port, *arguments, **options):
        return look_up("169.254.169.254" if host == METADATA_HOST else host, port, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


@pytest.mark.usefixtures("metadata_host")
async def test_no_spelling_of_an_address_leads_inside(api, services, inside):
    await entered(api, [*spellings(inside), *OTHERS])
    await make_worker(services).drain()
    assert inside.seen == []


async def test_no_redirect_leads_inside(api, services, inside, turncoat):
    await entered(api, [turncoat.url + "/feed"])
    await make_worker(services).drain()
    assert len(turncoat.seen) >= 4, "the allowed host must really have been asked, or nothing is shown here"
    assert inside.seen == []


async def test_what_was_refused_says_why(api, services, inside):
    await api.post("/api/v1/knowledge", data={"url": inside.url})
    await make_worker(services).drain()
    answer = (await api.get("/api/v1/knowledge")).text + (
        await api.post("/api/v1/knowledge", data={"url": inside.url})
    ).text
    assert "leads to this machine, which is not fetched from" in answer
