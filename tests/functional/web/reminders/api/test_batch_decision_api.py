"""The API rejects and snoozes many drafts, each as reviewed, and returns an outcome for each."""

from datetime import timedelta

import pytest

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.desks.reminders import service, store
from almanac.desks.reminders.service.batches import SeenDraft
from almanac.desks.reminders.store.transactions import list_pending_outbox

REJECT, SNOOZE = (f"/api/v1/reminders/drafts/{verb}" for verb in ("reject", "snooze"))


@pytest.fixture
async def drafts(drafted):
    return [await drafted("acme"), await drafted("birch", name="Birch")]


@pytest.fixture
def states(services, drafts):
    async def read():
        return [(await store.get_draft(services.tables, draft.id)).state for draft in drafts]

    return read


def seen(drafts):
    return [{"id": draft.id, "content_hash": draft.content_hash} for draft in drafts]


async def test_many_are_rejected_with_one_note(api, services, drafts, states):
    answer = await api.post(REJECT, json={"drafts": seen(drafts), "note": "They called."})
    assert answer.status_code == 200, answer.text
    assert [(item["id"], item["decided"], item["status"], item["reason"]) for item in answer.json()] == [
        (draft.id, True, "rejected", "") for draft in drafts
    ]
    assert (await store.get_draft(services.tables, drafts[0].id)).reason == "They called."


async def test_many_are_snoozed_until_one_moment(api, services, clock, drafts):
    until = clock.now().replace(microsecond=0) + timedelta(days=3)
    answer = await api.post(SNOOZE, json={"drafts": seen(drafts), "until": until.isoformat()})
    assert [(item["decided"], item["approved"], item["status"]) for item in answer.json()] == [
        (True, False, "snoozed")
    ] * 2
    assert {(await store.get_draft(services.tables, draft.id)).snoozed_until for draft in drafts} == {until}


@pytest.mark.parametrize(("path", "then"), [(REJECT, "rejected"), (SNOOZE, "snoozed")])
async def test_stale_decided_and_unknown_drafts_are_named_and_untouched(
    api, services, clock, drafted, drafts, states, path, then
):
    waiting = await drafted("cedar", name="Cedar")
    more = {"note": "No."} if path == REJECT else {"until": (clock.now() + timedelta(days=3)).isoformat()}
    await service.edit_draft(services, CONSOLE, drafts[0].id, subject="Other", text="You owe 100.00 EUR on acme-1.")
    await service.approve_draft(services, CONSOLE, drafts[1].id, seen=drafts[1].content_hash)
    strangers = [{"id": "20250101_000000_nobody", "content_hash": "x"}, {"id": "nonsense", "content_hash": "x"}]
    wish = {"drafts": [*seen([*drafts, waiting]), *strangers], **more}
    answer = (await api.post(path, json=wish)).json()
    assert [(item["decided"], item["status"]) for item in answer] == [
        (False, "draft"),
        (False, "approved"),
        (True, then),
        (False, None),
        (False, None),
    ]
    assert "changed after you opened it" in answer[0]["reason"]
    assert answer[1]["reason"] == "It is approved already."
    assert all("doesn't exist" in item["reason"] for item in answer[3:])
    assert await states() == ["draft", "approved"]


async def test_a_repeated_request_decides_once_and_answers_alike(api, services, drafts):
    wish, key = {"drafts": seen(drafts), "note": "They called."}, {"Idempotency-Key": "one-batch"}
    first = await api.post(REJECT, json=wish, headers=key)
    again = await api.post(REJECT, json=wish, headers=key)
    assert again.json() == first.json()
    late = (await api.post(REJECT, json=wish)).json()
    assert [(item["decided"], item["reason"]) for item in late] == [(False, "It is rejected already.")] * 2
    assert sorted(await rejected_in_the_audit_log(services)) == sorted(draft.id for draft in drafts)


async def rejected_in_the_audit_log(services):
    page = await audit.list_entries(services.database, AuditFilter(action="reminder.rejected"), key=b"any")
    return [entry.object_id for entry in page.items]


async def test_a_draft_named_twice_is_decided_once(api, drafts):
    answer = await api.post(REJECT, json={"drafts": seen([drafts[0], drafts[0]]), "note": "They called."})
    assert [(item["id"], item["decided"]) for item in answer.json()] == [(drafts[0].id, True)]


async def test_a_note_is_needed_and_not_too_many_drafts(api, drafts, states):
    for note in ({}, {"note": ""}, {"note": " "}):
        refused = await api.post(REJECT, json={"drafts": seen(drafts), **note})
        assert refused.status_code in (400, 422), refused.text
    for some in ([], seen(drafts) * 51):
        assert (await api.post(REJECT, json={"drafts": some, "note": "No."})).status_code == 422
    assert await states() == ["draft", "draft"]


async def test_a_snooze_ends_in_the_future_and_within_a_year(api, clock, drafts, states):
    for days in (-1, 366):
        until = (clock.now() + timedelta(days=days)).isoformat()
        refused = await api.post(SNOOZE, json={"drafts": seen(drafts), "until": until})
        assert (refused.status_code, "in the future" in refused.json()["detail"]) == (400, True)
    assert (await api.post(SNOOZE, json={"drafts": seen(drafts)})).status_code == 422
    assert await states() == ["draft", "draft"]


async def test_who_may_not_approve_may_neither_reject_nor_snooze(signed_in, drafts, states):
    editor = await signed_in(Role.EDITOR)
    csrf = {"X-CSRF-Token": await editor.csrf()}
    for path, more in ((REJECT, {"note": "No."}), (SNOOZE, {"until": "2099-01-01T00:00:00Z"})):
        refused = await editor.http.post(path, json={"drafts": seen(drafts), **more}, headers=csrf)
        assert refused.status_code == 403
    assert await states() == ["draft", "draft"]


async def test_the_rules_are_read_once_for_many_and_what_there_is_to_tell_is_told_in_one_go(services, drafted, drafts):
    every = [*drafts, await drafted("cedar", name="Cedar")]
    chosen = [SeenDraft(draft.id, draft.content_hash) for draft in every]
    with services.tables.measure() as spent:
        await service.reject_many(services, CONSOLE, chosen, note="They called.")
    # For each its draft, ladder, customer, invoices, holds and sent mails are read and one transaction is written.
    assert spent.total.calls == 1 + 7 * len(every) + 1
    assert sorted(await rejected_in_the_audit_log(services)) == sorted(draft.id for draft in every)
    assert await list_pending_outbox(services.tables, until=services.clock.now() + timedelta(days=1), limit=10) == []
