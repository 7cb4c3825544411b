"""Why a meeting is here or not, from its collection to the speech that a sentence rests on."""

import json

import pytest

from almanac.desks.recap.explainer import list_statements
from almanac.desks.recap.store.tasks import claim_next_task, fail_task, ingest_meeting, queue_waiting_tasks
from almanac.kit.messages import day_text


async def ask(browser, about):
    return json.loads(await browser.open(f"/api/v1/why?about={about}"))["items"]


async def test_a_day_of_which_nothing_was_collected_can_be_collected(editor, reader):
    [trace] = await ask(editor, "2026-05-30")
    assert trace["state"] == "Not here: no meeting of Saturday 30 May was collected."
    assert trace["next_step"].startswith("Records of the last three weeks are collected again ")
    [action] = trace["actions"]
    answer = await editor.send(action["href"], action["values"])
    assert "Collection started." in answer.text
    [trace] = await ask(reader, "2020-01-06")
    assert trace["next_step"] == "Records this old are only collected if somebody asks for them."
    assert trace["actions"] == []


async def test_a_meeting_that_is_here_tells_its_record_and_who_wrote_it(reader, sittings):
    sitting = sittings["sangiin-honkaigi"]
    [trace] = await ask(reader, f"recap:{sitting.meeting.issue_id}")
    spoken = len(sitting.meeting.spoken)
    assert trace["state"] == f"Here since Monday 1 June: written from {spoken} speeches of the official record."
    assert trace["steps"][0]["at"] == sitting.meeting.date.isoformat()
    assert trace["steps"][1]["sentence"] == "Version 1 was made of the record's own sentences."
    [day] = await ask(reader, sitting.meeting.date.isoformat())
    assert sitting.path in {step["href"] for step in day["steps"]}


async def test_a_sentence_leads_to_its_speeches(reader, sittings):
    sitting = sittings["chiiki-kotsu-iinkai"]
    statement = next(each for each in list_statements(sitting.recap) if each.orders)
    traces = await ask(reader, f"why {statement.text}")
    trace = next(trace for trace in traces if trace["kind"] == "statement")
    assert trace["title"] in statement.text
    assert trace["steps"][0]["href"] == f"{sitting.path}/speeches/{statement.orders[0]}"


@pytest.fixture
async def failed_meeting(installation, sittings):
    """A meeting that was collected and could not be written about."""
    meeting = sittings["sangiin-honkaigi"].meeting
    other = type(meeting)(
        issue_id="9",
        session=221,
        house="参議院",
        meeting="議院運営委員会",
        date=meeting.date.replace(day=29),
        speeches=meeting.speeches,
    )
    await ingest_meeting(installation.tables, other, "raw/9.json")
    await queue_waiting_tasks(installation.tables, llm="", model="", prompt_version="")
    claim = await claim_next_task(installation.tables, "tests")
    await fail_task(installation.tables, claim, "The model gave no answer.")
    return other


async def test_a_meeting_whose_writing_failed_is_explained_to_editors_and_tried_again(editor, reader, failed_meeting):
    day = failed_meeting.date.isoformat()
    [trace] = await ask(editor, day)
    assert trace["state"] == "Not here: writing failed. The model gave no answer."
    [named] = await ask(editor, "why 議院運営委員会")
    assert named["state"] == trace["state"]
    named_day = day_text(failed_meeting.date, "full")
    [seen] = await ask(reader, day)
    assert seen["state"] == f"Not here: nothing about a meeting of {named_day} was published."
    retry = next(action for action in named["actions"] if action["label"] == "Retry")
    assert "will be retried" in (await editor.send(retry["href"], retry["values"])).text
    [named] = await ask(editor, named["about"])
    assert named["state"] == "Not here yet: its record was collected and waits to be written."


async def test_versions_by_an_editor_are_dated_and_told_behind_the_correction_that_made_them(
    installation, editor, sittings
):
    sitting = sittings["shugiin-honkaigi"]
    noted_at = installation.clock.advance(days=2)
    try:
        here = f"{sitting.path}/corrections"
        await editor.send(here, {"text": "", "kind": "note", "note": "An annex was added."})
        [trace] = await ask(editor, f"recap:{sitting.meeting.issue_id}")
        listed = json.loads(await editor.open(f"/api/v1/recap/articles/{sitting.meeting.issue_id}/versions"))
        page = await editor.open(f"{sitting.path}/versions")
    finally:
        installation.clock.advance(days=-2)
    steps = [(step["sentence"], (step["at"] or "")[:10]) for step in trace["steps"][1:]]
    day = noted_at.date().isoformat()
    assert steps[:3] == [
        ("Version 1 was made of the record's own sentences.", "2026-06-01"),
        ("An editor corrected it.", day),
        ("Version 2 was made by an editor.", day),
    ]
    assert [version["made_at"][:10] for version in listed] == [day, "2026-06-01"]
    assert page.count("Made by an editor") == 1


async def test_a_day_in_a_trace_has_its_year(reader, sittings):
    sitting = sittings["sangiin-honkaigi"]
    page = await reader.open(f"/why?about=recap:{sitting.meeting.issue_id}")
    assert f'<span class="trace-time">{day_text(sitting.meeting.date, "weekday")}</span>' in page
