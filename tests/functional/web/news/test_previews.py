"""What a task would find is found out by a job: started by a request, followed, stopped, and read for a day."""

from datetime import timedelta

import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.desks.news.store import tasks

PATH = "/api/v1/news"
FORM = {"task_name": "Sun", "prompt_template": "solar", "sources": "search", "try_it": "yes"}


@pytest.fixture
async def editor(signed_in):
    return await signed_in(Role.EDITOR)


async def looked_at(editor):
    """The page of a look that was begun in the form of a new task."""
    begun = await editor.post("/news/tasks/new", FORM)
    assert (begun.status_code, "Waiting for a worker" in begun.text, ">solar</textarea>" in begun.text) == (
        200,
        True,
        True,
    )
    return begun.text.partition('data-refresh="')[2].partition('"')[0]


async def test_a_look_is_a_job_whose_finding_is_shown_and_not_kept(editor, services):
    page = await looked_at(editor)
    assert "Waiting for a worker" in (await editor.get(page)).text
    await make_worker(services).drain()
    shown = (await editor.get(page)).text
    assert ("What it would find now" in shown, "search: No search endpoint is set" in shown) == (True, True)
    assert "nothing was saved" in shown
    assert "No tasks yet" in (await editor.get("/news/tasks")).text


async def test_a_look_can_be_stopped(editor, services):
    page = await looked_at(editor)
    stopped = await editor.post(f"{page}/cancel")
    assert "This preview was cancelled or is older than a day" in stopped.text
    await make_worker(services).drain()
    assert "What it would find now" not in (await editor.get(page)).text


async def test_the_api_tells_how_a_look_stands_and_what_it_found(api, services):
    source = {"kind": "model"}
    await api.post(f"{PATH}/tasks", json={"task_name": "Sun", "prompt_template": "sun", "sources": [source]})
    started = await api.post(f"{PATH}/tasks/Sun/preview")
    assert started.status_code == 202
    place = f"{PATH}/previews/{started.json()['job_id']}"
    assert (await api.get(place)).json()["status"] == "queued"
    await make_worker(services).drain()
    preview = (await api.get(place)).json()
    assert (preview["status"], preview["links"], preview["problems"][0][:6]) == ("succeeded", [], "model:")
    assert (await api.get(f"{PATH}/previews/999999")).status_code == 404
    other = (await api.post(f"{PATH}/tasks/Sun/run")).json()["job_id"]
    assert (await api.get(f"{PATH}/previews/{other}")).status_code == 404


async def test_a_finding_is_forgotten_after_a_day(editor, services):
    page = await looked_at(editor)
    await make_worker(services).drain()
    async with services.database.unit() as unit:
        assert await tasks.delete_previews_before(unit, services.clock.now() + timedelta(seconds=1)) == 1
    assert "older than a day" in (await editor.get(page)).text
