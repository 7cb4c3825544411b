"""An editor in a browser without JavaScript, and newsletters at different steps."""

import asyncio
import re

import pytest

from almanac.accounts.permissions import Role

DEADLINE = 60
TOPICS = ["Food Security", "Livestock", "Climate-Smart Agriculture", "Funding Opportunities", "Events", "Publications"]


class Desk:
    """One newsletter, seen by its author."""

    def __init__(self, visitor, code):
        self.visitor = visitor
        self.code = code
        self.base = f"/newsletter/{code}"

    async def see(self, path):
        answer = await self.visitor.get(f"{self.base}/{path}")
        assert answer.status_code == 200, answer.text[:2000]
        return answer.text

    async def version(self, page):
        """The version that the forms of a page were made from."""
        return re.search(r'name="version" value="(\d+)"', await self.see(page))[1]

    async def send(self, path, data=None, *, page=None):
        """Submit a form of a page, with the version that the page shows."""
        values = {"version": await self.version(page)} if page else {}
        return await self.visitor.post(f"{self.base}/{path}", {**values, **(data or {})})

    async def send_in_place(self, path, data):
        """Submit a form as a page that saves by itself does."""
        headers = {"HX-Request": "true", "X-CSRF-Token": await self.visitor.csrf()}
        return await self.visitor.http.post(f"{self.base}/{path}", data=data, headers=headers)

    async def until_done(self, path, words=""):
        """Look again until nothing is under way and the page has these words."""
        async with asyncio.timeout(DEADLINE):
            while True:
                text = await self.see(path)
                if "data-running" not in text and words in text:
                    return text
                await asyncio.sleep(0.1)


@pytest.fixture
async def visitor(signed_in):
    return await signed_in(Role.EDITOR)


@pytest.fixture
def begin(visitor):
    async def begin_one(title="Horn of Africa weekly"):
        answer = await visitor.post("/newsletter/new", {"title": title})
        assert answer.status_code == 200, answer.text[:2000]
        return Desk(visitor, re.search(r"/newsletter/(NL-[\w-]+)", str(answer.url))[1])

    return begin_one


@pytest.fixture
async def retrieved_desk(begin, knowledge):
    desk = await begin()
    await desk.send("topics", {"topics": TOPICS, "then": "retrieve"}, page="topics")
    await desk.until_done("topics")
    return desk


@pytest.fixture
async def outlined_desk(retrieved_desk):
    await retrieved_desk.send("outline/generate")
    await retrieved_desk.until_done("outline")
    return retrieved_desk


@pytest.fixture
async def drafted_desk(outlined_desk):
    await outlined_desk.send("draft/generate")
    # The job completes the newsletter after its text is there.
    await outlined_desk.until_done("draft", "Continue to export")
    return outlined_desk
