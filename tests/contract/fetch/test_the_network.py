"""The fetcher on a real network: redirects, names that lead inside, slow and endless answers."""

import asyncio
import gzip
import socket
import ssl
import zlib

import pytest
from aiohttp import web

from almanac.fetch import AddressRefused, BodyTooLarge, FetchFailed, HostUnavailable
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import MOST_REDIRECTS, FetchLimits, HttpFetcher

LOOPBACK = FetchGuard.from_settings("127.0.0.0/8", "80,443")
ONE_HOST = FetchGuard.from_settings("127.0.0.1", "80,443")


@pytest.fixture
def fetcher():
    return HttpFetcher(LOOPBACK)


def answering(site, **answer):
    async def handler(request):
        return web.Response(**answer)

    site.handler = handler


def redirecting(site, target, status=302):
    async def handler(request):
        if request.path == "/start":
            return web.Response(status=status, headers={"Location": target})
        return web.Response(text=f"at {request.path}")

    site.handler = handler


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed_and_told(fetcher, site, status):
    redirecting(site, "/end", status)
    fetched = await fetcher.get(site.url + "/start")
    assert (fetched.url, fetched.body, fetched.redirects) == (site.url + "/end", b"at /end", (site.url + "/start",))


@pytest.mark.parametrize(
    "target",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest",
        "//[::1]/",
        "file:///etc/passwd",
        "http://0x0a000001/",
        "http://user@127.0.0.1/",
    ],
)
async def test_a_redirect_is_vetted_like_the_first_address(fetcher, site, target):
    redirecting(site, target)
    with pytest.raises(AddressRefused):
        await fetcher.get(site.url + "/start")
    assert len(site.seen) == 1


async def test_going_in_circles_ends(fetcher, site):
    redirecting(site, "/start")
    with pytest.raises(FetchFailed, match="in a loop"):
        await fetcher.get(site.url + "/start")
    assert len(site.seen) == MOST_REDIRECTS + 1


async def test_a_name_that_leads_inside_is_refused_before_anything_is_sent(site):
    answering(site, text="secret")
    port = site.url.rpartition(":")[2]

    async def lookup(host, port):
        return ["93.184.215.14", "127.0.0.1"]

    fetcher = HttpFetcher(FetchGuard(ports=frozenset({int(port)})), lookup=lookup)
    with pytest.raises(AddressRefused, match="this machine"):
        await fetcher.get(f"http://innocent.example:{port}/")
    assert not site.seen


async def test_a_name_is_asked_for_once_and_the_checked_address_is_the_one_connected_to(site):
    """A name that gives a good address first and a bad one later gains nothing: there is no later."""
    answering(site, text="the checked one")
    port = site.url.rpartition(":")[2]
    asked = []

    async def lookup(host, port):
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    fetched = await HttpFetcher(ONE_HOST, lookup=lookup).get(f"http://rebinding.example:{port}/")
    assert (fetched.body, asked) == (b"the checked one", ["rebinding.example"])


async def test_a_redirect_to_the_same_name_is_looked_up_and_checked_anew(site):
    port = site.url.rpartition(":")[2]
    redirecting(site, f"http://rebinding.example:{port}/end")
    answers = [["127.0.0.1"], ["127.0.0.2"]]

    async def lookup(host, port):
        return answers.pop(0)

    with pytest.raises(AddressRefused):
        await HttpFetcher(ONE_HOST, lookup=lookup).get(f"http://rebinding.example:{port}/start")
    assert len(site.seen) == 1


async def test_what_is_meant_for_one_host_is_not_shown_to_another(site):
    port = site.url.rpartition(":")[2]
    redirecting(site, f"http://other.example:{port}/end")

    async def lookup(host, port):
        return ["127.0.0.1"]

    await HttpFetcher(LOOPBACK, lookup=lookup).get(
        site.url + "/start", headers={"Authorization": "Bearer mine"}, accept="text/html"
    )
    first, second = (request.headers for request in site.seen)
    assert first["Authorization"] == "Bearer mine"
    assert "Authorization" not in second
    assert second["Accept"] == "text/html"


async def test_no_cookie_is_kept_and_no_proxy_is_used(site, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://10.9.8.7:1")

    async def handler(request):
        headers = {"Set-Cookie": "who=me", "Location": "/end"}
        return web.Response(status=302 if request.path == "/start" else 200, headers=headers)

    site.handler = handler
    await HttpFetcher(LOOPBACK, FetchLimits(user_agent="Somebody/1")).get(site.url + "/start")
    assert [("Cookie" in r.headers, r.headers["User-Agent"]) for r in site.seen] == [(False, "Somebody/1")] * 2


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, lambda data: zlib.compress(data)[2:-4]])
async def test_a_packed_body_is_unpacked(fetcher, site, pack):
    encoding = "gzip" if pack is gzip.compress else "deflate"
    answering(site, body=pack(b"words " * 1000), headers={"Content-Encoding": encoding})
    assert (await fetcher.get(site.url)).body == b"words " * 1000


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_an_empty_body_is_whole_whatever_it_claims_to_be_packed_with(fetcher, site, encoding):
    answering(site, status=202, headers={"Content-Encoding": encoding})
    assert (await fetcher.post(site.url, b"told")).status == 202


async def test_a_bomb_does_not_go_off(fetcher, site):
    bomb = gzip.compress(b"\0" * 50_000_000)
    assert len(bomb) < 100_000
    answering(site, body=bomb, headers={"Content-Encoding": "gzip"})
    with pytest.raises(BodyTooLarge):
        await fetcher.get(site.url, max_bytes=1_000_000)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(b"not gzip", "gzip"), (gzip.compress(b"words" * 99, mtime=0)[:-9], "gzip"), (b"?", "br")],
    ids=["not gzip", "cut short", "another packing"],
)
async def test_a_damaged_body_is_no_body(fetcher, site, body, encoding):
    answering(site, body=body, headers={"Content-Encoding": encoding})
    with pytest.raises(FetchFailed):
        await fetcher.get(site.url)


async def test_an_endless_body_is_cut_at_the_limit(fetcher, site):
    async def handler(request):
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"x" * 50_000)

    site.handler = handler
    with pytest.raises(BodyTooLarge):
        await fetcher.get(site.url, max_bytes=200_000)


async def test_the_time_limit_is_for_the_whole_exchange(fetcher, site):
    over = asyncio.Event()

    async def handler(request):
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"x")
        await over.wait()
        return response

    site.handler = handler
    with pytest.raises(HostUnavailable, match=r"longer than 0\.3 seconds"):
        await fetcher.get(site.url, seconds=0.3)
    over.set()


async def test_a_host_that_is_not_there_is_worth_another_try(fetcher):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(HostUnavailable, match="can't be reached"):
        await fetcher.get(f"http://127.0.0.1:{port}/")


async def test_a_name_without_an_address_is_told_as_such():
    async def lookup(host, port):
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    with pytest.raises(HostUnavailable, match="can't be found"):
        await HttpFetcher(LOOPBACK, lookup=lookup).get("http://nowhere.example/")


@pytest.mark.parametrize("answer", [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 banana\r\n\r\n", b""])
async def test_a_host_that_speaks_something_else_is_a_clear_failure(fetcher, answer):
    async def speak(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises((FetchFailed, HostUnavailable)):
            await fetcher.get(f"http://127.0.0.1:{port}/")


async def test_a_broken_off_answer_is_worth_another_try(fetcher):
    async def speak(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    async with server:
        with pytest.raises(HostUnavailable, match="closed the connection early"):
            await fetcher.get(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")


async def test_a_host_without_a_valid_certificate_is_not_read_from(fetcher, certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    async with server:
        with pytest.raises(FetchFailed, match="certificate"):
            await fetcher.get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")


async def test_a_post_is_sent_once_with_its_body_and_headers(fetcher, site):
    answering(site, status=307, headers={"Location": "/elsewhere"})
    answer = await fetcher.post(site.url + "/hook", b'{"a": 1}', headers={"Content-Type": "application/json"})
    assert (answer.status, len(site.seen), site.bodies) == (307, 1, [b'{"a": 1}'])
    assert site.seen[0].headers["Content-Type"] == "application/json"
