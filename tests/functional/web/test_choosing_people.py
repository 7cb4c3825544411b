"""A person is chosen by name: by suggestions while typing, and from a list where several have the name."""

import re

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.saved import SavedQueryInput


@pytest.fixture
async def people(services):
    """Two people called Birch and one called Cedar."""
    return {
        name: await accounts.create_user(
            services.accounts, CONSOLE, email=f"{name.split()[0].lower()}@example.org", name=name, role=Role.EDITOR
        )
        for name in ("Anna Birch", "Bela Birch", "Cleo Cedar")
    }


@pytest.fixture
async def team(admin):
    return (await admin.post("/teams", {"name": "Desk"})).url.path


@pytest.fixture
async def handover(services, people):
    """The address of the page that hands over what Cleo Cedar has: a saved query."""
    leaver = people["Cleo Cedar"]
    await services.saved.save(leaver.as_principal("session"), SavedQueryInput(name="Rain", query="rain"))
    return f"/people/{leaver.id}/handover"


def list_choices(html):
    return re.findall(r'<option value="(\w+@example\.org)"', html)


async def test_suggestions_are_active_people_with_this_in_their_name_or_address(admin, people, services):
    suggested = await admin.get("/people/names?q=birch")
    assert [line["value"] for line in suggested.json()] == [
        "Anna Birch (anna@example.org)",
        "Bela Birch (bela@example.org)",
    ]
    await accounts.deactivate_user(services.accounts, CONSOLE, people["Anna Birch"].id)
    assert len((await admin.get("/people/names?q=birch")).json()) == 1


async def test_suggestions_are_for_those_who_manage_people(signed_in):
    editor = await signed_in(Role.EDITOR)
    assert (await editor.get("/people/names?q=a")).status_code == 403


@pytest.mark.parametrize("typed", ["Cleo Cedar (cleo@example.org)", "cleo cedar", "ceda", "Cleo@Example.org"])
async def test_a_member_is_added_by_label_name_part_of_it_or_address(admin, people, team, typed):
    answer = await admin.post(f"{team}/members", {"person": typed}, page=team)
    assert "Cleo Cedar is in the team." in answer.text


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Choose a person."),
        ("Zoe", "Nobody here has this name"),
        ("zoe@example.org", "Nobody here has this address"),
    ],
)
async def test_a_name_of_nobody_is_told_beside_the_field_and_kept(admin, people, team, handover, typed, sentence):
    for page, path, field in ((team, f"{team}/members", "person"), (handover, handover, "to")):
        answer = await admin.post(path, {field: typed, "why": "moves away"}, page=page)
        assert answer.status_code == 422
        assert re.search(rf'<a href="#field-{field}">{sentence}', answer.text)
        assert re.search(rf'<input type="text" value="{typed}"\s+id="field-{field}"', answer.text)
    assert 'value="moves away"' in answer.text


async def test_where_several_have_the_name_the_page_asks_which(admin, people, team, handover):
    for page, path, field in ((team, f"{team}/members", "person"), (handover, handover, "to")):
        answer = await admin.post(path, {field: "Birch"}, page=page)
        assert (answer.status_code, list_choices(answer.text)) == (422, ["anna@example.org", "bela@example.org"])
    done = await admin.post(handover, {"to": "bela@example.org"}, page=handover)
    assert "1 item went to Bela Birch." in done.text
