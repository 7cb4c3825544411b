"""Rules by the API and by forms: made, changed, switched off and on, removed, and never by two at once."""

import pytest

from almanac.accounts.permissions import Role

PATH = "/api/v1/news/rules"
SUNNY = {"name": "Sunny", "action": "tag", "query": "solar", "tag": "Sun"}


@pytest.fixture
async def editor(signed_in):
    return await signed_in(Role.EDITOR)


async def test_a_rule_is_checked_changed_switched_and_removed_by_the_api(api):
    bad = await api.post(PATH, json={"name": "R", "action": "tag", "query": "(solar"})
    assert (bad.status_code, set(bad.json()["fields"])) == (422, {"tag", "query"})
    made = await api.post(PATH, json=SUNNY)
    assert (made.status_code, made.headers["etag"]) == (201, '"1"')
    place = f"{PATH}/{made.json()['id']}"
    off = await api.patch(place, json={"is_active": False}, headers={"If-Match": '"1"'})
    assert (off.status_code, off.json()["is_active"], off.json()["query"]) == (200, False, "solar")
    assert (await api.get(place)).headers["etag"] == '"2"'
    left_out = await api.patch(place, json={"action": "exclude", "query": "coal"}, headers={"If-Match": '"2"'})
    assert (left_out.json()["tag"], left_out.json()["is_active"]) == (None, False)
    assert (await api.delete(place)).status_code == 204
    assert (await api.get(place)).status_code == 404


async def test_an_edit_of_a_rule_names_the_version_it_was_made_on(api):
    place = f"{PATH}/{(await api.post(PATH, json=SUNNY)).json()['id']}"
    assert (await api.patch(place, json={"query": "sun"})).status_code == 428
    stale = await api.patch(place, json={"query": "sun"}, headers={"If-Match": '"7"'})
    assert (stale.status_code, "review it before" in stale.json()["detail"]) == (412, True)
    wrong = await api.patch(place, json={"query": "(sun"}, headers={"If-Match": '"1"'})
    assert (wrong.status_code, set(wrong.json()["fields"])) == (422, {"query"})
    await api.post(PATH, json={**SUNNY, "name": "Other"})
    taken = await api.patch(place, json={"name": "Other"}, headers={"If-Match": '"1"'})
    assert (taken.status_code, "another name" in taken.json()["detail"]) == (409, True)
    assert (await api.get(place)).json()["query"] == "solar"


async def test_a_rule_is_tried_added_edited_switched_and_deleted_by_forms(editor):
    tried = await editor.post("/news/rules", {"query": "solar", "action": "tag", "try_it": "yes"})
    assert "0 stories match; nothing was changed" in tried.text
    wrong = await editor.post("/news/rules", {"query": "", "action": "tag", "name": ""})
    assert (wrong.status_code, "Enter a tag of" in wrong.text) == (422, True)
    assert "Rule Sunny added" in (await editor.post("/news/rules", SUNNY)).text
    assert "choose another name" in (await editor.post("/news/rules", SUNNY)).text
    assert 'value="solar"' in (await editor.get("/news/rules/1/edit")).text
    edit = {**SUNNY, "name": "Bright", "query": "sun", "version": "1"}
    assert "Rule Bright saved" in (await editor.post("/news/rules/1/edit", edit)).text
    stale = await editor.post("/news/rules/1/edit", edit)
    assert (stale.status_code, "Someone else saved a different version" in stale.text) == (412, True)
    assert "Rule Bright is off." in (await editor.post("/news/rules/1/switch", {"to": "off"})).text
    assert "Switch on" in (await editor.get("/news/rules")).text
    assert "Rule Bright is on." in (await editor.post("/news/rules/1/switch", {"to": "on"})).text
    assert "Rule deleted." in (await editor.post("/news/rules/1/delete")).text
