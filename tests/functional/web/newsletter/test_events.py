"""Actions on a newsletter are audited, and subscribed webhooks get each event once."""

import json
from dataclasses import replace

import pytest
from aiohttp import web

from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.bootstrap import make_worker
from almanac.desks.newsletter import jobs

EVENTS = ["newsletter.completed", "newsletter.exported", "newsletter.prepared"]


@pytest.fixture
def settings(settings):
    return replace(settings, fetch_allow="127.0.0.0/8")


@pytest.fixture
async def published(api, loopback):
    """What a program was told that chose every event of the desk."""
    seen = []

    async def take(request):
        seen.append(await request.json())
        return web.Response(status=204)

    async with loopback(web.post("/hook", take)) as address:
        wish = {"url": f"{address}/hook", "events": EVENTS, "description": "Archive"}
        answer = await api.post("/api/v1/webhooks", json=wish)
        assert answer.status_code == 201, answer.text
        yield seen


@pytest.fixture
def entries(services):
    """What the audit log says of a newsletter, the oldest first."""

    async def read(code):
        wanted = AuditFilter(object_type="newsletter", object_id=code)
        page = await audit.list_entries(services.database, wanted, key=b"key")
        return [(entry.action, entry.actor_via) for entry in reversed(page.items)]

    return read


async def begun(editor, **fields):
    code = await editor.begin(title="Drought watch", **fields)
    await editor.choose(code, "livestock", "climate_smart", "funding", "food_security")
    return code


async def test_a_newsletter_leaves_its_trail_from_beginning_to_end(services, editor, published, entries):
    code = await begun(editor)
    for path in ("retrieve", "outline/generate", "draft/generate", "exports/markdown"):
        await editor.start(f"{code}/{path}")
        await make_worker(services).drain()
    section = (await editor.get(f"{code}/draft"))["sections"][0]["id"]
    await editor.send("PUT", f"{code}/draft/sections/{section}", {"text": "Mine."}, of=f"{code}/draft")
    await editor.send("POST", f"{code}/draft/revisions/1/restore", of=f"{code}/draft")
    completed = await editor.send("POST", f"{code}/complete", of=f"{code}/draft")
    assert completed.status_code == 200, completed.text
    await editor.send("POST", f"{code}/complete", of=f"{code}/draft")
    await make_worker(services).drain()
    assert (await editor.send("DELETE", code)).status_code == 204
    assert await entries(code) == [
        ("newsletter.created", "token"),
        ("newsletter.completed", "system"),
        ("newsletter.exported", "system"),
        ("newsletter.restored", "token"),
        ("newsletter.completed", "token"),
        ("newsletter.deleted", "token"),
    ]
    assert [event["event"] for event in published] == [
        "newsletter.completed",
        "newsletter.exported",
        "newsletter.completed",
    ]
    assert published[1]["data"]["code"] == code
    assert published[1]["data"]["format"] == "markdown"
    assert "Mine." not in json.dumps(published)


async def test_a_prepared_issue_is_told_with_its_series(services, editor, published, entries, clock):
    rhythm = {"rule": "0 10 * * *", "time_zone": "UTC", "active": True}
    code = await begun(editor, schedule=rhythm)
    clock.advance(hours=2)
    await services.jobs.defer(jobs.PREPARE_DUE.job_type)
    await make_worker(services).drain()
    (run,) = (await editor.get(f"{code}/runs"))["runs"]
    assert await entries(run["issue"]) == [("newsletter.prepared", "system")]
    (event,) = published
    assert (event["event"], event["data"]["code"], event["data"]["series"]) == (
        "newsletter.prepared",
        run["issue"],
        code,
    )


async def test_a_completion_that_is_refused_leaves_no_trail(editor, retrieved, published, entries):
    code = await retrieved("livestock")
    refused = await editor.send("POST", f"{code}/complete", version=0)
    assert refused.status_code == 409
    assert [action for action, _ in await entries(code)] == ["newsletter.created"]
    assert published == []
