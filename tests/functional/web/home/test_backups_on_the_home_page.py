"""Administrators see the last good backup, and that one failed; nobody else does."""

from dataclasses import replace

import pytest

from almanac.accounts.permissions import Role
from almanac.backup.status import BackupRun, record_run


@pytest.fixture
def attempt(services, clock):
    async def record(result, *, hours_ago, **values):
        at = clock.now()
        run = BackupRun(
            kind="daily", result=result, place="data/backups", encrypted=True, started_at=at, finished_at=at, **values
        )
        past = clock.advance(hours=-hours_ago)
        clock.advance(hours=hours_ago)
        async with services.database.unit() as unit:
            await record_run(unit, replace(run, started_at=past, finished_at=past))

    return record


async def test_the_last_good_one_is_shown_to_administrators_only(admin, signed_in, attempt):
    await attempt("good", hours_ago=0, row_count=7302)
    page = (await admin.get("/")).text
    assert "Restored on trial, 7,302 rows, encrypted." in " ".join(page.split())
    assert "Backups need attention" not in page
    assert "Restored on trial" not in (await (await signed_in(Role.EDITOR)).get("/")).text


@pytest.mark.parametrize(
    ("result", "hours_ago", "words"),
    [
        ("bad", 6, "The last backup failed: A table has fewer rows."),
        ("failed", 6, "The last backup failed: A table has fewer rows."),
        ("good", 24 * 5, "The last good backup is 5 days old"),
    ],
)
async def test_a_problem_waits_for_administrators(admin, signed_in, attempt, result, hours_ago, words):
    reason = None if result == "good" else "A table has fewer rows."
    await attempt(result, hours_ago=hours_ago, reason=reason)
    waiting = (await admin.get("/api/v1/home")).json()["waiting"]
    [group] = [group for group in waiting if group["noun"] == "backup problem"]
    assert words in group["items"][0]["text"]
    assert words in (await admin.get("/")).text
    editor = await signed_in(Role.EDITOR)
    assert "Backups need attention" not in (await editor.get("/")).text


async def test_a_later_success_ends_it(admin, attempt):
    await attempt("failed", hours_ago=30, reason="The disk is full.")
    await attempt("good", hours_ago=6)
    assert "Backups need attention" not in (await admin.get("/")).text
