"""Editors at the newsletter desk, and a worker that does what is queued while a test waits."""

import asyncio
import contextlib

import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import worker_for

PATH = "/api/v1/newsletters"
DEADLINE = 60


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
                (found,) = [one for one in await self.get(f"{code}/progress") if one["step"] == step]
                if found["status"] != "processing":
                    return found
                await asyncio.sleep(0.05)


@pytest.fixture
def editor_of(services, visit, person):
    """Editors with tokens of their own."""

    async def enter(role=Role.EDITOR, email=None):
        user = await person(role, email=email)
        made = await accounts.create_token(
            services.accounts, CONSOLE, name="tests", scopes=["read", "write", "admin"], owner_id=user.id,
            expires_at=None,
        )  # fmt: skip
        return Editor(visit(headers={"Authorization": f"Bearer {made.secret}"}))

    return enter


@pytest.fixture
async def editor(editor_of):
    return await editor_of(email="editor@example.org")


@pytest.fixture
async def worker(services):
    """A worker that runs as long as the test."""
    task = asyncio.create_task(worker_for(services).run())
    yield
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
