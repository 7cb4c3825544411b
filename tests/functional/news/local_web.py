"""A small web on loopback: feeds, articles in three languages, a search endpoint, and every nuisance of the real one.

Runs inside a test, or as a process: `local_web.py <pages> <feeds>` prints its port and serves until its input ends.
Sites are addresses of the loopback network, 127.0.0.1, 127.0.0.2 and so on, all at one port.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from html import escape

from aiohttp import web

PLACES = {
    "en": ["Kedah", "Johor", "Sarawak", "Penang", "Selangor", "Perak", "Pahang", "Sabah"],
    "ms": ["Kedah", "Johor", "Sarawak", "Pulau Pinang", "Selangor", "Perak", "Pahang", "Sabah"],
    "zh": ["吉打", "柔佛", "砂拉越", "槟城", "雪兰莪", "霹雳", "彭亨", "沙巴"],
}
WHO = {
    "en": ["The energy ministry", "Tenaga Nasional", "The state government", "The regulator", "A group of investors"],
    "ms": ["Kementerian tenaga", "Tenaga Nasional", "Kerajaan negeri", "Badan kawal selia", "Sekumpulan pelabur"],
    "zh": ["能源部", "国家能源公司", "州政府", "监管机构", "一批投资者"],
}
THINGS = {
    "en": ["solar farm", "battery plant", "wind farm", "charging station", "biogas plant", "hydropower dam"],
    "ms": ["ladang solar", "loji bateri", "ladang angin", "stesen pengecas", "loji biogas", "empangan hidro"],
    "zh": ["太阳能发电厂", "电池厂", "风电场", "充电站", "沼气厂", "水电站"],
}
LANGUAGES = ("en", "zh", "ms")
NAVIGATION = "".join(f'<li><a href="/section/{n}">Section {n}</a></li>' for n in range(30))
FIRST_DAY = date(2026, 2, 1)


def language_of(number: int) -> str:
    return LANGUAGES[number % 3]


def day_of(number: int) -> date:
    return FIRST_DAY + timedelta(days=number % 14)


def words_of(number: int) -> tuple[str, str, str, int, int]:
    """Who builds what where, how many megawatts, for how many homes: different for every number."""
    lang = language_of(number)
    pick = lambda words, step: words[(number // step) % len(words)]  # noqa: E731 - three uses, one line
    return pick(WHO[lang], 3), pick(THINGS[lang], 7), pick(PLACES[lang], 2), 11 + number * 3, 1000 + number * 17


def title_of(number: int) -> str:
    _, project, place, megawatts, _ = words_of(number)
    return {
        "en": f"{place} gets {megawatts} MW {project}",
        "ms": f"{place} terima {project} {megawatts} MW",
        "zh": f"{place}将建{megawatts}兆瓦{project}",
    }[language_of(number)]


def paragraphs_of(number: int) -> list[str]:
    """The article; no two numbers share more than turns of phrase."""
    who, project, place, megawatts, homes = words_of(number)
    at = [(number * step) % 9973 for step in (31, 47, 59, 71, 83)]
    if language_of(number) == "en":
        return [
            f"{who} will build a {project} of {megawatts} megawatts in {place}, it said on Monday.",
            f"The {project} costs {at[0] + 100} million ringgit, supplying {homes:,} homes in {2027 + number % 3}.",
            f"Project {at[1]} creates {at[2] + 10} jobs near {place} town, engineer {at[3]} told us.",
            f"Work on plot {at[4]} begins in {number % 20 + 2} weeks, and the grid grows by {at[0]} metres.",
            f"Residents of village {at[3]} asked for {at[1] % 90 + 5} changes to the plan; most were accepted.",
        ]
    if language_of(number) == "ms":
        return [
            f"{who} akan membina {project} berkapasiti {megawatts} megawatt di {place}, menurut kenyataan pada Isnin.",
            f"Projek itu menelan belanja {at[0] + 100} juta ringgit dan membekalkan kuasa kepada {homes:,} rumah.",
            f"Projek {at[1]} mewujudkan {at[2] + 10} pekerjaan berhampiran bandar {place}, kata jurutera {at[3]}.",
            f"Kerja di lot {at[4]} bermula dalam {number % 20 + 2} minggu, dan grid dipanjangkan {at[0]} meter.",
            f"Penduduk kampung {at[3]} meminta {at[1] % 90 + 5} perubahan, dan kebanyakannya telah diterima.",
        ]
    return [
        f"{who}星期一宣布，将在{place}兴建一座{megawatts}兆瓦的{project}。",
        f"该项目耗资{at[0] + 100}百万令吉，将为{homes}户家庭供电。",
        f"第{at[1]}号工程将在{place}创造{at[2] + 10}个就业机会，第{at[3]}组工程师告诉记者。",
        f"第{at[4]}号地段的工程将在{number % 20 + 2}个星期后开始，电网将延长{at[0]}米。",
        f"第{at[3]}村的居民对计划提出了{at[1] % 90 + 5}项修改，大部分已被接受。",
    ]


def article(number: int, *, canonical: str = "", dated: bool = True) -> str:
    """A page with its boilerplate: navigation, an advertisement, a footer, a cookie notice."""
    lang, day = language_of(number), day_of(number)
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    stated = f'<meta property="article:published_time" content="{day}T08:00:00+08:00">' if dated else ""
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs_of(number))
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title_of(number))} | Daily Web'
        f"</title>{link}{stated}</head><body><nav><ul>{NAVIGATION}</ul></nav>"
        f"<main><article><h1>{escape(title_of(number))}</h1>{text}</article></main>"
        "<aside class='ad'><p>Advertisement: buy three umbrellas and pay for two.</p></aside>"
        "<footer><p>Copyright 2019 Daily Web. All rights reserved.</p><div>We use cookies.</div></footer></body></html>"
    )


@dataclass
class LocalWeb:
    """What is served, and what was asked for: `hits` by site and path, `most_at_once` by site."""

    pages: int = 30
    feeds: int = 2
    sites: int = 1
    port: int = 0
    hits: Counter[str] = field(default_factory=Counter)
    asked: list[tuple[str, float]] = field(default_factory=list)
    under_way: Counter[str] = field(default_factory=Counter)
    most_at_once: Counter[str] = field(default_factory=Counter)
    robots: str = "User-agent: *\nDisallow: /private/\n"
    patience: int = 1
    meanwhile: Callable[[], Awaitable[None]] | None = None
    given: dict[str, Callable[[web.Request], web.Response]] = field(default_factory=dict)
    _runner: web.AppRunner | None = None

    async def start(self) -> "LocalWeb":
        app = web.Application(middlewares=[self._count])
        for path, answer in {
            "/robots.txt": self._robots,
            "/a/{n}": self._article,
            "/a/{n}/amp": self._variant,
            "/print/{n}": self._variant,
            "/r/{n}": self._redirect,
            "/loop": self._loop,
            "/astray/{n}": self._to_home,
            "/wire/{n}": self._wire,
            "/private/{n}": self._article,
            "/status/{code}/{n}": self._status,
            "/busy/{n}": self._busy,
            "/torn/{n}": self._torn,
            "/charset/{n}": self._charset,
            "/huge/{n}": self._huge,
            "/empty/{n}": self._empty,
            "/slow/{n}": self._slow,
            "/undated/{n}": self._undated,
            "/": self._home,
            "/wall/{n}": self._wall,
            "/feed/{k}": self._feed,
            "/search": self._search,
            "/list": self._list,
            "/cached/{n}": self._cached,
            "/hits": self._hits,
            "/fading/{n}": self._fading,
            "/meanwhile/{n}": self._meanwhile,
            "/moving/{n}": self._moving,
            "/on/{path:.+}": self._leading_on,
            "/given/{name}": self._given,
        }.items():
            app.router.add_get(path, answer)
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "0.0.0.0", self.port, backlog=512).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def site(self, number: int = 0) -> str:
        return f"http://127.0.0.{1 + number % self.sites}:{self.port}"

    def url(self, path: str, site: int = 0) -> str:
        return f"{self.site(site)}{path}"

    def feed_url(self, number: int) -> str:
        return self.url(f"/feed/{number}", number)

    @web.middleware
    async def _count(self, request: web.Request, handler):
        host = request.host.partition(":")[0]
        if request.path != "/hits":
            self.hits[f"{host}{request.path}"] += 1
            self.asked.append((host, asyncio.get_running_loop().time()))
        self.under_way[host] += 1
        self.most_at_once[host] = max(self.most_at_once[host], self.under_way[host])
        try:
            return await handler(request)
        finally:
            self.under_way[host] -= 1

    async def _robots(self, request: web.Request) -> web.Response:
        return web.Response(text=self.robots)

    async def _article(self, request: web.Request) -> web.Response:
        return page(article(number_in(request)))

    async def _undated(self, request: web.Request) -> web.Response:
        return page(article(number_in(request), dated=False))

    async def _variant(self, request: web.Request) -> web.Response:
        """AMP and print versions, which name the article as their canonical address."""
        return page(article(number_in(request), canonical=f"/a/{number_in(request)}"))

    async def _redirect(self, request: web.Request) -> web.Response:
        raise web.HTTPMovedPermanently(f"/a/{number_in(request)}")

    async def _to_home(self, request: web.Request) -> web.Response:
        raise web.HTTPFound("/")

    async def _loop(self, request: web.Request) -> web.Response:
        raise web.HTTPFound("/loop")

    async def _wire(self, request: web.Request) -> web.Response:
        """The same agency story at every site, with another headline and a sentence of the site's own."""
        number, host = number_in(request), request.host.partition(":")[0]
        text = article(number).replace("<h1>", f"<h1>{host.rpartition('.')[2]}: ")
        return page(text.replace("</article>", f"<p>This report was edited by the desk of site {host}.</p></article>"))

    async def _status(self, request: web.Request) -> web.Response:
        return web.Response(status=int(request.match_info["code"]), text="No.")

    async def _busy(self, request: web.Request) -> web.Response:
        if self.hits[f"{request.host.partition(':')[0]}{request.path}"] == 1:
            return web.Response(status=429, headers={"Retry-After": str(self.patience)})
        return page(article(number_in(request)))

    async def _torn(self, request: web.Request) -> web.Response:
        """Markup that was cut off and never closed."""
        text = article(number_in(request)).replace("</p>", "").replace("</article>", "<div><b><table>")
        return page(text[: text.index("<footer>")])

    async def _charset(self, request: web.Request) -> web.Response:
        """Chinese in GBK, and a header that claims something else."""
        body = article(3 * number_in(request) + 1).replace('<meta charset="utf-8">', "").encode("gb18030")
        return web.Response(body=body, headers={"Content-Type": "text/html; charset=utf-8"})

    async def _huge(self, request: web.Request) -> web.Response:
        return page(article(number_in(request)) + "<!-- " + "x" * 3_000_000 + " -->")

    async def _empty(self, request: web.Request) -> web.Response:
        return page(f"<html><head><title>Nothing</title></head><body><ul>{NAVIGATION}</ul></body></html>")

    async def _wall(self, request: web.Request) -> web.Response:
        words = "Please enable JavaScript and cookies to continue. We must verify that you are human before you go on."
        return page(f"<html><head><title>Just a moment</title></head><body><p>{words}</p><p>{words}</p></body></html>")

    async def _slow(self, request: web.Request) -> web.Response:
        await asyncio.sleep(30)
        return page(article(number_in(request)))

    async def _home(self, request: web.Request) -> web.Response:
        return page(article(1, canonical="/"))

    async def _cached(self, request: web.Request) -> web.Response:
        if request.headers.get("If-None-Match") == '"v1"':
            return web.Response(status=304, headers={"ETag": '"v1"'})
        return web.Response(text=article(number_in(request)), content_type="text/html", headers={"ETag": '"v1"'})

    async def _fading(self, request: web.Request) -> web.Response:
        """There once, and gone after that."""
        if self.hits[f"{request.host.partition(':')[0]}{request.path}"] > 1:
            return web.Response(status=404)
        return page(article(number_in(request)))

    async def _meanwhile(self, request: web.Request) -> web.Response:
        """While this page is on its way, something else happens."""
        if self.meanwhile is not None:
            await self.meanwhile()
        return page(article(number_in(request)))

    async def _moving(self, request: web.Request) -> web.Response:
        """An article once, and after that the way to another one."""
        if self.hits[f"{request.host.partition(':')[0]}{request.path}"] > 1:
            raise web.HTTPFound(f"/a/{number_in(request) + 1}")
        return page(article(number_in(request)))

    async def _leading_on(self, request: web.Request) -> web.Response:
        """Nothing but the way to another page, as a page tells it itself."""
        target = escape(f"/{request.match_info['path']}")
        words = "<p>You are being redirected. If your browser does not go on, use the link on this page.</p>"
        return page(
            f'<html><head><meta http-equiv="Refresh" content="0; URL={target}"></head><body>{words}</body></html>'
        )

    async def _given(self, request: web.Request) -> web.Response:
        """What a test has put here."""
        return self.given[request.match_info["name"]](request)

    async def _list(self, request: web.Request) -> web.Response:
        links = "".join(
            f'<li><a href="/a/{n}?page=article-2026">{escape(title_of(n))} today</a></li>' for n in range(5)
        )
        return page(f"<html><head><title>All news</title></head><body><ul>{NAVIGATION}{links}</ul></body></html>")

    async def _search(self, request: web.Request) -> web.Response:
        numbers = [n for n in range(self.pages) if request.query.get("q", "") in ("", title_of(n).split()[0])]
        results = [
            {
                "url": self.url(f"/a/{n}?utm_source=search", n),
                "title": title_of(n),
                "publishedDate": f"{day_of(n)}T00:00:00",
            }
            for n in numbers[:20]
        ]
        return web.json_response({"query": request.query.get("q"), "results": results})

    async def _hits(self, request: web.Request) -> web.Response:
        return web.json_response(self.hits)

    async def _feed(self, request: web.Request) -> web.Response:
        """Every feed-th page, in one of three forms, with addresses as feeds dirty them; asked again, nothing new."""
        number = int(request.match_info["k"])
        if request.headers.get("If-None-Match") == f'"feed-{number}"':
            return web.Response(status=304, headers={"ETag": f'"feed-{number}"'})
        entries = [
            (self.url(f"/a/{n}?utm_source=feed{number}&utm_medium=rss#comments", n), n)
            for n in range(number, self.pages, self.feeds)
        ]
        body, kind = [_rss, _atom, _json][number % 3](f"Feed {number}", entries)
        return web.Response(text=body, content_type=kind, headers={"ETag": f'"feed-{number}"'})


def page(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html")


def number_in(request: web.Request) -> int:
    return int(request.match_info["n"])


def _rss(title: str, entries: list[tuple[str, int]]) -> tuple[str, str]:
    items = "".join(
        f"<item><title>{escape(title_of(n))}</title><link>{escape(url)}</link>"
        f"<pubDate>{day_of(n):%a, %d %b %Y} 00:00:00 GMT</pubDate></item>"
        for url, n in entries
    )
    return f"<rss version='2.0'><channel><title>{title}</title>{items}</channel></rss>", "application/rss+xml"


def _atom(title: str, entries: list[tuple[str, int]]) -> tuple[str, str]:
    items = "".join(
        f"<entry><title>{escape(title_of(n))}</title><id>{n}</id><link href='{escape(url)}'/>"
        f"<updated>{day_of(n)}T00:00:00Z</updated></entry>"
        for url, n in entries
    )
    text = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>{title}</title><id>x</id>{items}</feed>"
    return text, "application/atom+xml"


def _json(title: str, entries: list[tuple[str, int]]) -> tuple[str, str]:
    items = [{"id": str(n), "url": url, "title": title_of(n), "date_published": f"{day_of(n)}"} for url, n in entries]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": title, "items": items}
    return json.dumps(feed), "application/feed+json"


async def serve(pages: int, feeds: int) -> None:
    """Serve as a process of its own: one site for each feed."""
    local = await LocalWeb(pages=pages, feeds=feeds, sites=feeds).start()
    sys.stdout.write(f"{local.port}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await local.stop()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
