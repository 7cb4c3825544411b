"""What one reads before an edit sends the ETag that the edit needs, for every route that takes If-Match."""

import re
from datetime import timedelta

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import SCOPES, Role
from almanac.desks.recap.store.table import Article

# The nearest address that can be read is a list of revisions; what is restored is the draft.
READ_BEFORE = {"/api/v1/newsletters/{code}/draft/revisions/{number}/restore": "/api/v1/newsletters/{code}/draft"}


def takes_a_version(way):
    return any(parameter.alias == "If-Match" for parameter in way.route.dependant.header_params)


def read_before(path, readable):
    """The nearest address at or above an edit that can be read."""
    path = READ_BEFORE.get(path, path)
    while path and path not in readable:
        path = path.rpartition("/")[0]
    return path


@pytest.fixture
async def ada(person):
    return await person(Role.ADMIN)


@pytest.fixture
async def program(services, visit, ada):
    """A program that acts for an administrator."""
    made = await accounts.create_token(services.accounts, CONSOLE, name="tests", scopes=SCOPES, owner_id=ada.id)
    return visit(headers={"Authorization": f"Bearer {made.secret}"})


@pytest.fixture
async def objects(program, services, ada, clock):
    """One of everything that can be edited: for each collection the parameters of its paths."""

    async def add(path, **body):
        answer = await program.post(f"/api/v1/{path}", json=body)
        assert answer.status_code == 201, f"{path}: {answer.text}"
        return answer.json()

    due = (clock.now() - timedelta(days=20)).date().isoformat()
    await add("reminders/customers", customer_id="acme", name="Acme", email="acme@example.org")
    await add("reminders/invoices", customer_id="acme", number="A-1", amount="10.00", currency="EUR", due=due)
    draft = await add("reminders/drafts", customer_id="acme", reminder_type="first")
    await add("news/tasks", task_name="rain", prompt_template="rain")
    rule = await add("news/rules", name="Rain", action="tag", tag="rain", query="rain")
    hook = await add("webhooks", url="https://example.org/hook", events=["approval.asked"])
    habit = await add("habits", name="Read")
    saved = await add("saved-queries", name="Rain", query="rain")
    newsletter = await add("newsletters", title="Weekly")
    team = await add("teams", name="Finance")
    await services.tables.put(Article(id="sitting", title="Sitting", date="2026-02-10"))
    return {
        "recap": {"article_id": "sitting"},
        "reminders": {"customer_id": "acme", "number": "A-1", "draft_id": draft["id"]},
        "news": {"name": "rain", "rule_id": str(rule["id"])},
        "newsletters": {"code": newsletter["code"]},
        "habits": {"habit_id": habit["id"], "date": clock.now().date().isoformat()},
        "webhooks": {"endpoint_id": hook["id"]},
        "saved-queries": {"saved_id": saved["id"]},
        "users": {"user_id": ada.id},
        "teams": {"team_id": team["id"]},
        "me": {},
    }


async def test_what_is_read_before_an_edit_sends_the_version_that_it_needs(ways, program, objects):
    readable = {way.path for way in ways if way.method == "GET"}
    edits = {str(way): read_before(way.path, readable) for way in ways if way.is_api and takes_a_version(way)}
    assert len(edits) > 25
    silent = []
    for edit, path in edits.items():
        answer = await program.get(re.sub(":path", "", path).format(**objects[path.split("/")[3]]))
        assert answer.status_code == 200, f"{path}: {answer.text}"
        if not answer.headers.get("ETag", "").strip('"'):
            silent.append(edit)
    assert silent == []


async def test_ones_own_account_is_edited_with_what_was_read(program):
    read = await program.get("/api/v1/me")
    version = {"If-Match": read.headers["ETag"]}
    edited = await program.patch("/api/v1/me", json={"name": "Ada Lovelace"}, headers=version)
    assert (edited.status_code, edited.json()["name"]) == (200, "Ada Lovelace")
    assert (await program.patch("/api/v1/me", json={"name": "Ada"}, headers=version)).status_code == 412


async def test_automation_has_no_account_and_so_no_version(api):
    answer = await api.get("/api/v1/me")
    assert (answer.status_code, "ETag" in answer.headers) == (200, False)
