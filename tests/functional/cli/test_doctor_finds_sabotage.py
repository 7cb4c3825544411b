"""Each part is broken in turn: the doctor names exactly that one in a sentence, and never crashes."""

import asyncio
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from almanac import doctor
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.accounts.service import create_user
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.doctor import run_checks
from almanac.identity import MARKER, announce_installation
from almanac.knowledge.model import KnowledgeViewer
from almanac.services import Services
from almanac.tables import TABLES, physical_names
from tablature.engine.history import history_folder

Sabotage = Callable[["Patient"], Awaitable[Services | None]]


@dataclass
class Patient:
    """An installation to break."""

    services: Services
    monkeypatch: pytest.MonkeyPatch

    async def execute(self, statement: str) -> None:
        async with await psycopg.AsyncConnection.connect(self.services.database.url, autocommit=True) as connection:
            await connection.execute(statement)


@pytest.fixture
async def patient(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Patient]:
    settings = Settings(data=tmp_path / "data", database_url=database_url, base_url="http://almanac.example.org")
    async with open_services(settings) as services:
        await announce_installation(services.database, services.objects, services.secret, services.clock)
        user = await create_user(services.accounts, CONSOLE, email="a@example.org", name="A", role=Role.EDITOR)
        await services.knowledge.add_file(KnowledgeViewer(user.id), "note.txt", b"Fees are due in March.")
        yield Patient(services, monkeypatch)


async def open_file(patient: Patient) -> None:
    (patient.services.settings.data / "note").touch()
    (patient.services.settings.data / "note").chmod(0o644)


async def full_disk(patient: Patient) -> None:
    patient.monkeypatch.setattr(doctor, "LEAST_FREE_BYTES", 10**18)


async def missing_migration(patient: Patient) -> None:
    await patient.execute("DELETE FROM _yoyo_migration WHERE migration_id LIKE '0041%'")


async def other_bucket(patient: Patient) -> None:
    await patient.services.objects.put(MARKER, b"01990000-0000-7000-8000-000000000000")


async def emptied_bucket(patient: Patient) -> None:
    await patient.services.objects.delete_prefix("")


async def unwritable_objects(patient: Patient) -> None:
    """A file stands where a folder must be."""
    folder = patient.services.settings.data / "objects"
    shutil.rmtree(folder / "staging", ignore_errors=True)
    (folder / "staging").touch(0o600)


async def missing_outbox(patient: Patient) -> None:
    shutil.rmtree(patient.services.settings.data / "outbox")


async def read_only_tables(patient: Patient) -> None:
    """What SQLite does with a file that it may only read."""
    assert patient.services.engine is not None
    patient.services.engine.storage._writing.execute("PRAGMA query_only = ON")


async def blocked_history(patient: Patient) -> None:
    """Something is in the way of the history, and a change has waited for ten minutes."""
    assert patient.services.engine is not None
    storage = patient.services.engine.storage
    folder = history_folder(storage.path)
    shutil.rmtree(folder)
    folder.write_text("in the way")
    with closing(sqlite3.connect(storage.path)) as connection:
        row = (time.time() - 600, "document", 0, b"stream", b"none")
        connection.executemany("INSERT INTO changes (at, kind, table_id, h, r) VALUES (?, ?, ?, ?, ?)", [row, row])
        connection.commit()


async def damaged_tables(patient: Patient) -> None:
    """Everything after the first page is overwritten."""
    assert patient.services.engine is not None
    path = Path(patient.services.engine.storage.path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    await asyncio.to_thread(overwrite, path, page)


def overwrite(path: Path, start: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xff" * (path.stat().st_size - start))


async def missing_index(patient: Patient) -> None:
    table = physical_names(patient.services.settings)[TABLES[0].name]
    change = {"TableName": table, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "GSI1"}}]}
    await patient.services.table_service.send_async("UpdateTable", change)


async def ttl_off(patient: Patient) -> None:
    for declared, name in physical_names(patient.services.settings).items():
        table = next(table for table in TABLES if table.name == declared)
        if table.ttl:
            off = {"AttributeName": table.ttl, "Enabled": False}
            await patient.services.table_service.send_async(
                "UpdateTimeToLive", {"TableName": name, "TimeToLiveSpecification": off}
            )


async def missing_table(patient: Patient) -> None:
    name = physical_names(patient.services.settings)[TABLES[0].name]
    await patient.services.table_service.send_async("DeleteTable", {"TableName": name})


async def wrong_clock(patient: Patient) -> None:
    async def late(*_: object) -> datetime:
        return datetime.now(UTC) - timedelta(minutes=5)

    patient.monkeypatch.setattr(doctor, "read_clock", late)


async def other_secret(patient: Patient) -> Services:
    return replace(patient.services, secret=b"another")


async def altered_audit(patient: Patient) -> None:
    await patient.execute("ALTER TABLE audit_entries DISABLE TRIGGER ALL; UPDATE audit_entries SET action = 'x'")


async def no_worker(patient: Patient) -> None:
    patient.monkeypatch.setattr(doctor, "LONGEST_WAIT_FOR_WORKER", timedelta())


async def faulty_check(patient: Patient) -> None:
    async def fault(_: Services) -> str:
        raise ZeroDivisionError("0 / 0")

    patient.monkeypatch.setitem(doctor.CHECKS, "search", fault)


SABOTAGES: list[tuple[Sabotage, str, str]] = [
    (open_file, "data folder", "can be read by other accounts"),
    (full_disk, "data folder", "free some space"),
    (missing_migration, "database", "not applied; run `almanac migrate`"),
    (other_bucket, "objects", "belongs to another installation"),
    (emptied_bucket, "objects", "lacks 1 of 1 object that the database names"),
    (unwritable_objects, "objects", "object"),
    (missing_outbox, "mail", "can't be written"),
    (read_only_tables, "tables", "can't be written (attempt to write a readonly database)"),
    (blocked_history, "tables", "haven't been archived for 10 minutes"),
    (damaged_tables, "tables", "The table file is damaged (database disk image is malformed); stop Almanac and run"),
    (missing_index, "tables", "GSI1"),
    (ttl_off, "tables", "run `almanac migrate`"),
    (missing_table, "tables", "run `almanac migrate`"),
    (wrong_clock, "clocks", "The clock of the database is 300 seconds behind"),
    (other_secret, "secret key", "set the same ALMANAC_SECRET_KEY on every machine"),
    (altered_audit, "audit log", "was altered"),
    (no_worker, "jobs", "No worker is running for"),
    (faulty_check, "search", "The check itself failed (ZeroDivisionError"),
]


async def test_an_unbroken_installation_is_well(patient: Patient) -> None:
    assert [result for result in await run_checks(patient.services) if not result.well] == []


@pytest.mark.parametrize(("sabotage", "name", "sentence"), SABOTAGES, ids=lambda part: getattr(part, "__name__", None))
async def test_the_broken_part_is_named(patient: Patient, sabotage: Sabotage, name: str, sentence: str) -> None:
    services = await sabotage(patient) or patient.services
    failed = {result.name: result.about for result in await run_checks(services) if not result.well}
    assert failed.keys() == {name}
    assert sentence in failed[name]
