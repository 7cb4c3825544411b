"""kill -9 between the write and the response: the repeated request with the same key returns the first result."""

import asyncio
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

PATH = "/api/v1/newsletters"
SCRIPT = Path(__file__).parent / "requesting_process.py"


@pytest.fixture
def asking(settings, clock):
    """The process that asks for a newsletter."""
    given = [settings.database_url, str(settings.data), clock.now().isoformat(), settings.admin_token]
    with subprocess.Popen([sys.executable, SCRIPT, *given]) as process:
        yield process
        process.kill()


async def codes(api):
    return [newsletter["code"] for newsletter in (await api.get(PATH)).json()["items"]]


async def test_a_newsletter_begun_by_a_server_that_was_killed_is_found_by_the_next_try(
    api, clock, request, database_url
):
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        # What follows the write waits for this lock, and so does the answer.
        await connection.execute("LOCK TABLE audit_head IN ACCESS EXCLUSIVE MODE")
        process = request.getfixturevalue("asking")
        async with asyncio.timeout(60):
            while not await codes(api):
                assert process.poll() is None, "The process ended by itself."
                await asyncio.sleep(0.05)
        process.kill()
        process.wait()
    (begun,) = await codes(api)

    headers = {"Idempotency-Key": "one"}
    soon = await api.post(PATH, json={"title": "Weekly"}, headers=headers)
    assert (soon.status_code, "still running" in soon.json()["detail"]) == (409, True)
    clock.advance(minutes=3)
    later = await api.post(PATH, json={"title": "Weekly"}, headers=headers)
    assert (later.status_code, later.json()["code"]) == (201, begun)
    assert await codes(api) == [begun]
