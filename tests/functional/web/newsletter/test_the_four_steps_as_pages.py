"""The four steps without a script: plain forms and redirects from a title to an exported file."""

import asyncio
import re

import pytest

from almanac.accounts.permissions import Role

DEADLINE = 60
TOPICS = ["Food Security", "Livestock", "Climate-Smart Agriculture", "Funding Opportunities", "Events", "Publications"]


def hidden(text, name):
    """The value of a hidden field."""
    return re.search(rf'name="{name}" value="([^"]*)"', text)[1]


class Desk:
    """An editor in a browser without scripts, at one newsletter."""

    def __init__(self, visitor, code):
        self.visitor = visitor
        self.base = f"/newsletter/{code}"

    async def see(self, path):
        answer = await self.visitor.get(f"{self.base}/{path}")
        assert answer.status_code == 200, answer.text[:2000]
        return answer.text

    async def send(self, path, data=None, *, page=None):
        """Submit a form of a page, with the version that the page shows."""
        values = {}
        if page:
            text = await self.see(page)
            values["version"] = hidden(text, "version")
        return await self.visitor.post(f"{self.base}/{path}", {**values, **(data or {})})

    async def until_done(self, path):
        """Look again until nothing is under way."""
        async with asyncio.timeout(DEADLINE):
            while "data-running" in (text := await self.see(path)):
                await asyncio.sleep(0.1)
        return text


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
def retrieved_desk(begin, knowledge):
    async def retrieve():
        desk = await begin()
        await desk.send("topics", {"topics": TOPICS, "then": "retrieve"}, page="topics")
        await desk.until_done("topics")
        return desk

    return retrieve


@pytest.fixture
def drafted_desk(retrieved_desk):
    async def draft():
        desk = await retrieved_desk()
        for step in ("outline", "draft"):
            await desk.send(f"{step}/generate")
            await desk.until_done(step)
        return desk

    return draft


async def test_from_a_title_to_a_file(retrieved_desk):
    desk = await retrieved_desk()
    topics = await desk.see("topics")
    assert "of" in topics
    assert "Score" in topics
    await desk.send("outline/generate")
    outline = await desk.until_done("outline")
    assert "Main Content" in outline
    await desk.send("draft/generate")
    draft = await desk.until_done("draft")
    assert "Every sentence is supported by its source." in draft
    source = re.search(r'href="(/newsletter/[^"]*/source\?[^"]*)"', draft)[1].replace("&amp;", "&")
    shown = await desk.visitor.get(source)
    assert "<mark>" in shown.text
    assert "The marked sentence supports the text." in shown.text
    for look in ("desktop", "phone", "text"):
        assert "Horn of Africa weekly" in await desk.see(f"preview?look={look}")
    mail = await desk.visitor.get(f"{desk.base}/preview/mail")
    assert "sandbox" in mail.headers["content-security-policy"]
    started = await desk.send("export/pdf")
    await desk.until_done(f"export?{started.url.query.decode()}")
    exported = await desk.see("export")
    assert "from revision" in exported
    file = await desk.visitor.get(re.search(r'href="(/api/v1/newsletters/[^"]*/exports/pdf)"', exported)[1])
    assert file.content.startswith(b"%PDF-")
