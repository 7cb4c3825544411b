"""A parliament on loopback that answers like the National Diet's interface, and an installation that follows it."""

import asyncio
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.pipeline.collect import collect_meetings, configured_sources
from almanac.desks.recap.pipeline.make import make_articles
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.jobs import JobType, RunningJob
from almanac.kit.clock import FixedClock
from almanac.relational import Unit
from almanac.services import Services
from almanac.web.app import create_app

TOKEN = "a-fixed-token-for-automation"
MOST = 10
PEOPLE = (
    ("青木春子", "あおきはるこ", "みらい会"),
    ("石田健", "いしだけん", "市民クラブ"),
    ("大野空", "おおのそら", "緑の党"),
)
SAID = (
    "○青木春子君　図書館整備法案について質問します。予算は三億円で足りるのでしょうか。",
    "○石田健君　お答えします。三億円の予算で五十館を整備する計画であります。",
    "○大野空君　私は図書館整備法案に賛成の立場から討論します。地方の読書環境が改善されるからであります。",
)


def speech(order: int, text: str, speaker: tuple[str, str, str], issue_id: str) -> dict[str, Any]:
    name, yomi, group = speaker
    return {
        "speechID": f"{issue_id}_{order:03d}",
        "speechOrder": order,
        "speaker": name,
        "speakerYomi": yomi,
        "speakerGroup": group,
        "speakerPosition": None,
        "speakerRole": None,
        "speech": text,
        "startPage": 0,
        "createTime": "2026-01-10 01:11:39",
        "updateTime": "2026-01-10 01:11:39",
        "speechURL": f"https://kokkai.example/txt/{issue_id}/{order}",
    }


def a_sitting(
    number: int = 1,
    *,
    day: str = "2026-02-10",
    house: str = "衆議院",
    meeting: str = "文教委員会",
    texts: tuple[str, ...] = SAID,
    **changes: Any,
) -> dict[str, Any]:
    """One sitting as the interface gives it."""
    issue_id = f"1221{number:05d}X{day.replace('-', '')}"
    header = (
        f"令和八年二月十日（火曜日）\r\n　　　午前九時開議\r\n○本日の会議に付した案件\r\n"
        f"　図書館整備法案（内閣提出第{number}号）\r\n"
    )
    speeches = [speech(0, header, ("会議録情報", "", ""), issue_id)]
    speeches += [speech(at, text, PEOPLE[(at - 1) % 3], issue_id) for at, text in enumerate(texts, 1)]
    return {
        "issueID": issue_id,
        "imageKind": "会議録",
        "searchObject": 0,
        "session": 221,
        "nameOfHouse": house,
        "nameOfMeeting": meeting,
        "issue": f"第{number}号",
        "date": day,
        "closing": None,
        "speechRecord": speeches,
        "meetingURL": f"https://kokkai.example/txt/{issue_id}",
        "pdfURL": None,
        **changes,
    }


Trouble = Callable[[web.Request], web.StreamResponse]


@dataclass
class Diet:
    """Answers `meeting`: at most ten records, cut short with the next position; single records without a list."""

    url: str = ""
    sittings: list[dict[str, Any]] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)
    troubles: deque[Trouble] = field(default_factory=deque)

    def clear(self) -> None:
        self.sittings, self.asked, self.troubles = [], [], deque()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(dict(request.query))
        if self.troubles:
            return self.troubles.popleft()(request)
        first, last = request.query["from"], request.query["until"]
        matching = sorted(
            (record for record in self.sittings if first <= record["date"] <= last), key=lambda record: record["date"]
        )
        start, most = int(request.query["startRecord"]), int(request.query["maximumRecords"])
        page = matching[start - 1 : start - 1 + min(most, MOST)]
        after = start + len(page)
        return web.json_response(
            {
                "numberOfRecords": len(matching),
                "numberOfReturn": len(page),
                "startRecord": start if matching else None,
                "nextRecordPosition": after if after <= len(matching) else None,
                **({"meetingRecord": page[0] if len(page) == 1 else page} if page else {}),
            }
        )

    def refuses(self, status: int) -> None:
        texts = {"message": "入力されたパラメータに誤りがあります。", "details": ["(19011) fromの値が不正です"]}
        self.troubles.append(lambda _request: web.json_response(texts, status=status))

    def fails(self, status: int) -> None:
        self.troubles.append(lambda _request: web.Response(status=status, text="out of order"))

    def babbles(self) -> None:
        self.troubles.append(lambda _request: web.Response(text="<html>maintenance</html>"))


@pytest.fixture(scope="session")
async def diet_server(loopback: Any) -> AsyncIterator[Diet]:
    server = Diet()
    async with loopback(web.get("/api/meeting", server.answer)) as address:
        server.url = f"{address}/api"
        yield server


@pytest.fixture
def diet(diet_server: Diet) -> Diet:
    """The parliament's interface, without any sitting yet."""
    diet_server.clear()
    return diet_server


@asynccontextmanager
async def an_installation(databases: Any, source: str, **settings: Any) -> AsyncIterator[Services]:
    """A whole installation on a database of its own."""
    async with databases.lend() as address:
        with tempfile.TemporaryDirectory(prefix="almanac-recap-") as folder:
            chosen = Settings(
                data=Path(folder),
                database_url=address,
                mail_url="memory:",
                recap_source=source,
                recap_pause_seconds=0,
                fetch_allow="127.0.0.1",
                base_url="http://testserver",
                **settings,
            )
            async with open_services(chosen, FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))) as services:
                yield services


@pytest.fixture(scope="module")
async def services(databases: Any, diet_server: Diet) -> AsyncIterator[Services]:
    """One installation for all tests of a file; each brings sittings of its own."""
    async with an_installation(databases, diet_server.url, admin_token=TOKEN, public="recap") as services:
        yield services


@pytest.fixture(scope="module")
async def site(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    """The installation through HTTP, as automation with its token sees it."""
    transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=headers) as site:
        yield site


async def silent(_done: int | None, _total: int | None, _doing: str) -> None:
    await asyncio.sleep(0)


class Desk:
    """The desk as an operator drives it: collect, write."""

    def __init__(self, services: Services, diet: Diet) -> None:
        self.services, self.diet = services, diet

    async def collect(self, since: str = "2026-02-01", until: str = "2026-02-28"):
        first, last = date.fromisoformat(since), date.fromisoformat(until)
        result = await collect_meetings(self.services, configured_sources(self.services), first, last, report=silent)
        result.raise_failures()
        return result.sources[0]

    async def work(self, owner: str = "test"):
        return await make_articles(self.services, owner, report=silent)

    async def publish(self, *sittings: dict[str, Any]) -> list[Meeting]:
        """Collect these sittings and write about them."""
        self.diet.sittings = list(sittings)
        for record in sittings:
            await self.collect(record["date"], record["date"])
        made = await self.work()
        assert made.failed == 0
        return [parse_meeting(record) for record in sittings]


@pytest.fixture
def desk(services: Services, diet: Diet) -> Desk:
    return Desk(services, diet)


@pytest.fixture(scope="session")
def sitting() -> Callable[..., dict[str, Any]]:
    """Makes sittings, each with a number of its own."""
    return a_sitting


class JobLedger:
    """The marks of one job over all its attempts; a step counts once its transaction has committed."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.done: set[str] = set()
        self.told: list[str] = []
        self._marked: set[str] = set()

    async def progress(self, _done: int | None, _total: int | None, doing: str) -> None:
        self.told.append(doing)

    @asynccontextmanager
    async def unit(self) -> AsyncIterator[Unit]:
        self._marked = set()
        async with self.services.database.unit() as unit:
            yield unit
        self.done |= self._marked

    async def once(self, _unit: Unit, step: str) -> bool:
        self._marked.add(step)
        return step not in self.done


@pytest.fixture
def ledger(services: Services) -> JobLedger:
    return JobLedger(services)


@pytest.fixture
def run_job(services: Services, ledger: JobLedger) -> Callable[..., Awaitable[None]]:
    """Runs a task as one attempt at one job."""

    async def run(task: JobType, **args: Any) -> None:
        await task.run(RunningJob(1, task.name, 1, services, ledger), **args)

    return run
