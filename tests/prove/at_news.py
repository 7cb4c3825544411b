"""Load at the news desk: links by hand and by feeds, from a web on loopback; each must end, with one story at most."""

import asyncio

import httpx
from calling import Caller
from report import Report
from stage import FEEDS, Stage

LINKS, TASKS, READ = "links", "news tasks", "feeds read"
FINAL = {"completed", "failed", "blocked", "duplicate"}
FIRST_PAGE, AT_ONCE, PAUSE = 1000, 3, 1.0


class News:
    """One editor adds links, another makes tasks that follow feeds and runs them."""

    writers = 2

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.editor: Caller = stage.admin
        self.next_page = FIRST_PAGE
        self.tasks = 0

    async def set_up(self) -> None:
        self.editor = await self.stage.person("reporter", "editor")

    async def write(self, writer: int) -> None:
        await (self._add_links() if writer else self._follow_a_feed())
        await asyncio.sleep(PAUSE)

    def _url(self, page: int) -> str:
        """Pages of one number are the same at every site, so each number has one site."""
        port = httpx.URL(self.stage.local_web).port
        return f"http://127.0.0.{1 + page % FEEDS}:{port}/a/{page}"

    async def _add_links(self) -> None:
        urls = [self._url(self.next_page + number) for number in range(AT_ONCE)]
        self.next_page += AT_ONCE
        await self.editor.post("/news/links", {"urls": urls})
        for url in urls:
            self.stage.journal.keep(LINKS, url)

    async def _follow_a_feed(self) -> None:
        """A new task now and then; and the feed of an older one is read again, which finds nothing new."""
        number = self.tasks
        self.tasks += 1
        name, port = f"Feed {number}", httpx.URL(self.stage.local_web).port
        source = {"kind": "feed", "address": f"http://127.0.0.{1 + number % FEEDS}:{port}/feed/{number % FEEDS}"}
        wish = {"task_name": name, "prompt_template": "{month}", "is_active": False, "sources": [source]}
        with self.stage.journal.doubting(TASKS, name):
            await self.editor.post("/news/tasks", wish)
        self.stage.journal.keep(TASKS, name, source["address"])
        started = await self.editor.post(f"/news/tasks/{name}/run")
        self.stage.journal.keep("jobs", str(started["job_id"]), "news")
        self.stage.journal.keep(READ, str(number % FEEDS))

    async def is_at_rest(self) -> bool:
        answer = await self.editor.get("/news/stats")
        return not answer["pending"] and not answer["processing"]

    async def check(self, report: Report) -> None:
        fates = {url: await self.editor.get("/news/fate", url=url) for url in self.stage.journal.certain(LINKS)}
        lost = [f"{url}: {fate['status']}" for url, fate in fates.items() if fate["status"] not in FINAL]
        report.claim(
            "news: every link that was taken has ended",
            f"{len(fates)}, {len(lost)} lost",
            holds=not lost,
            detail="\n".join(lost),
        )
        await self._check_tasks(report)
        await self._check_stories(report)

    async def _check_tasks(self, report: Report) -> None:
        existing = {task["task_name"]: task for task in await self.editor.every("/news/tasks")}
        certain = self.stage.journal.certain(TASKS)
        lost = [
            name
            for name, address in certain.items()
            if name not in existing or [item["address"] for item in existing[name]["sources"]] != [address]
        ]
        report.claim(
            "news: every task is there as it was made",
            f"{len(certain)}, {len(lost)} lost",
            holds=not lost,
            detail="\n".join(lost),
        )

    async def _check_stories(self, report: Report) -> None:
        """A page that was found in several feeds, and by hand, is one link with one story."""
        links = await self.editor.every("/news/links")
        pages = [link["canonical_url"] for link in links if link["status"] == "completed"]
        twice = {page for page in pages if pages.count(page) > 1}
        report.claim("news: no page became two stories", len(pages), holds=not twice, detail="\n".join(twice))
        read = {int(feed) for feed in self.stage.journal.certain(READ)}
        in_feeds = {self._url(page) for page in range(self.stage.plan.pages_in_feeds) if page % FEEDS in read}
        missing = in_feeds - {link["url"].partition("?")[0] for link in links}
        report.claim(
            "news: every page of the feeds that were read is there",
            len(in_feeds),
            holds=not missing,
            detail="\n".join(missing),
        )
        async with httpx.AsyncClient(trust_env=False) as http:
            hits: dict[str, int] = (await http.get(f"{self.stage.local_web}/hits")).json()
        again = sum(count - 1 for path, count in hits.items() if "/a/" in path)
        report.claim("news: pages fetched again because a reader was killed with them in hand", again)
