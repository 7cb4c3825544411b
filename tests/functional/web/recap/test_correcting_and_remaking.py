"""Readers report errors and editors settle them; versions and what they changed are open to everybody; tasks."""

import html
import re

import msgspec
import pytest

from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.store import tasks


@pytest.fixture
def sitting(sittings):
    return sittings["shugiin-honkaigi"]


async def test_a_report_reaches_the_editors_and_is_settled(reader, editor, sitting):
    form = await reader.open(f"{sitting.path}/report?order=2")
    assert "About speech 2" in form
    await reader.send(f"{sitting.path}/report", {"text": "金額が違います。", "order": "2"})
    page = await editor.open("/recap/reports")
    assert "金額が違います。" in page
    assert f"{sitting.path}/speeches/2" in page
    action = html.unescape(re.search(r'action="(/recap/articles/[^"]*/reports/[^"]*)"', page)[1])
    await editor.send(action, {"answer": "直しました。"})
    assert "金額が違います。" not in await editor.open("/recap/reports")
    assert "直しました。" in await editor.open("/recap/reports?status=closed")


async def test_an_empty_report_comes_back_with_a_word(reader, sitting):
    answer = await reader.send(f"{sitting.path}/report", {"text": "  "})
    assert answer.status_code == 422
    assert "Say what is wrong" in answer.text


async def test_reports_and_tasks_are_for_editors(reader):
    page = await reader.open("/recap")
    assert "/recap/tasks" not in page
    await reader.open("/recap/tasks", status=403)
    await reader.open("/recap/reports", status=403)


async def test_a_new_version_shows_what_it_changed(installation, reader, sitting):
    changed = msgspec.structs.replace(sitting.recap, title="別の題名")
    await publish_recap(installation, sitting.meeting, changed, record_url=sitting.record_url, reason="a better title")
    versions = await reader.open(f"{sitting.path}/versions")
    assert "Version 2" in versions
    assert "a better title" in versions
    compared = await reader.open(f"{sitting.path}/compare?older=1&newer=2")
    assert re.search(r"<ins>[^<]*別の題名", compared)
    assert re.search(rf"<del>[^<]*{re.escape(sitting.recap.title)}", compared)
    old = await reader.open(f"{sitting.path}?version=1")
    assert "This is an earlier version" in old
    assert "別の題名" in await reader.open(sitting.path)


async def test_the_tasks_page_takes_days_or_says_what_to_write(editor):
    assert "Collect meetings" in await editor.open("/recap/tasks")
    wrong = await editor.send("/recap/tasks/collect", {"since": "someday", "until": "2026-05-01"})
    assert wrong.status_code == 422
    assert "Enter a date such as 2026-01-31." in wrong.text
    turned = await editor.send("/recap/tasks/collect", {"since": "2026-05-02", "until": "2026-05-01"})
    assert turned.status_code == 422
    future = await editor.send("/recap/tasks/collect", {"since": "2030-05-01", "until": "2030-05-02"})
    assert 'href="#field-since"' in future.text
    assert "That day is in the future" in future.text


async def test_only_a_meeting_that_is_written_can_be_written_anew(installation, editor, sittings):
    sample = next(candidate for candidate in sample_meetings() if candidate.name not in sittings)
    await tasks.ingest_meeting(installation.tables, sample.meeting, "recap/records/none")
    page = await editor.open("/recap/tasks?status=ingested")
    assert sample.meeting.meeting in page
    assert "/remake" not in page
    await tasks.delete_task(installation.tables, task_pk(sample.meeting))


async def test_collecting_shows_its_job_and_can_be_cancelled(editor):
    started = await editor.send("/recap/tasks/collect", {"since": "2026-05-01", "until": "2026-05-02"})
    assert "Collection started" in started.text
    cancel = re.search(r'action="(/recap/tasks/collecting/\d+/cancel)"', started.text)[1]
    assert "Waiting for a worker" in started.text
    assert "collected records are kept" in (await editor.send(cancel, {})).text
    assert "Waiting for a worker" not in await editor.open("/recap/tasks")
