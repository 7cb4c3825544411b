"""The audit log as a file: streamed, filtered by person, action, object and day, and verified offline."""

import json
from dataclasses import replace

import pytest

from almanac.audit import service
from almanac.audit.export import read_entries, verify_entries, write_entry
from almanac.audit.model import Actor, AuditFilter, parse_period
from almanac.errors import InputError

FORMS = ("jsonl", "csv")


@pytest.fixture
def export(database, clock):
    async def export(form, **wanted):
        lines = await service.begin_export(database, clock, Actor("ada", "session"), AuditFilter(**wanted), form)
        return "".join([piece async for piece in lines])

    return export


def verify(text):
    return verify_entries(read_entries(text.splitlines(keepends=True)))


@pytest.fixture
async def written(record, clock):
    for number in range(5):
        await record(actor="ada" if number % 2 else "grace", object_id=f"draft-{number}", why=f'=1+"{number}",\nnext ☃')
        clock.advance(days=1)


@pytest.mark.parametrize("form", FORMS)
async def test_a_whole_export_verifies_offline(written, export, form):
    report = verify(await export(form))
    assert (report.entries, report.is_whole, report.first, report.last) == (5, True, 1, 5)


@pytest.mark.parametrize("form", FORMS)
async def test_pieces_of_any_size_give_the_same_file(written, export, form, monkeypatch):
    whole = await export(form, until=None)
    monkeypatch.setattr(service, "EXPORTED_AT_A_TIME", 2)
    again = await export(form)
    assert again.startswith(whole)
    assert verify(again).entries == 6


async def test_a_spreadsheet_runs_nothing_from_it(written, export):
    assert "'=1+" in await export("csv")
    assert "\n=1" not in await export("csv")


@pytest.mark.parametrize("form", FORMS)
async def test_a_changed_entry_is_noticed(written, export, form):
    report = verify((await export(form)).replace("draft-2", "draft-9"))
    assert (report.broken_at, report.is_intact, report.entries) == (3, False, 2)


async def test_a_removed_entry_is_noticed(written, export):
    lines = (await export("jsonl")).splitlines(keepends=True)
    report = verify("".join(lines[:2] + lines[3:]))
    assert (report.is_intact, report.is_whole, report.pieces) == (True, False, 2)


async def test_a_forged_link_is_noticed(written, export):
    """Somebody changes an entry and computes its own hash again, but not that of the ones after it."""
    entries = list(read_entries((await export("jsonl")).splitlines()))
    entries[1] = replace(entries[1], previous_hash="f" * 64)
    report = verify("".join(write_entry(entry, "jsonl") for entry in entries))
    assert report.broken_at == 2


async def test_a_filtered_export_is_verified_entry_by_entry(written, export):
    report = verify(await export("jsonl", actor_id="ada", action="draft.approved"))
    assert (report.entries, report.pieces, report.is_intact, report.is_whole) == (2, 2, True, False)


async def test_exports_are_recorded_with_their_filters(written, export, database):
    await export("csv", action="draft.approved")
    page = await service.list_entries(database, AuditFilter(action="audit.exported"), key=b"key")
    assert [entry.detail for entry in page.items] == [{"form": "csv", "action": "draft.approved"}]


async def test_days_are_those_of_a_time_zone_and_both_are_included(written, export, clock):
    since, until = parse_period("2026-03-03", "2026-03-04", "Asia/Tokyo")
    exported = [json.loads(line) for line in (await export("jsonl", since=since, until=until)).splitlines()]
    assert [entry["object_id"] for entry in exported] == ["draft-1", "draft-2"]


@pytest.mark.parametrize("wrong", ["yesterday", "2026-13-01", "0001-01-01", "9999-12-31"])
def test_what_is_no_date_is_refused(wrong):
    with pytest.raises(InputError):
        parse_period(wrong, "", "UTC")


@pytest.mark.parametrize("wrong", ["nothing\n", "{}\n", '{"id": 1}\n', "id,position\n1,2\n", "[1]\n"])
def test_another_file_is_no_export(wrong):
    with pytest.raises(InputError, match="isn't an export"):
        verify(wrong)


def test_an_empty_file_has_no_entries():
    assert verify("").entries == 0
