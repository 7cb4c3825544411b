"""The page of the day and its API: what waits for each person, first steps, and a desk that fails."""

from dataclasses import replace

import pytest

from almanac.accounts.permissions import Role
from almanac.desks import DESKS
from almanac.errors import Unavailable
from almanac.web.app import create_app

ASKED, DRAFTED = "approval", "reminder to decide"
EDITED = {"failed link", "newsletter"}
OWN = {"password to choose"}
WAITS = {
    Role.MEMBER: OWN,
    Role.EDITOR: OWN | EDITED,
    Role.APPROVER: OWN | {ASKED, DRAFTED},
    Role.ADMIN: OWN | EDITED | {ASKED, DRAFTED, "failure"},
}


@pytest.mark.parametrize("role", list(Role))
async def test_everybody_is_told_what_they_may_act_on_and_no_more(signed_in, person, work, own_work, role):
    visitor = await signed_in(role)
    await own_work(visitor.user, "Own")
    await own_work(await person(Role.EDITOR, email="other@example.org"), "Foreign")
    answer = (await visitor.get("/api/v1/home")).json()
    assert {group["noun"] for group in answer["waiting"]} == WAITS[role]
    assert all(group["count"] == len(group["items"]) == 1 for group in answer["waiting"])
    assert [task["title"] for task in answer["tasks"]] == ["Own walk"]
    desks = ["news", "recap", "newsletter", *(["reminders"] if role is not Role.MEMBER else []), "habits"]
    assert [desk["name"] for desk in answer["desks"]] == desks
    assert not any(desk["problem"] for desk in answer["desks"])
    page = (await visitor.get("/")).text
    assert "Foreign" not in page
    assert ("Read a feed" in page) == (role is Role.ADMIN)
    assert ("/retry" in page) == (role is Role.ADMIN)
    assert ("100.00 EUR" in page) == (role in (Role.APPROVER, Role.ADMIN))
    for group in answer["waiting"]:
        for item in group["items"]:
            assert (await visitor.get(item["href"])).status_code == 200, item


async def test_what_waits_longest_comes_first(admin, work):
    answer = (await admin.get("/")).text
    listed = answer.split('id="decide"')[1].split('id="read"')[0]
    assert listed.index("March issue") < listed.index("Acme Ltd") < listed.index("Choose a password")


async def test_a_kind_tells_its_number_and_its_money(admin, work):
    waiting = {group["noun"]: group for group in (await admin.get("/api/v1/home")).json()["waiting"]}
    assert waiting[DRAFTED]["amounts"] == [{"amount": "100.00", "currency": "EUR"}]
    page = " ".join((await admin.get("/")).text.split())
    assert '<a href="/reminders?' in page
    assert '>1 reminder</a> <span class="day-amounts">100.00 EUR</span>' in page


async def test_an_empty_desk_offers_the_first_step_to_who_may_take_it(admin, signed_in):
    answer = {desk["name"]: desk["first_step"] for desk in (await admin.get("/api/v1/home")).json()["desks"]}
    assert all(answer.values()), answer
    page = (await admin.get("/")).text
    for step in answer.values():
        assert (await admin.get(step["href"])).status_code == 200
        assert f'href="{step["href"]}"' in page.split('id="start"')[1]
    member = await signed_in(Role.MEMBER)
    steps = [desk["first_step"] for desk in (await member.get("/api/v1/home")).json()["desks"] if desk["first_step"]]
    assert [step["words"] for step in steps] == ["Add a habit"]
    assert (await member.get(steps[0]["href"])).status_code == 200


async def test_a_desk_that_fails_costs_its_own_part_only(services, admin, caplog):
    async def broken(_services, _principal, _day):
        raise ValueError("a fault in a store")

    async def away(_services, _principal, _day):
        raise Unavailable("The table can't be reached; try again in a minute.")

    desks = [replace(DESKS[0], day=broken), replace(DESKS[1], day=away), *DESKS[2:]]
    admin.http._transport.app = create_app(services, desks)
    page = await admin.get("/")
    assert page.status_code == 200
    assert "This desk couldn&#39;t be loaded" in page.text
    assert "The table can&#39;t be reached" in page.text
    assert "a fault in a store" not in page.text
    assert "Add a habit" in page.text
    assert "desk failed" in caplog.text


async def test_a_narrow_token_sees_the_desks_of_its_scopes(api, visit, work):
    made = await api.post("/api/v1/users", json={"email": "ada@example.org", "name": "Ada", "role": "admin"})
    wish = {"name": "narrow", "scopes": ["habits:read"], "owner_id": made.json()["id"]}
    secret = (await api.post("/api/v1/tokens", json=wish)).json()["secret"]
    answer = (await visit(headers={"Authorization": f"Bearer {secret}"}).get("/api/v1/home")).json()
    assert [desk["name"] for desk in answer["desks"]] == ["habits"]
    assert (answer["waiting"], answer["events"]) == ([], [])
