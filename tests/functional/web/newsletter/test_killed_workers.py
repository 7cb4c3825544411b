"""A worker killed in the middle of each step: another one finishes it, and nothing is duplicated."""

import asyncio
import os
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from almanac.bootstrap import make_worker
from almanac.jobs.worker import Worker, WorkerSettings

PATH = "/api/v1/newsletters"
SCRIPT = Path(__file__).parent / "worker_process.py"
SECONDS = 90
STARTS = {"retrieval": "retrieve", "outline": "outline/generate", "draft": "draft/generate", "export": "exports/pdf"}
FOREIGN = {
    "PK": {"S": "PROPOSAL#PROP-20260101-ZZZZ"},
    "SK": {"S": "METADATA"},
    "GSI1PK": {"S": "USER#editor"},
    "GSI1SK": {"S": "NEWSLETTER#2026-01-01T00:00:00Z"},
    "title": {"S": "Not ours"},
}


@pytest.fixture
async def foreign(services):
    """An item of another program in the same table, and the way to look at it again."""
    name, send = services.settings.newsletter_table, services.tables.transport.send_async
    await send("PutItem", {"TableName": name, "Item": FOREIGN})

    async def look():
        return (await send("GetItem", {"TableName": name, "Key": {key: FOREIGN[key] for key in ("PK", "SK")}}))["Item"]

    return look


@pytest.fixture
def kill_worker_at(start_program, database_url, settings, clock):
    """Start a worker, and kill it at the moment when it says something that begins with these words."""

    async def kill(words):
        process = start_program(SCRIPT, database_url, settings.data, clock.now().isoformat(), words)
        async with asyncio.timeout(SECONDS):
            await asyncio.to_thread(os.waitid, os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        assert process.poll() is None, "The worker ended before it came to the step."
        process.kill()
        assert process.wait() < 0

    return kill


@asynccontextmanager
async def another_worker(services):
    """A worker that soon takes the jobs of those that are silent."""
    quick = WorkerSettings(lease_seconds=2, heartbeat_seconds=0.5, poll_seconds=0.2)
    task = asyncio.create_task(Worker(services.jobs, services, quick).run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def done_until(services, editor, last):
    """A newsletter for which every step before this one is done."""
    code = await editor.begin()
    await editor.choose(code, "livestock", "climate_smart", "funding")
    for step, path in STARTS.items():
        if step == last:
            return code
        await editor.start(f"{code}/{path}")
        await make_worker(services).drain()
    raise AssertionError(last)


@pytest.mark.parametrize(
    ("step", "words"),
    [("retrieval", "Choosing"), ("outline", "Merging"), ("draft", "Writing Conclusion"), ("export", "Writing pdf")],
)
async def test_another_worker_finishes_what_a_killed_one_began(services, editor, foreign, kill_worker_at, step, words):
    code = await done_until(services, editor, step)
    job = (await editor.start(f"{code}/{STARTS[step]}"))["job_id"]
    await kill_worker_at(words)
    async with another_worker(services), asyncio.timeout(SECONDS):
        states = [view.status async for view in services.jobs.watch(job)]
    assert states[-1] == "succeeded"
    full = await editor.get(f"{code}/full")
    await CHECKS[step](editor, code, full)
    assert await foreign() == FOREIGN


async def _retrieved(_editor, _code, full):
    ids = [chunk["id"] for chunk in full["topics"]["retrieved_content"]]
    assert len(ids) == len(set(ids)) == full["topics"]["total_chunks_retrieved"] > 0
    assert full["topics"]["retrieval_status"] == "completed"


async def _outlined(_editor, _code, full):
    items = [item["id"] for section in full["outline"]["sections"] for item in section["items"]]
    assert len(items) == len(set(items)) > 0
    assert len(full["outline"]["sections"]) == 6
    assert full["outline"]["outline_status"] == "completed"


async def _drafted(editor, code, full):
    planned = [section["id"] for section in full["outline"]["sections"] if section["included"]]
    assert [section["id"] for section in full["draft"]["sections"]] == planned
    assert all(section["text"] and section["proposal"] is None for section in full["draft"]["sections"])
    assert (full["draft"]["draft_status"], full["newsletter"]["status"]) == ("completed", "completed")
    assert len((await editor.http.get(f"{PATH}/{code}/draft/revisions")).json()) == 1


async def _exported(editor, code, full):
    file = await editor.http.get(f"{PATH}/{code}/exports/pdf")
    assert file.content.startswith(b"%PDF-")
    assert full["draft"]["exports"]["pdf"]["file_size"] == len(file.content)
    assert full["newsletter"]["status"] == "exported"


CHECKS = {"retrieval": _retrieved, "outline": _outlined, "draft": _drafted, "export": _exported}
