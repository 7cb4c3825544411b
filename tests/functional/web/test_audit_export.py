"""The audit log on the page and in the API: found by the name of a person and by days, and exported."""

import csv
import json

import pytest

from almanac.accounts.permissions import Role
from almanac.audit.export import read_entries, verify_entries


@pytest.fixture
async def grace(person):
    return await person(Role.EDITOR, email="grace@example.org")


@pytest.mark.parametrize("wanted", ["Some Admin", "some adm", "admin@example.org"])
async def test_people_are_found_by_name_or_address(admin, grace, wanted):
    await admin.post(f"/people/{grace.id}/deactivate", {"why": "left"})
    page = (await admin.get("/audit", params={"person": wanted})).text
    assert "user.deactivated" in page
    assert "No entries match" in (await admin.get("/audit?person=nobody-of-this-name")).text


async def test_days_limit_the_list(admin, services):
    today = services.clock.now().date()
    assert "No entries match" not in (await admin.get(f"/audit?since={today}&until={today}")).text
    assert "No entries match" in (await admin.get("/audit?until=2020-01-01")).text
    assert (await admin.get("/audit?since=soon")).status_code == 400


@pytest.mark.parametrize("form", ["jsonl", "csv"])
async def test_the_download_holds_what_the_page_lists_and_verifies(admin, form):
    answer = await admin.get(f"/audit/export?form={form}")
    assert f'.{form}"' in answer.headers["content-disposition"]
    report = verify_entries(read_entries(answer.text.splitlines(keepends=True)))
    assert report.is_whole
    assert report.entries > 0
    assert "audit.exported" in (await admin.get("/audit")).text


async def test_a_table_names_who_acted(admin, services, grace):
    await admin.post(f"/people/{grace.id}/deactivate", {"why": "left"})
    rows = list(csv.DictReader((await admin.get("/audit/export?form=csv")).text.splitlines()))
    row = next(row for row in rows if row["action"] == "user.deactivated")
    assert (row["actor_id"], row["actor_name"]) == (admin.user.id, admin.user.name)
    assert (row["object_id"], row["object_name"]) == (grace.id, grace.name)


async def test_the_export_follows_the_filters(admin):
    """The links stand in the part of the page that a filter replaces."""
    page = (await admin.get("/audit?action=session.started")).text
    results = page[page.index('id="results"') :]
    assert "/audit/export?action=session.started&amp;form=csv" in results


async def test_programs_export_with_filters(api, admin):
    answer = await api.get("/api/v1/audit/export", params={"action": "session.started", "person": "admin"})
    entries = [json.loads(line) for line in answer.text.splitlines()]
    assert {entry["action"] for entry in entries} <= {"session.started"}
    assert (await api.get("/api/v1/audit/export?form=xml")).status_code == 422


async def test_only_those_who_may_read_the_log_export_it(signed_in):
    editor = await signed_in(Role.EDITOR)
    assert (await editor.get("/audit/export")).status_code == 403
