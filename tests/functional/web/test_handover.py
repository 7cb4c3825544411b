"""A leaver's work goes to another person whole, and nothing of it is left with nobody."""

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.service import habits, leaderboard
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.saved import SavedQueryInput

NOTHING = {"newsletters": 0, "sources": 0, "saved_queries": 0, "groups": 0}
ALL = {"newsletters": 2, "sources": 1, "saved_queries": 1, "groups": 1}


@pytest.fixture
async def leaver(signed_in, person, services):
    """Somebody with work of every kind."""
    visitor = await signed_in(user=await person(Role.EDITOR, email="lea@example.org"))
    by = visitor.user.as_principal("session")
    for title in ("Rain letter", "Frost letter"):
        await newsletter_service.create_newsletter(services, by, ConfigurationEdit(title=title))
    await services.saved.save(by, SavedQueryInput(name="Rain", query="rain"))
    await habits.create_habit(services, by, HabitInput(name="Private walk"))
    await leaderboard.create_group(services, by, "Walkers")
    headers = {"X-CSRF-Token": await visitor.csrf()}
    source = {"file": ("notes.txt", b"Rain fell on the distant hills.", "text/plain")}
    assert (await visitor.http.post("/api/v1/knowledge", files=source, headers=headers)).status_code == 201
    await accounts.create_token(services.accounts, CONSOLE, name="laptop", scopes=["read"], owner_id=by.user_id)
    await make_worker(services).drain()
    return visitor


@pytest.fixture
async def heir(signed_in, person):
    return await signed_in(user=await person(Role.EDITOR, email="hei@example.org"))


async def kinds(visitor, words):
    return sorted(hit["kind"] for hit in (await visitor.get("/api/v1/search", params={"q": words})).json()["items"])


async def test_everything_goes_to_the_heir_in_one_go(leaver, heir, admin, api):
    place = f"/people/{leaver.user.id}/handover"
    page = (await admin.get(place)).text
    assert "Newsletters" in page
    assert "laptop" in page
    assert (await api.get(f"/api/v1/users/{leaver.user.id}/handover")).json() == {"work": ALL, "tokens": ["laptop"]}
    done = await admin.post(place, {"to": "hei@example.org", "why": "left"}, page=place)
    assert done.url.path == f"/people/{leaver.user.id}"
    assert "went to" in done.text
    left = (await api.get(f"/api/v1/users/{leaver.user.id}/handover")).json()
    assert left == {"work": NOTHING, "tokens": []}
    assert (await api.get(f"/api/v1/users/{heir.user.id}/handover")).json()["work"] == ALL
    titles = [item["title"] for item in (await heir.get("/api/v1/newsletters")).json()["items"]]
    assert sorted(titles) == ["Frost letter", "Rain letter"]
    assert (await leaver.get("/api/v1/newsletters")).json()["items"] == []
    assert await kinds(heir, "rain") == ["knowledge", "newsletter"]
    assert await kinds(leaver, "rain") == []
    assert [saved["name"] for saved in (await heir.get("/api/v1/saved-queries")).json()["items"]] == ["Rain"]


async def test_habits_stay_private(leaver, heir, api):
    await api.post(f"/api/v1/users/{leaver.user.id}/handover", json={"to": "hei@example.org"})
    assert "Private walk" in (await leaver.get("/habits")).text
    assert "Private walk" not in (await heir.get("/habits")).text


async def test_a_feed_that_the_leaver_knows_ends(leaver, heir, api, visit):
    headers = {"X-CSRF-Token": await leaver.csrf()}
    [saved] = (await leaver.get("/api/v1/saved-queries")).json()["items"]
    made = await leaver.http.post(f"/api/v1/saved-queries/{saved['id']}/feed", headers=headers)
    address = made.json()["feeds"]["json"]
    assert (await visit().get(address)).status_code == 200
    answer = await api.post(f"/api/v1/users/{leaver.user.id}/handover", json={"to": heir.user.email})
    assert answer.json()["moved"] == ALL
    assert (await visit().get(address)).status_code == 404


async def test_it_is_done_for_a_deactivated_person_and_again_without_harm(leaver, heir, api, services):
    await accounts.deactivate_user(services.accounts, CONSOLE, leaver.user.id)
    wish = {"to": "hei@example.org", "why": "left"}
    first = (await api.post(f"/api/v1/users/{leaver.user.id}/handover", json=wish)).json()
    again = (await api.post(f"/api/v1/users/{leaver.user.id}/handover", json=wish)).json()
    assert (first["moved"], first["revoked_tokens"], again["moved"]) == (ALL, 0, NOTHING)
    entries = (await api.get("/api/v1/audit", params={"action": "user.work_handed_over"})).json()["items"]
    assert sorted(entry["detail"]["newsletters"] for entry in entries) == [0, 2]
    assert {entry["detail"]["heir"] for entry in entries} == {heir.user.id}


@pytest.mark.parametrize(
    ("role", "active", "sentence"),
    [(Role.MEMBER, True, "may not work with newsletters"), (Role.EDITOR, False, "is deactivated")],
)
async def test_it_goes_only_to_somebody_who_can_go_on_with_it(leaver, person, api, services, role, active, sentence):
    user = await person(role, email="unfit@example.org")
    if not active:
        await accounts.deactivate_user(services.accounts, CONSOLE, user.id)
    answer = await api.post(f"/api/v1/users/{leaver.user.id}/handover", json={"to": "unfit@example.org"})
    assert answer.status_code == 422
    assert sentence in answer.text
    oneself = await api.post(f"/api/v1/users/{leaver.user.id}/handover", json={"to": "lea@example.org"})
    assert "Choose somebody else" in oneself.text
    assert (await api.get(f"/api/v1/users/{leaver.user.id}/handover")).json()["work"] == ALL
