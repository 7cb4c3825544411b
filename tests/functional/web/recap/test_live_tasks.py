"""The list of tasks is live: it changes on the page while meetings are collected and written."""

import asyncio
import re

import httpx
import pytest

from almanac.bootstrap import make_worker
from almanac.desks import DESKS
from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.jobs import WORK
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.store import tasks
from almanac.desks.recap.store.objects import save_record
from almanac.web.app import create_app

PATIENCE = 20


@pytest.fixture
async def address(installation, serve_app):
    async with serve_app(create_app(installation, DESKS)) as address:
        yield address


async def next_event(lines, wanted):
    """The first event that holds a word, as HTML."""
    async with asyncio.timeout(PATIENCE):
        event = []
        async for line in lines:
            if line.startswith("data:"):
                event.append(line.removeprefix("data:").strip())
            elif event:
                html, event = "\n".join(event), []
                if wanted in html:
                    return html
    raise AssertionError(f"The stream ended without {wanted}.")


async def test_a_task_leaves_the_queue_on_the_page_once_it_is_written(installation, editor, address, sittings):
    sample = next(candidate for candidate in sample_meetings() if candidate.name not in sittings)
    page = await editor.open("/recap/tasks")
    live = re.search(r'data-live="([^"]+)"', page)[1].replace("&amp;", "&")
    assert live.startswith("/recap/tasks/live?")
    async with (
        httpx.AsyncClient(base_url=address, timeout=PATIENCE, cookies=dict(editor.http.cookies)) as client,
        client.stream("GET", live) as answer,
    ):
        assert answer.status_code == 200
        lines = answer.aiter_lines()
        await next_event(lines, "No tasks here")
        raw_url = await save_record(installation, task_pk(sample.meeting), sample.raw)
        await tasks.ingest_meeting(installation.tables, sample.meeting, raw_url)
        await tasks.queue_waiting_tasks(installation.tables, llm="x", model="x", prompt_version="1.0")
        await installation.jobs.defer(WORK)
        html = await next_event(lines, sample.meeting.meeting)
        assert 'id="task-list"' in html
        await make_worker(installation).drain()
        await next_event(lines, "No tasks here")
    written = await editor.open("/recap/tasks?status=completed")
    assert sample.meeting.meeting in written
