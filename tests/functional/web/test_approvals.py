"""Approvals over HTTP: what waits for each person, deciding once, and the conflict for the second decision."""

import asyncio

import pytest

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash

HASH = content_hash("the March issue")
DRAFT = ApprovalSubject("newsletter.draft", "d1")


def as_principal(user):
    return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="session")


@pytest.fixture
async def asked(services, person):
    """An editor asked for the approval of a draft."""
    editor = as_principal(await person(Role.EDITOR))
    async with services.database.unit() as unit:
        return await services.approvals.ask(unit, DRAFT, HASH, editor, title="March issue", link="/newsletter/d1")


async def test_what_waits_is_listed_and_decided_by_api(api, asked):
    [waiting] = (await api.get("/api/v1/approvals")).json()["items"]
    assert (waiting["title"], waiting["kind"], waiting["state"]) == ("March issue", "newsletter.draft", "waiting")
    assert waiting["asked_by"]["name"] == "Some Editor"
    wish = {"content_hash": waiting["content_hash"], "note": "Good"}
    answer = await api.post(f"/api/v1/approvals/{waiting['id']}/approve", json=wish)
    assert (answer.status_code, answer.json()["state"], answer.json()["decided_by"]["id"]) == (
        200,
        "approved",
        "automation",
    )
    assert (await api.get("/api/v1/approvals")).json()["items"] == []


async def test_a_rejection_without_a_note_is_refused(api, asked):
    answer = await api.post(f"/api/v1/approvals/{asked.id}/reject", json={"content_hash": HASH})
    assert (answer.status_code, "Say why" in answer.json()["detail"]) == (400, True)
    wish = {"content_hash": HASH, "note": "The date is wrong"}
    answer = await api.post(f"/api/v1/approvals/{asked.id}/reject", json=wish)
    assert (answer.json()["state"], answer.json()["note"]) == ("rejected", "The date is wrong")


async def test_another_content_than_the_one_that_waits_is_refused(api, asked):
    wish = {"content_hash": content_hash("something else")}
    answer = await api.post(f"/api/v1/approvals/{asked.id}/approve", json=wish)
    assert (answer.status_code, answer.json()["code"]) == (409, "content_changed")


async def test_a_hundred_posts_at_once_are_one_approval(api, asked):
    path = f"/api/v1/approvals/{asked.id}/approve"
    answers = await asyncio.gather(*(api.post(path, json={"content_hash": HASH}) for _ in range(100)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["decided_at"] for answer in answers}) == 1
    audit = (await api.get("/api/v1/audit", params={"action": "approval.given"})).json()
    assert len(audit["items"]) == 1


async def test_the_history_of_a_thing_is_for_who_may_read_it(api, asked, services, visit):
    await api.post(f"/api/v1/approvals/{asked.id}/reject", json={"content_hash": HASH, "note": "No"})
    params = {"kind": DRAFT.kind, "subject_id": DRAFT.id}
    [entry] = (await api.get("/api/v1/approvals/history", params=params)).json()["items"]
    assert entry["state"] == "rejected"
    assert (await api.get("/api/v1/approvals/history", params={**params, "kind": "soup"})).status_code == 400


async def test_an_editor_can_look_and_not_decide(signed_in, person, asked, services):
    visitor = await signed_in(Role.EDITOR, await person(Role.EDITOR, email="second@example.org"))
    assert "Nothing waits for you" in (await visitor.get("/approvals")).text
    page = await visitor.get(f"/approvals/{asked.id}")
    assert "March issue" in page.text
    assert ">Approve<" not in page.text
    answer = await visitor.post(f"/approvals/{asked.id}/approve", {"content_hash": HASH})
    assert answer.status_code == 403


async def test_an_approver_finds_it_on_the_home_page_and_decides(signed_in, asked):
    visitor = await signed_in(Role.APPROVER)
    assert f"/approvals/{asked.id}" in (await visitor.get("/")).text
    assert "March issue" in (await visitor.get("/approvals")).text
    page = await visitor.get(f"/approvals/{asked.id}")
    assert 'href="/newsletter/d1"' in page.text
    done = await visitor.post(f"/approvals/{asked.id}/approve", {"content_hash": HASH})
    assert "March issue is approved." in done.text
    assert "/approvals/" not in (await visitor.get("/")).text


async def test_the_second_approver_reads_who_was_first(signed_in, person, asked):
    first = await signed_in(Role.APPROVER)
    second = await signed_in(Role.APPROVER, await person(Role.APPROVER, email="second@example.org"))
    await first.post(f"/approvals/{asked.id}/approve", {"content_hash": HASH})
    late = await second.post(f"/approvals/{asked.id}/reject", {"content_hash": HASH, "note": "No"})
    assert late.status_code == 409
    assert "Some Approver approved this already" in late.text


async def test_a_rejection_without_a_note_says_so_beside_the_form(signed_in, asked):
    visitor = await signed_in(Role.APPROVER)
    answer = await visitor.post(f"/approvals/{asked.id}/reject", {"content_hash": HASH})
    assert (answer.status_code, "Say why you reject this" in answer.text) == (400, True)


async def test_an_old_question_leads_to_the_newer_one(signed_in, person, asked, services):
    editor = as_principal(await person(Role.EDITOR, email="another@example.org"))
    async with services.database.unit() as unit:
        newer = await services.approvals.ask(unit, DRAFT, content_hash("changed"), editor, title="March issue")
    visitor = await signed_in(Role.APPROVER)
    page = await visitor.get(f"/approvals/{asked.id}")
    assert f'href="/approvals/{newer.id}"' in page.text
    assert "Void" in page.text
