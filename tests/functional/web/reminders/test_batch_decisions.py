"""Rejecting and snoozing many drafts with plain forms: one note or day for all, one summary, and one undo."""

import re
from datetime import timedelta

import pytest

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service, store

REJECT, SNOOZE = "/reminders/review/reject", "/reminders/review/snooze"


@pytest.fixture
async def drafts(drafted):
    return [await drafted("acme"), await drafted("birch", name="Birch")]


def boxes(drafts):
    return [f"{draft.id} {draft.content_hash}" for draft in drafts]


@pytest.fixture
def states(services, drafts):
    async def read():
        return [(await store.get_draft(services.tables, draft.id)).state for draft in drafts]

    return read


async def test_the_queue_offers_both_beside_its_boxes(admin, drafts):
    page = await admin.get("/reminders")
    assert f'formaction="{REJECT}"' in page.text
    assert f'formaction="{SNOOZE}"' in page.text
    assert 'formaction="' not in (await admin.get("/reminders?state=rejected")).text


async def test_chosen_drafts_are_rejected_with_one_note_and_undone_as_one(admin, services, drafts, states):
    page = await admin.post(REJECT, {"chosen": boxes(drafts), "note": "They called."})
    assert "2 reminders rejected." in page.text
    assert "Rejected together" in page.text
    rejected = [await store.get_draft(services.tables, draft.id) for draft in drafts]
    assert {(draft.state, draft.reason, draft.approved.by.id) for draft in rejected} == {
        ("rejected", "They called.", admin.user.id)
    }
    page = await admin.post(f"{page.url.path}/undo")
    assert "2 reminders back in the queue." in page.text
    assert await states() == ["draft", "draft"]


async def test_without_a_note_it_is_asked_for_and_the_choice_is_kept(admin, drafts, states):
    page = await admin.post(REJECT, {"chosen": boxes(drafts), "note": "  "})
    assert (page.status_code, "Say why you reject this" in page.text) == (400, True)
    assert all(f'name="chosen" value="{value}"' in page.text for value in boxes(drafts))
    assert await states() == ["draft", "draft"]
    nothing = await admin.post(REJECT, {"note": "They called."})
    assert (nothing.status_code, "Choose at least one draft" in nothing.text) == (400, True)


async def test_chosen_drafts_sleep_for_as_long_as_a_single_one_may(admin, services, clock, drafts, states):
    queue = (await admin.get("/reminders")).text
    offered = re.findall(rf'name="days"\s+value="(\d+)"\s+formaction="{SNOOZE}"', queue)
    assert offered == ["1", "3", "7", "30"]
    page = await admin.post(SNOOZE, {"chosen": boxes(drafts), "days": offered[0]})
    assert "2 reminders snoozed." in page.text
    assert await states() == ["snoozed", "snoozed"]
    asleep = await store.get_draft(services.tables, drafts[0].id)
    assert asleep.snoozed_until.date() == clock.now().date() + timedelta(days=1)


@pytest.mark.parametrize("days", ["", "tomorrow", "0", "-1", "999999"])
async def test_days_that_are_none_or_too_many_snooze_nothing(admin, drafts, states, days):
    page = await admin.post(SNOOZE, {"chosen": boxes(drafts), "days": days})
    assert page.status_code in (400, 422)
    assert await states() == ["draft", "draft"]


async def test_what_changed_or_was_decided_meanwhile_is_named_and_stays(admin, services, drafted, drafts, states):
    waiting = await drafted("cedar", name="Cedar")
    await service.edit_draft(services, CONSOLE, drafts[0].id, subject="Other", text="You owe 100.00 EUR on acme-1.")
    await service.approve_draft(services, CONSOLE, drafts[1].id, seen=drafts[1].content_hash)
    page = await admin.post(REJECT, {"chosen": boxes([*drafts, waiting]), "note": "They called."})
    assert "1 reminder rejected. 2 others left as they were." in page.text
    assert "This draft changed after you opened it" in page.text
    assert "It is approved already." in page.text
    assert await states() == ["draft", "approved"]


async def test_undoing_a_batch_leaves_what_somebody_decided_since(admin, services, drafts, states):
    page = await admin.post(REJECT, {"chosen": boxes(drafts), "note": "They called."})
    await service.reopen_draft(services, CONSOLE, drafts[1].id)
    await service.approve_draft(services, CONSOLE, drafts[1].id, seen=drafts[1].content_hash)
    page = await admin.post(f"{page.url.path}/undo")
    assert "1 reminder back in the queue. 1 other had changed." in page.text
    assert await states() == ["draft", "approved"]


async def test_an_editor_may_do_neither(signed_in, drafts, states):
    editor = await signed_in(Role.EDITOR)
    assert REJECT not in (await editor.get("/reminders")).text
    for path, more in ((REJECT, {"note": "No."}), (SNOOZE, {"days": "1"})):
        assert (await editor.post(path, {"chosen": boxes(drafts), **more})).status_code == 403
    assert await states() == ["draft", "draft"]
