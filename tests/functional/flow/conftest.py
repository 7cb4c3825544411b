"""One installation with a small web to read from, a folder of sittings, and a worker; everything else by the API."""

import asyncio
import json
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import httpx
import pytest

from almanac.bootstrap import make_worker, open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.web.app import create_app

TOKEN = "a-fixed-token-for-automation"
DEADLINE = 60
LOCAL_WEB = Path(__file__).parents[1] / "news" / "local_web.py"
SITTING = files("almanac.desks.recap.demo") / "meetings" / "suiryoku-hatsuden.json"


@pytest.fixture(scope="session")
def web_pages(module_at):
    """The module that makes the pages of the small web."""
    return module_at(LOCAL_WEB)


@pytest.fixture
async def web(web_pages):
    served = await web_pages.LocalWeb().start()
    yield served
    await served.stop()


@pytest.fixture
def page_of(web_pages):
    """The paragraphs of the page of a number, as the small web serves them."""
    return web_pages.paragraphs_of


@pytest.fixture
def sitting(tmp_path):
    """A sitting about small hydropower in a folder, as a parliament would give its record."""
    (record,) = json.loads(SITTING.read_text("utf-8"))["meetingRecord"]
    record |= {"date": "2026-02-20"}
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "sitting.json").write_text(json.dumps(record), "utf-8")
    return record


@pytest.fixture
def settings(tmp_path, database_url, sitting):
    return Settings(
        data=tmp_path / "data",
        database_url=database_url,
        mail_url="memory:",
        admin_token=TOKEN,
        rate_limit_per_minute=100_000,
        fetch_allow="127.0.0.0/8",
        news_delay_ms=0,
        recap_source=(tmp_path / "records").as_uri(),
    )


@pytest.fixture
async def services(settings, clock):
    async with open_services(settings, clock) as services:
        worker = asyncio.create_task(make_worker(services).run())
        yield services
        worker.cancel()
        with suppress(asyncio.CancelledError):
            await worker


class Program:
    """A program that uses the installation by its API only, and waits for what it has begun."""

    def __init__(self, http):
        self.http = http

    async def get(self, path):
        answer = await self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path, body=None, *, status=202):
        answer = await self.http.post(f"/api/v1{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def until(self, path, is_ready):
        """The answer once something is in it."""
        async with asyncio.timeout(DEADLINE):
            while True:
                answer = await self.get(f"/api/v1{path}")
                if is_ready(answer):
                    return answer
                await asyncio.sleep(0.1)

    async def write(self, body, *topics):
        """A newsletter up to its draft; the answer is its code."""
        code = (await self.post("/newsletters", body, status=201))["code"]
        await self.http.put(
            f"/api/v1/newsletters/{code}/topics", json={"selected_types": topics}, headers={"If-Match": '"0"'}
        )
        for path, step in (("retrieve", "retrieval"), ("outline/generate", "outline"), ("draft/generate", "draft")):
            await self.post(f"/newsletters/{code}/{path}")
            ended = await self.until(
                f"/newsletters/{code}/progress",
                lambda steps, step=step: {step["step"]: step["status"] for step in steps}[step] != "processing",
            )
            assert {item["step"]: item["status"] for item in ended}[step] == "completed", ended
        return code

    async def export(self, code, name):
        await self.post(f"/newsletters/{code}/exports/{name}")
        await self.until(f"/newsletters/{code}/draft", lambda draft: name in draft["exports"])
        return (await self.http.get(f"/api/v1/newsletters/{code}/exports/{name}")).content


@pytest.fixture
async def program(services):
    transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://testserver", headers=headers, follow_redirects=True
    ) as http:
        yield Program(http)
