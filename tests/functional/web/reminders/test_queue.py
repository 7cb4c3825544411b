"""The approval queue with plain forms: only reviewed content is approved, and each decision shows the next draft."""

import re

import pytest

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service, store


async def state_of(services, draft):
    return (await store.get_draft(services.tables, draft.id)).state


async def test_the_queue_shows_the_exact_mail_beside_the_list(admin, drafted):
    first = await drafted("acme")
    await drafted("birch", name="Birch & Sons")
    page = await admin.get("/reminders")
    assert '<span class="queue-name">Birch &amp; Sons</span>' in page.text
    assert "acme@example.org" in page.text
    assert first.wording.subject in page.text
    assert first.content_hash in page.text


async def test_the_page_of_approvals_leads_to_drafts_that_wait_here(admin, drafted):
    assert "Nothing waits for you" in (await admin.get("/approvals")).text
    await drafted("acme")
    page = (await admin.get("/approvals")).text
    assert "Nothing waits for you" not in page
    assert re.search(r'href="/reminders"[^>]*>\s*Reminders: 1 waits', page)


async def test_the_mail_is_shown_without_scripts_or_our_origin(admin, drafted):
    draft = await drafted("acme", name="Acme <script>alert(1)</script>")
    mail = await admin.get(f"/reminders/drafts/{draft.id}/html")
    assert mail.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert mail.headers["x-frame-options"] == "SAMEORIGIN"
    assert "<script" not in mail.text


async def test_an_approval_goes_on_to_the_next_draft_and_can_be_undone(admin, services, drafted):
    first, second = await drafted("acme"), await drafted("birch", name="Birch")
    form = {"seen": first.content_hash, "following": second.id}
    page = await admin.post(f"/reminders/drafts/{first.id}/approve", form)
    assert page.url.params["draft"] == second.id
    assert "goes out in 30 seconds" in page.text
    approved = await store.get_draft(services.tables, first.id)
    assert (approved.state, approved.approved.by.id) == ("approved", admin.user.id)
    assert (approved.send_at - services.clock.now()).seconds in (29, 30)
    undo = re.search(r'action="(/reminders/drafts/[^"]+/undo)"', page.text)[1]
    await admin.post(undo)
    assert await state_of(services, first) == "draft"


async def test_a_decision_in_place_brings_the_count_and_a_look_does_not(admin, drafted):
    first, second = await drafted("acme"), await drafted("birch", name="Birch")
    admin.http.headers["HX-Request"] = "true"
    assert "waiting-reminders" not in (await admin.get(f"/reminders/drafts/{first.id}")).text
    form = {"seen": first.content_hash, "following": second.id}
    answer = await admin.post(f"/reminders/drafts/{first.id}/approve", form)
    assert 'id="waiting-reminders" data-waiting="1" hx-swap-oob="true"' in " ".join(answer.text.split())


async def test_a_draft_that_changed_after_it_was_seen_is_shown_anew_and_not_approved(admin, services, drafted):
    draft = await drafted()
    text = draft.wording.text.replace("Thank you", "Many thanks")
    await service.edit_draft(services, CONSOLE, draft.id, subject="Another subject", text=text)
    page = await admin.post(f"/reminders/drafts/{draft.id}/approve", {"seen": draft.content_hash})
    assert page.status_code == 409
    assert "changed after you opened it" in page.text
    assert "Another subject" in page.text
    assert await state_of(services, draft) == "draft"


async def test_a_snooze_leaves_the_queue_and_a_rejection_needs_a_note(admin, services, drafted):
    draft = await drafted()
    await admin.post(f"/reminders/drafts/{draft.id}/snooze", {"days": "3"})
    assert await state_of(services, draft) == "snoozed"
    assert "Nothing waits for a decision" in (await admin.get("/reminders")).text
    await admin.post(f"/reminders/drafts/{draft.id}/undo")
    page = await admin.post(f"/reminders/drafts/{draft.id}/reject", {"seen": draft.content_hash, "note": " "})
    assert page.status_code == 400
    assert "Say why you reject this" in page.text
    await admin.post(f"/reminders/drafts/{draft.id}/reject", {"seen": draft.content_hash, "note": "They called."})
    assert await state_of(services, draft) == "rejected"
    assert "They called." in (await admin.get("/reminders?state=rejected")).text


async def test_an_edit_with_a_figure_of_its_own_is_refused_beside_its_field(admin, services, drafted):
    draft = await drafted()
    form = {"subject": "Please pay", "text": "You owe 999.00 EUR.", "version": str(draft.version)}
    page = await admin.post(f"/reminders/drafts/{draft.id}/edit", form)
    assert page.status_code == 422
    assert "is not in the ledger" in page.text
    assert "You owe 999.00 EUR." in page.text
    kept = {**form, "text": "You owe 100.00 EUR on acme-1."}
    page = await admin.post(f"/reminders/drafts/{draft.id}/edit", kept)
    assert "Your changes are saved" in page.text
    assert (await store.get_draft(services.tables, draft.id)).wording.written_by == "person"


async def test_two_edits_at_once_are_shown_side_by_side(admin, services, drafted):
    draft = await drafted()
    await service.edit_draft(services, CONSOLE, draft.id, subject="Theirs", text="You owe 100.00 EUR on acme-1.")
    form = {"subject": "Mine", "text": "Please pay acme-1.", "version": str(draft.version)}
    page = await admin.post(f"/reminders/drafts/{draft.id}/edit", form)
    assert page.status_code == 412
    assert "Saved by somebody else" in page.text
    assert ">Mine<" in page.text
    assert ">Theirs<" in page.text


@pytest.fixture
async def chosen(drafted):
    drafts = [await drafted("acme"), await drafted("birch", name="Birch", currency="USD", amount="50.00")]
    return drafts, [f"{draft.id} {draft.content_hash}" for draft in drafts]


async def test_a_batch_is_summed_up_before_it_goes_and_undone_as_one(admin, services, chosen):
    drafts, values = chosen
    nothing = await admin.post("/reminders/review")
    assert (nothing.status_code, "Choose at least one draft" in nothing.text) == (400, True)
    summary = await admin.post("/reminders/review", {"chosen": values})
    assert "Approve and send 2" in summary.text
    assert "100.00 EUR" in summary.text
    assert "50.00 USD" in summary.text
    page = await admin.post("/reminders/review/approve", {"chosen": values})
    assert "2 reminders approved" in page.text
    assert [await state_of(services, draft) for draft in drafts] == ["approved", "approved"]
    await admin.post(f"{page.url.path}/undo")
    assert [await state_of(services, draft) for draft in drafts] == ["draft", "draft"]


async def test_a_draft_of_a_batch_that_changed_is_left_out_by_name(admin, services, chosen):
    drafts, values = chosen
    await service.edit_draft(services, CONSOLE, drafts[0].id, subject="Other", text="You owe 100.00 EUR on acme-1.")
    summary = await admin.post("/reminders/review", {"chosen": values})
    assert "Acme Ltd: This draft changed after you opened it" in summary.text
    page = await admin.post("/reminders/review/approve", {"chosen": values})
    assert "1 reminder approved" in page.text
    assert [await state_of(services, draft) for draft in drafts] == ["draft", "approved"]


async def test_an_editor_edits_and_an_approver_decides(signed_in, drafted):
    draft = await drafted()
    editor = await signed_in(Role.EDITOR)
    page = await editor.get(f"/reminders/drafts/{draft.id}")
    assert "?edit=yes" in page.text
    assert f"/reminders/drafts/{draft.id}/approve" not in page.text
    refused = await editor.post(f"/reminders/drafts/{draft.id}/approve", {"seen": draft.content_hash})
    assert refused.status_code == 403
    page = await (await signed_in(Role.APPROVER)).get("/reminders")
    assert f"/reminders/drafts/{draft.id}/approve" in page.text
    assert "?edit=yes" not in page.text


async def test_what_was_approved_and_not_sent_can_be_sent(admin, services, drafted):
    draft = await drafted()
    await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    assert "Send now" in (await admin.get("/reminders?state=approved")).text
    page = await admin.post(f"/reminders/drafts/{draft.id}/send")
    assert "The reminder is sent" in page.text
    assert len(services.mail_transport.sent) == 1
