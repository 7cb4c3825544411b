"""What every Approvals port promises about one subject: asked, decided once, void on change, never sent without."""

from dataclasses import replace

import pytest

from almanac.accounts.permissions import Role
from almanac.approvals import (
    AlreadyDecided,
    ApprovalRules,
    ApprovalState,
    ApprovalSubject,
    ContentChanged,
    NotApproved,
    content_hash,
)
from almanac.approvals.service import get_approval
from almanac.errors import Conflict, InputError, NotAllowed, NotFound

FIRST, SECOND = content_hash({"text": "first"}), content_hash({"text": "second"})


async def test_nobody_asked(approvals, database, draft):
    async with database.unit() as unit:
        assert await approvals.state_of(unit, draft, FIRST) is None
        with pytest.raises(NotApproved, match="Nobody has approved this yet"):
            await approvals.require_approved(unit, draft, FIRST)


async def test_asked_approved_and_ready_to_send(approvals, database, draft, editor, approver, clock):
    async with database.unit() as unit:
        asked = await approvals.ask(unit, draft, FIRST, editor, title="March issue", link="/newsletter/d1")
        assert (asked.state, asked.asked_by.id, asked.title) == (ApprovalState.WAITING, "editor", "March issue")
        clock.advance(minutes=5)
        approved = await approvals.approve(unit, draft, FIRST, approver, note="Fine")
        assert (approved.state, approved.by.name, approved.at) == (ApprovalState.APPROVED, "Approver", clock.now())
        assert await approvals.require_approved(unit, draft, FIRST) == approved
        assert await approvals.get(unit, asked.id) == approved


async def test_asking_twice_about_the_same_content_is_one_question(approvals, database, draft, editor):
    async with database.unit() as unit:
        first = await approvals.ask(unit, draft, FIRST, editor)
        assert await approvals.ask(unit, draft, FIRST, editor) == first
        assert len(await approvals.history(unit, draft)) == 1


async def test_a_change_voids_the_approval(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        await approvals.approve(unit, draft, FIRST, approver)
        assert (await approvals.state_of(unit, draft, SECOND)).state is ApprovalState.VOID
        with pytest.raises(NotApproved, match="changed after approval"):
            await approvals.require_approved(unit, draft, SECOND)


async def test_reading_with_an_older_content_in_hand_voids_nothing(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, SECOND, editor)
        await approvals.approve(unit, draft, SECOND, approver)
        assert (await approvals.state_of(unit, draft, FIRST)).state is ApprovalState.VOID
        assert (await approvals.state_of(unit, draft, SECOND)).state is ApprovalState.APPROVED


async def test_a_noted_change_stays_void_even_when_it_is_undone(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        await approvals.approve(unit, draft, FIRST, approver)
        noted = await approvals.note_change(unit, draft, SECOND)
        assert (noted.state, noted.ended_why) == (ApprovalState.VOID, "The content changed.")
        assert (await approvals.state_of(unit, draft, FIRST)).state is ApprovalState.VOID
        with pytest.raises(NotApproved, match="ask for approval again"):
            await approvals.require_approved(unit, draft, FIRST)


async def test_noting_no_change_changes_nothing(approvals, database, draft, editor):
    async with database.unit() as unit:
        asked = await approvals.ask(unit, draft, FIRST, editor)
        assert await approvals.note_change(unit, draft, FIRST) == asked
        assert await approvals.note_change(unit, ApprovalSubject("news.link", "none"), FIRST) is None


async def test_asking_about_a_new_content_voids_the_old_question(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        await approvals.ask(unit, draft, SECOND, editor)
        with pytest.raises(ContentChanged, match="changed after you opened it"):
            await approvals.approve(unit, draft, FIRST, approver)
        await approvals.approve(unit, draft, SECOND, approver)
        states = [approval.state for approval in await approvals.history(unit, draft)]
        assert states == [ApprovalState.APPROVED, ApprovalState.VOID]


async def test_a_rejection_needs_a_note_and_is_not_an_approval(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        with pytest.raises(InputError, match="Say why"):
            await approvals.reject(unit, draft, FIRST, approver, note=" ")
        rejected = await approvals.reject(unit, draft, FIRST, approver, note="The date is wrong")
        assert (rejected.state, rejected.note) == (ApprovalState.REJECTED, "The date is wrong")
        with pytest.raises(NotApproved, match="rejected"):
            await approvals.require_approved(unit, draft, FIRST)


async def test_a_rejected_content_may_be_asked_about_again(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        first = await approvals.ask(unit, draft, FIRST, editor)
        await approvals.reject(unit, draft, FIRST, approver, note="Why?")
        again = await approvals.ask(unit, draft, FIRST, editor)
        assert (again.state, again.id != first.id) == (ApprovalState.WAITING, True)


async def test_a_second_click_gets_the_first_answer(approvals, database, draft, editor, approver, clock):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        first = await approvals.approve(unit, draft, FIRST, approver)
        clock.advance(minutes=1)
        assert await approvals.approve(unit, draft, FIRST, approver) == first


async def test_a_second_approver_learns_who_was_first(approvals, database, draft, editor, approver, somebody):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        await approvals.approve(unit, draft, FIRST, approver)
        for verb, note in ((approvals.approve, ""), (approvals.reject, "No")):
            with pytest.raises(AlreadyDecided, match="Approver approved this already"):
                await verb(unit, draft, FIRST, somebody(Role.APPROVER, "other"), note=note)


async def test_who_decided_cannot_decide_otherwise_later(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        await approvals.approve(unit, draft, FIRST, approver)
        with pytest.raises(AlreadyDecided, match="You approved this already"):
            await approvals.reject(unit, draft, FIRST, approver, note="On second thoughts")


async def test_an_approval_is_hidden_from_who_may_not_read_at_its_desk(approvals, database, draft, editor):
    elsewhere = replace(editor, scopes=frozenset({"news:read"}))
    async with database.unit() as unit:
        asked = await approvals.ask(unit, draft, FIRST, editor)
        assert await get_approval(unit, approvals, editor, asked.id) == asked
        for by, approval_id in ((elsewhere, asked.id), (editor, "no-such-thing")):
            with pytest.raises(NotFound):
                await get_approval(unit, approvals, by, approval_id)


async def test_what_is_withdrawn_can_be_neither_approved_nor_sent(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        withdrawn = await approvals.withdraw(unit, draft, editor)
        assert withdrawn.state is ApprovalState.WITHDRAWN
        assert await approvals.withdraw(unit, draft, editor) == withdrawn
        with pytest.raises(Conflict, match="withdrawn"):
            await approvals.approve(unit, draft, FIRST, approver)
        with pytest.raises(NotApproved):
            await approvals.require_approved(unit, draft, FIRST)


async def test_what_nobody_asked_about_can_be_neither_decided_nor_withdrawn(
    approvals, database, draft, editor, approver
):
    async with database.unit() as unit:
        with pytest.raises(NotFound):
            await approvals.approve(unit, draft, FIRST, approver)
        with pytest.raises(NotFound):
            await approvals.withdraw(unit, draft, editor)


async def test_writing_and_approving_are_separate_rights(approvals, database, draft, editor, approver, somebody):
    async with database.unit() as unit:
        for nobody in (approver, somebody(Role.MEMBER)):
            with pytest.raises(NotAllowed):
                await approvals.ask(unit, draft, FIRST, nobody)
        await approvals.ask(unit, draft, FIRST, editor)
        for nobody in (editor, somebody(Role.MEMBER)):
            with pytest.raises(NotAllowed):
                await approvals.approve(unit, draft, FIRST, nobody)
        with pytest.raises(NotAllowed):
            await approvals.withdraw(unit, draft, approver)


async def test_nobody_approves_their_own_work_where_that_is_the_rule(make, database, draft, somebody):
    approvals, ada, bob = make(ApprovalRules(own_work=False)), somebody(Role.ADMIN, "ada"), somebody(Role.ADMIN, "bob")
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, ada, authors=["carol"])
        for author in (ada, somebody(Role.ADMIN, "carol")):
            with pytest.raises(NotAllowed, match="somebody else must decide"):
                await approvals.approve(unit, draft, FIRST, author)
            assert await approvals.count_waiting(unit, author) == 0
        assert await approvals.count_waiting(unit, bob) == 1
        assert (await approvals.approve(unit, draft, FIRST, bob)).state is ApprovalState.APPROVED


async def test_otherwise_one_person_may_do_both(approvals, database, draft, somebody):
    ada = somebody(Role.ADMIN, "ada")
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, ada)
        assert (await approvals.approve(unit, draft, FIRST, ada)).state is ApprovalState.APPROVED


@pytest.mark.parametrize("wrong", ["", "abc", FIRST[:-1], FIRST.upper(), FIRST + "0"])
async def test_a_shortened_hash_is_refused(approvals, database, draft, editor, wrong):
    async with database.unit() as unit:
        with pytest.raises(InputError, match="64 hexadecimal digits"):
            await approvals.ask(unit, draft, wrong, editor)


@pytest.mark.parametrize("kind", ["", "kitchen.soup", "newsletter draft", "Newsletter.draft"])
def test_a_subject_belongs_to_a_desk(kind):
    with pytest.raises(InputError, match="start it with a desk"):
        ApprovalSubject(kind, "1")


async def test_followers_are_told_of_every_change_in_the_same_transaction(approvals, database, draft, editor, approver):
    changes: list[tuple[object, str]] = []

    async def follow(unit, approval):
        changes.append((unit, approval.state))

    approvals.add_listener(follow, kind=draft.kind)
    approvals.add_listener(follow, kind="news.link")
    async with database.unit() as unit:
        await approvals.ask(unit, draft, FIRST, editor)
        await approvals.approve(unit, draft, FIRST, approver)
        await approvals.approve(unit, draft, FIRST, approver)
        await approvals.ask(unit, draft, SECOND, editor)
        assert changes == [(unit, state) for state in ("waiting", "approved", "void", "waiting")]
