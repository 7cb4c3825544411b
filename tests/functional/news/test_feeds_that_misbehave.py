"""A feed that stalls, breaks its reader or asks for patience costs itself; no other source, and no worker."""

from aiohttp import web as http

from almanac.desks.news.model.tasks import LinkSourceKind
from almanac.desks.news.pipeline import discovery
from almanac.desks.news.service import links

LAST = "Mon, 02 Feb 2026 08:00:00 GMT"
FEED = "<rss version='2.0'><channel><title>T</title><item><link>{}</link></item></channel></rss>"


def serves(text: str, **headers: str):
    return lambda _: http.Response(text=text, content_type="application/rss+xml", headers=headers)


async def test_a_feed_that_takes_for_ever_is_left_in_time_and_the_others_are_asked(desk, services, web):
    def patiently(_: http.Request) -> http.Response:
        # A busy machine may take its time to start another reader, which is no fault of this feed.
        services.page_reader.seconds = 60.0
        return serves(FEED.format("/a/1"))(_)

    web.given["slow"], web.given["sound"] = serves("<rss version='2.0'><channel>" + "<a>" * 600_000), patiently
    services.page_reader.seconds = 2.0
    await desk.task("Energy", web.url("/given/slow"), web.url("/given/sound"))
    run = await desk.run("Energy")
    assert (run.status, run.added) == ("partly done", 1)
    assert "Reading the feed takes longer than 2 seconds" in run.problems[0]


async def test_a_feed_that_breaks_its_reader_costs_only_itself(desk, services, web):
    web.given["deep"] = serves('{"version": "https://jsonfeed.org/version/1.1", "items": ' + "[" * 300_000)
    await desk.task("Energy", web.url("/given/deep"), web.feed_url(0))
    run = await desk.run("Energy")
    assert (run.status, run.added, len(run.problems)) == ("partly done", 15, 1)


async def test_a_failure_that_nobody_thought_of_costs_only_its_source(desk, services, web, monkeypatch):
    finders = discovery.link_finders(services)

    class Broken:
        async def find(self, source, words):
            raise ZeroDivisionError

    monkeypatch.setattr(discovery, "link_finders", lambda _: {**finders, LinkSourceKind.SITE: Broken()})
    await desk.task("Energy", web.url("/list"), kind=LinkSourceKind.SITE)
    run = await desk.run("Energy")
    assert (run.status, len(run.problems)) == ("failed", 1)
    assert "unexpected" in run.problems[0]


async def test_a_page_that_names_its_feed_is_asked_again_in_full(desk, services, web):
    named = f'<html><head><link type="application/rss+xml" href="/given/feed"></head><body>{LAST}</body></html>'

    def front(request: http.Request) -> http.Response:
        if "If-Modified-Since" in request.headers:
            return http.Response(status=304)
        return http.Response(text=named, content_type="text/html")

    web.given["front"], web.given["feed"] = front, serves(FEED.format("/a/1"), **{"Last-Modified": LAST})
    await desk.task("Energy", web.url("/given/front"))
    assert (await desk.run("Energy")).added == 1
    web.given["feed"] = serves(FEED.format("/a/2"), **{"Last-Modified": LAST})
    assert (await desk.run("Energy")).added == 1


async def test_a_feed_whose_host_asks_for_patience_gets_it(desk, services, web, clock):
    web.sites = 2
    web.given["busy"] = lambda _: http.Response(status=429, headers={"Retry-After": "600"})
    await desk.task("Energy", web.url("/given/busy"))
    await desk.task("Page", web.url("/given/busy", 1), kind=LinkSourceKind.SITE)
    for name, host in (("Energy", "127.0.0.1"), ("Page", "127.0.0.2")):
        await desk.run(name)
        clock.advance(seconds=300)
        assert "paused for 300 more seconds" in (await desk.run(name)).problems[0]
        assert web.hits[f"{host}/given/busy"] == 1
    await desk.add_and_read(web.url("/a/2", 1))
    assert web.hits["127.0.0.2/a/2"] == 0, "the whole site is left alone"


async def test_an_address_that_no_table_can_hold_costs_only_itself(desk, services, web):
    entries = f"<item><link>https://{'a' * 300}.example/x</link></item><item><link>{web.url('/a/1')}</link></item>"
    web.given["long"] = serves(f"<rss version='2.0'><channel>{entries}</channel></rss>")
    await desk.task("Energy", web.url("/given/long"))
    run = await desk.run("Energy")
    assert (run.status, run.added, run.refused) == ("done", 1, 1)
    assert (await links.count_links_by_status(services)).total_links == 1
