"""An edit names the version it was made on; one of an older version changes nothing and says so."""

import asyncio
import re

import pytest

from almanac.accounts.permissions import Role


@pytest.fixture
async def ada(person):
    return await person(Role.EDITOR, email="ada@example.org")


async def test_an_edit_must_name_the_version_it_changes(api, ada):
    answer = await api.patch(f"/api/v1/users/{ada.id}", json={"name": "Ada Lovelace"})
    assert answer.status_code == 428
    assert "If-Match" in answer.json()["detail"]


async def test_an_edit_of_the_current_version_is_taken(api, ada):
    read = await api.get(f"/api/v1/users/{ada.id}")
    answer = await api.patch(
        f"/api/v1/users/{ada.id}", json={"name": "Ada Lovelace"}, headers={"If-Match": read.headers["etag"]}
    )
    assert answer.status_code == 200
    assert answer.json()["name"] == "Ada Lovelace"
    assert answer.headers["etag"] != read.headers["etag"]


async def test_an_edit_of_an_older_version_is_refused_with_the_current_one(api, ada):
    version = {"If-Match": (await api.get(f"/api/v1/users/{ada.id}")).headers["etag"]}
    first = await api.patch(f"/api/v1/users/{ada.id}", json={"name": "First"}, headers=version)
    second = await api.patch(f"/api/v1/users/{ada.id}", json={"name": "Second"}, headers=version)
    assert second.status_code == 412
    assert second.headers["etag"] == first.headers["etag"]
    assert second.json()["current"] == str(first.json()["version"])
    assert (await api.get(f"/api/v1/users/{ada.id}")).json()["name"] == "First"


async def test_a_version_that_is_none_is_refused(api, ada):
    answer = await api.patch(f"/api/v1/users/{ada.id}", json={"name": "Ada"}, headers={"If-Match": "*"})
    assert answer.status_code == 400


async def test_two_people_editing_one_person_both_see_what_happened(admin, ada):
    page = (await admin.get(f"/people/{ada.id}")).text
    version = re.search(r'name="version" value="(\d+)"', page)[1]
    form = {"name": "First", "role": "editor", "version": version}
    assert (await admin.post(f"/people/{ada.id}", form)).status_code == 200
    answer = await admin.post(f"/people/{ada.id}", {**form, "name": "Second"})
    assert answer.status_code == 412
    assert "Someone else saved a different version" in answer.text
    assert "Second" in answer.text
    assert ">First</td>" in answer.text


async def test_an_edit_with_one_wrong_part_changes_nothing(signed_in):
    member = await signed_in(Role.MEMBER)
    address = f"/api/v1/users/{member.user.id}"
    headers = {"If-Match": (await member.get(address)).headers["etag"], "X-CSRF-Token": await member.csrf()}
    wrong = {"name": "Mallory", "time_zone": "Mars/Olympus"}
    assert (await member.http.patch("/api/v1/me", json=wrong, headers=headers)).status_code == 422
    assert (await member.get(address)).json()["name"] == member.user.name
    right = {"name": "Ada Lovelace", "time_zone": "Asia/Tokyo"}
    changed = (await member.http.patch("/api/v1/me", json=right, headers=headers)).json()
    assert (changed["name"], changed["preferences"]["time_zone"]) == ("Ada Lovelace", "Asia/Tokyo")


async def test_of_many_edits_of_ones_own_account_at_once_one_is_taken(signed_in):
    member = await signed_in(Role.MEMBER)
    version = (await member.get(f"/api/v1/users/{member.user.id}")).headers["etag"]
    headers = {"If-Match": version, "X-CSRF-Token": await member.csrf()}
    edits = ({"theme": "dark"}, {"language": "ms"}, {"time_zone": "Asia/Tokyo"}) * 5
    answers = await asyncio.gather(*(member.http.patch("/api/v1/me", json=edit, headers=headers) for edit in edits))
    assert sorted(answer.status_code for answer in answers) == [200] + 14 * [412]
