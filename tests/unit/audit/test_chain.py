"""The log can only grow, and whoever gets around that leaves a broken chain behind."""

import asyncio

import psycopg
import pytest

from almanac.audit import service
from almanac.audit.model import SYSTEM, AuditAction, AuditSubject, link_hash


async def tamper(database, *statements: str) -> None:
    """Do what only the owner of the database could do: switch the guards off."""
    async with database.unit() as unit:
        for table in ("audit_entries", "audit_head"):
            await unit.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for statement in statements:
            await unit.execute(statement)
        for table in ("audit_entries", "audit_head"):
            await unit.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entries SET why = 'another reason'",
        "UPDATE audit_entries SET position = 9",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries",
        "UPDATE audit_head SET position = 0, hash = ''",
        "DELETE FROM audit_head",
        "TRUNCATE audit_head",
    ],
)
async def test_the_database_refuses_to_change_or_remove_an_entry(database, record, statement):
    await record()
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        async with database.unit() as unit:
            await unit.execute(statement)
    assert (await service.verify_chain(database)).entries == 1


async def test_an_entry_cannot_be_changed_even_in_the_transaction_that_wrote_it(database, clock):
    async def write_and_change() -> None:
        async with database.unit() as unit:
            await service.record(unit, clock, AuditAction(SYSTEM, "draft.sent", AuditSubject("draft", "1")))
            await unit.execute("UPDATE audit_entries SET why = 'x', position = 1")

    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await write_and_change()


async def test_an_empty_log_is_intact(database):
    report = await service.verify_chain(database)
    assert (report.intact, report.entries) == (True, 0)


async def test_each_entry_carries_the_hash_of_the_one_before(database, record):
    for _ in range(3):
        await record()
    async with database.unit() as unit:
        rows = await unit.all("SELECT position, digest, previous_hash, hash FROM audit_entries ORDER BY position")
    assert [row["position"] for row in rows] == [1, 2, 3]
    assert rows[1]["previous_hash"] == rows[0]["hash"]
    assert rows[2]["hash"] == link_hash(rows[1]["hash"], rows[2]["digest"])
    report = await service.verify_chain(database)
    assert (report.intact, report.entries, report.head) == (True, 3, rows[2]["hash"])


@pytest.mark.parametrize(
    ("statement", "position", "reason"),
    [
        ("UPDATE audit_entries SET why = 'x' WHERE position = 2", 2, "was changed after it was written"),
        ("UPDATE audit_entries SET actor_id = 'x' WHERE position = 3", 3, "was changed after it was written"),
        ("UPDATE audit_entries SET detail = '{\"n\":2}' WHERE position = 1", 1, "was changed after it was written"),
        ("UPDATE audit_entries SET recorded_at = recorded_at - interval '1 day' WHERE position = 1", 1, "was changed"),
        ("UPDATE audit_entries SET hash = digest WHERE position = 2", 2, "doesn't match"),
        ("UPDATE audit_entries SET previous_hash = digest WHERE position = 2", 2, "doesn't continue"),
        ("DELETE FROM audit_entries WHERE position = 2", 2, "Entry 2 is missing"),
        ("DELETE FROM audit_entries WHERE position = 4", 4, "Entry 4 is missing"),
        ("UPDATE audit_head SET hash = 'x'", 5, "doesn't end at its last recorded entry"),
    ],
)
async def test_tampering_behind_the_guards_is_found(database, record, statement, position, reason):
    for _ in range(4):
        await record(detail={"n": 1})
    await tamper(database, statement)
    report = await service.verify_chain(database)
    assert not report.intact
    assert report.broken_at == position
    assert reason in report.reason


async def test_entries_of_transactions_at_the_same_moment_form_one_chain(database, clock):
    async def work(number: int) -> None:
        async with database.unit() as unit:
            for step in range(3):
                await service.record(
                    unit, clock, AuditAction(SYSTEM, "step.done", AuditSubject("work", f"{number}.{step}"))
                )
                await asyncio.sleep(0)

    await asyncio.gather(*(work(number) for number in range(20)))
    report = await service.verify_chain(database)
    assert (report.intact, report.entries) == (True, 60)


async def test_an_open_transaction_holds_nobody_up(database, clock, record):
    async with database.unit() as slow:
        await service.record(slow, clock, AuditAction(SYSTEM, "work.begun", AuditSubject("work", "slow")))
        await asyncio.wait_for(record(), timeout=20)
    report = await service.verify_chain(database)
    assert (report.intact, report.entries) == (True, 2)


async def test_a_long_log_is_verified_piece_by_piece(database, clock, monkeypatch):
    monkeypatch.setattr(service, "CHECKED_AT_A_TIME", 7)
    async with database.unit() as unit:
        for number in range(30):
            await service.record(unit, clock, AuditAction(SYSTEM, "step.done", AuditSubject("work", str(number))))
    assert (await service.verify_chain(database)).entries == 30
