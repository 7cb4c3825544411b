"""A task that another program put into the shared table is left to it, or written here when a person asks for it."""

import msgspec
import pytest
from aiohttp import web

from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store import tasks as store
from tablature.wire import to_wire


@pytest.fixture
def put(services):
    """Stores a task as another program would."""

    async def put(pk, **fields):
        item = {
            "pk": pk,
            "status": "pending",
            "llm": "gemini",
            "llmModel": "gemini-2.5-pro",
            "retryAttempts": 0,
            "createdAt": "2026-01-26T10:30:00.123456",
            "updatedAt": "2026-01-26",
            "processingMode": "single_chunk",
            "chunks": [],
            "prompt_url": "s3://prompts/x.json",
            "meeting": {"issueID": "X", "session": "221", "nameOfHouse": "衆議院", "nameOfMeeting": "予算委員会"},
            **fields,
        }
        wire = {name: to_wire(value) for name, value in item.items() if value is not None}
        request = {"TableName": services.settings.llm_tasks_table, "Item": wire}
        await services.table_service.send_async("PutItem", request)

    return put


async def stored(services, pk):
    request = {"TableName": services.settings.llm_tasks_table, "Key": {"pk": {"S": pk}}}
    return (await services.table_service.send_async("GetItem", request))["Item"]


@pytest.mark.parametrize("status", ["pending", "ingested", "remake", "completed", "failed"])
@pytest.mark.parametrize("fields", [{}, {"retryAttempts": 9, "chunks": None}, {"raw_url": "s3://raw/x.json"}])
async def test_it_is_left_as_it_is(services, desk, put, status, fields):
    await put("left", status=status, **fields)
    before = await stored(services, "left")
    made = await desk.work()
    assert (made.failed, made.completed) == (0, 0)
    assert await stored(services, "left") == before


async def test_it_does_not_hold_up_our_own(services, desk, sitting, put):
    for number in range(30):
        await put(f"older-{number:02d}", createdAt=f"2020-01-01T00:00:{number:02d}.000Z")
    await desk.publish(sitting(31))
    assert (await store.get_task(services.tables, task_pk(parse_meeting(sitting(31))))).status == "completed"


async def test_readers_of_the_list_see_whose_it_is(site, put):
    await put("shown", createdAt="2019-01-01T00:00:00.000Z")
    task = (await site.get("/api/v1/recap/tasks/shown")).json()
    assert (task["issue_id"], task["session"], task["retries"], task["is_ours"]) == ("X", 221, 0, False)
    page = (await site.get("/recap/tasks", headers={"Accept": "text/html"})).text
    assert "Another program put it here" in page
    for deed in ("retry", "remake"):
        answer = await site.post(f"/api/v1/recap/tasks/shown/{deed}")
        assert answer.status_code == 409
        assert "another program" in answer.json()["detail"]


def prompt(record, **more):
    facts = {name: record[name] for name in ("issueID", "nameOfMeeting", "nameOfHouse", "date", "session")}
    return {"mode": "direct", "meeting": facts, "speeches": record["speechRecord"], **more}


async def test_its_record_is_fetched_by_prompt_url_when_a_person_takes_it(site, services, desk, sitting, put):
    record = sitting(32)
    await services.objects.put("prompts/32.json", msgspec.json.encode(prompt(record)))
    await put("taken", prompt_url="prompts/32.json", meeting={"issueID": record["issueID"], "session": 221})
    answer = await site.post("/api/v1/recap/tasks/taken/take")
    assert answer.status_code == 200, answer.text
    assert (await desk.work()).completed == 1
    article = (await site.get(f"/api/v1/recap/articles/{record['issueID']}")).json()
    assert [speech["text"] for speech in article["speeches"]] == [speech["speech"] for speech in record["speechRecord"]]
    assert (await stored(services, "taken"))["status"] == {"S": "pending"}
    again = await site.post(f"/api/v1/recap/tasks/{task_pk(parse_meeting(record))}/take")
    assert again.status_code == 409


async def test_a_raw_record_and_the_parts_of_a_long_meeting_are_read_too(site, services, desk, sitting, put, loopback):
    raw, long = sitting(33), sitting(34)
    await services.objects.put("raw/33.json", msgspec.json.encode({"meeting": raw, "source": "kokkai.ndl"}))
    await put("raw", raw_url="raw/33.json", prompt_url=None)
    speeches = long["speechRecord"]
    parts = {"/0.json": speeches[:2], "/1.json": speeches[2:]}

    async def answer(request):
        return web.json_response({"prompt": "…", "speeches": parts[request.path]})

    async with loopback(web.get("/{name}", answer)) as address:
        chunks = [{"id": f"CHUNK#{n}", "prompt_url": f"{address}/{n}.json", "status": "notReady"} for n in (0, 1)]
        whole = {**prompt(long), "speeches": None, "mode": "chunked"}
        await services.objects.put("prompts/34.json", msgspec.json.encode(whole))
        await put("long", prompt_url="prompts/34.json", processingMode="chunked", chunks=chunks)
        for name in ("raw", "long"):
            taken = await site.post(f"/api/v1/recap/tasks/{name}/take")
            assert taken.status_code == 200, taken.text
    assert (await desk.work()).completed == 2
    for record in (raw, long):
        article = (await site.get(f"/api/v1/recap/articles/{record['issueID']}")).json()
        assert len(article["speeches"]) == len(record["speechRecord"])


@pytest.mark.parametrize("content", [b"no json", b"{}", b'{"speeches": [{"speechOrder": 1, "speech": "x"}]}', b"[1]"])
async def test_what_leads_to_no_record_changes_nothing(site, services, put, content):
    await services.objects.put("prompts/none.json", content)
    await put("none", prompt_url="prompts/none.json", meeting={})
    before = await stored(services, "none")
    assert (await site.post("/api/v1/recap/tasks/none/take")).status_code == 404
    assert await stored(services, "none") == before
