"""The desk's pages: what an empty desk says, tasks by forms, the queue, sites, fates."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.news.pipeline.maintenance import adopt_foreign_rows
from almanac.desks.news.service import links as link_service
from almanac.desks.news.store import sites as site_store
from almanac.desks.news.store.sites import SiteBlock

FOREIGN_ROWS = Path(__file__).parents[2] / "news" / "foreign_rows.sql"
MARKUP = "<script>alert(1)</script> & solar"
OPML = b"""<opml version="2.0"><body><outline type="rss" text="Selat" xmlUrl="https://selat.example/feed.xml"/></body></opml>"""


@pytest.fixture
async def editor(signed_in):
    return await signed_in(Role.EDITOR)


async def add_task(editor, name="Solar in ASEAN", **more):
    sent = {
        "task_name": name,
        "prompt_template": "solar",
        "sources": "https://selat.example/feed.xml\nsearch",
        "is_active": "yes",
        "schedule": "daily",
        **more,
    }
    return await editor.post("/news/tasks/new", sent)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/news", "No stories yet"),
        ("/news?q=solar", "No story matches"),
        ("/news/tasks", "No tasks yet"),
        ("/news/queue", "No links yet"),
        ("/news/fate", "Look up any link"),
        ("/news/sites", "No site is blocked"),
        ("/news/rules", "No rules yet"),
        ("/news/statistics", "No stories yet"),
        ("/news/tasks/new?template=2", "LSS rooftop"),
    ],
)
async def test_an_empty_desk_says_what_belongs_where(editor, path, message):
    answer = await editor.get(path)
    assert (answer.status_code, message in answer.text) == (200, True)


async def test_a_task_is_added_run_edited_and_deleted_by_forms(editor):
    added = await add_task(editor)
    assert "Task Solar in ASEAN added." in added.text
    place = added.url.path
    assert "Waiting for a worker" in (await editor.post(f"{place}/run")).text
    form = await editor.get(f"{place}/edit")
    assert "https://selat.example/feed.xml\nsearch</textarea>" in form.text
    sent = {"task_name": "Sun", "prompt_template": "sun", "schedule": "", "version": "1"}
    assert "Task Sun saved." in (await editor.post(f"{place}/edit", sent)).text
    stale = await editor.post(f"{place}/edit", sent)
    assert (stale.status_code, "Someone else saved a different version" in stale.text) == (412, True)
    assert "Every run" not in (await editor.get(f"{place}/runs")).text
    assert "Task Sun deleted" in (await editor.post(f"{place}/delete")).text
    assert (await editor.get(place)).status_code == 404


async def test_schedules_are_told_in_words_and_times_in_their_tense(editor, clock):
    added = await add_task(editor, schedule="30 6 * * 1-5", time_zone="Asia/Tokyo")
    for path in ("/news/tasks", added.url.path):
        assert "Monday to Friday at 06:30" in (await editor.get(path)).text
    assert ("It will run" in added.text, "30 6 * *" in added.text) == (True, False)
    clock.advance(days=9)
    assert "The next run was due" in (await editor.get(added.url.path)).text
    assert re.search(r"was due <time[^>]*>\d days ago</time>", (await editor.get("/news/tasks")).text)


async def test_a_site_that_was_blocked_by_itself_needs_a_decision(editor, services):
    block = SiteBlock(
        domain="closed.example",
        url="https://closed.example/",
        title=None,
        reason="It refused five times.",
        cause="refused",
        evidence={"status": 403},
        expires_at=services.clock.now() + timedelta(days=7),
        strikes=1,
        is_allowed=False,
    )
    async with services.database.unit() as unit:
        await site_store.upsert_block(unit, block, services.clock.now())
    await editor.post("/news/sites/block", {"domain": "advertisements.example"})
    page = (await editor.get("/news/sites")).text
    rows = re.findall(r"<tr data-row>\s*<td>([a-z.]+)</td>\s*<td>\s*<span class=\"badge badge-(\w+)", page)
    assert dict(rows) == {"closed.example": "failed", "advertisements.example": "plain"}


async def test_a_wrong_task_is_told_beside_its_fields(editor):
    wrong = await add_task(editor, name="", schedule="often")
    assert (wrong.status_code, "Enter a name" in wrong.text, 'id="error-schedule"' in wrong.text) == (
        422,
        True,
        True,
    )
    await add_task(editor)
    taken = await add_task(editor)
    assert (taken.status_code, "choose another name" in taken.text) == (409, True)


async def test_the_text_of_a_task_is_never_markup(editor, services):
    """A hostile name on every page that shows it: also with what its links became, in feeds and on the home page."""
    added = await add_task(editor, name=MARKUP, prompt_template=MARKUP, sources=f"site https://a.example/{MARKUP}")
    links = {"urls": ["https://selat.example/a?x=<script>alert(2)</script>"], "task_name": MARKUP}
    await link_service.add_links(services, CONSOLE, **links)
    await editor.post("/news/rules", {"query": "solar", "action": "tag", "tag": MARKUP, "name": MARKUP})
    await editor.post("/news/sites/block", {"domain": "selat.example", "reason": MARKUP})
    looked = await add_task(editor, name=MARKUP, prompt_template=MARKUP, try_it="yes")
    place = added.url.path
    pages = [
        "/news/tasks",
        place,
        f"{place}/edit",
        f"{place}/runs",
        "/news/queue",
        f"/news/queue?task={MARKUP}",
        f"/news/fate?url={MARKUP}",
        "/news/fate?url=https://selat.example/a?x=<script>alert(2)</script>",
        f"/news?q={MARKUP}",
        "/news/rules",
        "/news/rules/1/edit",
        "/news/sites",
        "/news/statistics",
        "/",
        "/jobs",
        "/audit",
    ]
    for answer in [added, looked, *[await editor.get(path) for path in pages]]:
        assert "<script>alert" not in answer.text, answer.url
    shown = "&lt;script&gt;alert(1)&lt;/script&gt;"
    for path in ("/news/tasks", place, "/news/queue", "/news/rules", "/news/sites"):
        assert shown in (await editor.get(path)).text, path
    assert b"<script>alert" not in (await editor.get("/news/feeds/opml")).content


async def test_an_address_that_another_program_stored_is_followed_only_to_the_web(editor, services):
    rows = FOREIGN_ROWS.read_text("utf-8").replace("https://example.org/a", "javascript:alert(1)")
    async with services.database.unit() as unit:
        await unit.execute(rows)
        story = await unit.value("SELECT id FROM news_links")
    await adopt_foreign_rows(services)
    for path in (f"/news/stories/{story}", "/news", "/news/queue"):
        page = await editor.get(path)
        assert page.status_code == 200, path
        assert not re.search(r"""(href|src|action)=["']?\s*javascript:""", page.text), path
    assert "alert(1)" in (await editor.get("/news/queue")).text


async def test_links_are_added_found_again_blocked_and_freed(editor):
    added = await editor.post("/news/queue/add", {"urls": "http://www.selat.example/a?utm_source=x\nno address at all"})
    assert "1 new link, 0 already known, 1 invalid." in added.text
    fate = await editor.get("/news/fate?url=https://m.selat.example/a/")
    assert ("It is waiting to be read." in fate.text, "https://selat.example/a" in fate.text) == (True, True)
    unknown = await editor.get("/news/fate?url=https://selat.example/b")
    assert ("No task has found this address" in unknown.text, "Add this link" in unknown.text) == (True, True)
    assert (await editor.get("/news/fate?url=mailto:x@y.z")).status_code == 422
    sent = {"domain": "selat.example", "reason": "They asked us to stop.", "days": "7"}
    assert "They asked us to stop." in (await editor.post("/news/sites/block", sent)).text
    queue = await editor.get("/news/queue?status=blocked")
    assert ("Retry all blocked links" in queue.text, "They asked us to stop." in queue.text) == (True, True)
    assert "1 link will be read" in (await editor.post("/news/sites/allow", {"domain": "selat.example"})).text
    assert "Never blocked" in (await editor.get("/news/sites")).text
    assert "is unblocked" in (await editor.post("/news/sites/unblock", {"domain": "selat.example"})).text
    retried = await editor.post("/news/queue/retry", {"status": "failed"})
    assert "0 links will be read again." in retried.text
    assert "Enter a site" in (await editor.post("/news/sites/block", {"domain": " "})).text


async def test_feeds_come_and_go_as_opml(editor):
    sent = {"csrf_token": await editor.csrf(), "task_name": "From my reader"}
    brought = await editor.http.post("/news/feeds/opml", data=sent, files={"file": ("feeds.opml", OPML)})
    assert "1 feed imported into the task “From my reader”." in brought.text
    assert b"https://selat.example/feed.xml" in (await editor.get("/news/feeds/opml")).content
    forgotten = await editor.http.post("/news/feeds/opml", data=sent, files={"file": ("", b"")})
    assert (forgotten.status_code, "Choose a file first" in forgotten.text) == (400, True)


async def test_a_reader_changes_nothing(signed_in):
    reader = await signed_in(Role.MEMBER)
    for path in ("/news/tasks", "/news/queue", "/news/sites", "/news/rules"):
        page = await reader.get(path)
        assert (page.status_code, 'method="post" action="/news' in page.text) == (200, False)
