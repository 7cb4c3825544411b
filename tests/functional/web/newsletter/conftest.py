"""Editors at the newsletter desk, a newspaper in the knowledge base, and a worker that drains the queue."""

import asyncio
import json
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import httpx
import psycopg
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker, open_services
from almanac.config import Settings
from almanac.kit.clock import FixedClock
from almanac.knowledge.model import KnowledgeViewer, SourceStatus, Visibility

PATH = "/api/v1/newsletters"
DEADLINE = 60
ARTICLES = Path(__file__).parent / "articles"
NEWSPAPER = "Horn of Africa Observer"
TOPICS = (
    "breaking_news",
    "food_security",
    "research_findings",
    "climate_smart",
    "livestock",
    "funding",
    "events",
    "publications",
)


class Editor:
    """A person with a token who works on newsletters through the API."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def begin(self, **fields):
        answer = await self.http.post(PATH, json={"title": "Weekly Research Digest", **fields})
        assert answer.status_code == 201, answer.text
        return answer.json()["code"]

    async def get(self, path):
        answer = await self.http.get(f"{PATH}/{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def send(self, method, path, json=None, *, version=None, of=None, **headers):
        """Send a change; `of` names the resource whose present version it is made on."""
        if of is not None:
            version = (await self.http.get(f"{PATH}/{of}")).headers["etag"]
        if version is not None:
            headers["If-Match"] = version if str(version).startswith('"') else f'"{version}"'
        return await self.http.request(method, f"{PATH}/{path}", json=json, headers=headers)

    async def choose(self, code, *topics):
        answer = await self.send("PUT", f"{code}/topics", {"selected_types": topics}, of=f"{code}/topics")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def start(self, path, json=None):
        answer = await self.http.post(f"{PATH}/{path}", json=json)
        assert answer.status_code == 202, answer.text
        return answer.json()

    async def ends(self, code, step):
        """Where a step stands once nobody works on it any more."""
        async with asyncio.timeout(DEADLINE):
            while True:
                (progress,) = [
                    candidate for candidate in await self.get(f"{code}/progress") if candidate["step"] == step
                ]
                if progress["status"] != "processing":
                    return progress
                await asyncio.sleep(0.05)


@pytest.fixture
def editor_of(services, visit, person):
    """Editors with tokens of their own."""

    async def enter(role=Role.EDITOR, email=None, scopes=("read", "write", "admin")):
        user = await person(role, email=email)
        made = await accounts.create_token(
            services.accounts,
            CONSOLE,
            name="tests",
            scopes=list(scopes),
            owner_id=user.id,
            expires_at=None,
        )
        return Editor(visit(headers={"Authorization": f"Bearer {made.secret}"}))

    return enter


@pytest.fixture
async def editor(editor_of):
    return await editor_of(email="editor@example.org")


def article(path):
    """A file beside this one as an entry of a feed."""
    _, head, body = path.read_text("utf-8").split("---\n", 2)
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in body.strip().split("\n\n"))
    return {
        "id": path.stem,
        "url": f"https://observer.example/{path.stem}",
        "title": facts["title"],
        "date_published": f"{facts['date']}T08:00:00Z",
        "content_html": paragraphs,
    }


@asynccontextmanager
async def served_feed():
    """The newspaper's feed, on this machine."""
    entries = [article(path) for path in sorted(ARTICLES.glob("*.md"))]
    body = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": NEWSPAPER, "items": entries}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/feed+json\r\nContent-Length: {len(body)}\r\n"

    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/feed.json"


async def read_newspaper(services):
    """Into the knowledge base, for everybody."""
    viewer = KnowledgeViewer("librarian")
    async with served_feed() as feed, asyncio.timeout(DEADLINE):
        source = await services.knowledge.add_feed(viewer, feed, title=NEWSPAPER, visibility=Visibility.EVERYONE)
        async with aclosing(services.jobs.watch(source.job_id)) as changes:
            async for _ in changes:
                pass
    assert (await services.knowledge.get(viewer, source.id)).source.status is SourceStatus.READY


@asynccontextmanager
async def working(services):
    """A worker that runs meanwhile."""
    task = asyncio.create_task(make_worker(services).run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture(scope="session")
async def with_knowledge(databases, tmp_path_factory):
    """The name of a database in which the newspaper was read, to copy from: reading takes longer than most tests."""
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path_factory.mktemp("knowledge"),
            database_url=address,
            mail_url="memory:",
            fetch_allow="127.0.0.1",
        )
        async with (
            open_services(settings, FixedClock(datetime(2026, 3, 2, 8, tzinfo=UTC))) as services,
            working(services),
        ):
            await read_newspaper(services)
        yield psycopg.conninfo.conninfo_to_dict(address)["dbname"]


@pytest.fixture
async def database_url(databases, with_knowledge):
    """A database of the test's own, with the newspaper in it."""
    async with databases.lend(with_knowledge) as address:
        yield address


@pytest.fixture
async def worker(services):
    """A worker that runs as long as the test."""
    async with working(services):
        yield


@pytest.fixture(name="working")
def working_from_now():
    """Starts a worker later than the test, for as long as a block."""
    return working


@pytest.fixture
def knowledge(worker):
    """The newspaper, which is in every database here, and somebody to work with it."""


@pytest.fixture
def job_ends(services):
    """Follows a job to its end, and says how it ended."""

    async def follow(job_id):
        async with asyncio.timeout(DEADLINE), aclosing(services.jobs.watch(job_id)) as changes:
            return [view.status async for view in changes][-1]

    return follow


@pytest.fixture
def retrieved(editor, worker):
    """Newsletters for which sources were retrieved."""

    async def begin(*topics, **fields):
        code = await editor.begin(**fields)
        await editor.choose(code, *(topics or TOPICS))
        await editor.start(f"{code}/retrieve")
        assert (await editor.ends(code, "retrieval"))["status"] == "completed"
        return code

    return begin


@pytest.fixture
def drafted(editor, retrieved, job_ends):
    """Newsletters that were generated up to the draft; a step that is done may have more to do for the newsletter."""

    async def begin(*topics, **fields):
        code = await retrieved(*topics, **fields)
        for path in ("outline/generate", "draft/generate"):
            assert await job_ends((await editor.start(f"{code}/{path}"))["job_id"]) == "succeeded"
        return code

    return begin
