"""However many people decide at once, it is one decision, with one entry in the audit log."""

import asyncio

import pytest

from almanac.accounts.permissions import Role
from almanac.approvals import AlreadyDecided, ApprovalState, content_hash
from almanac.approvals.service import StoredApprovals
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter

HASH = content_hash("content")


@pytest.fixture
def approvals(clock):
    """Those in the database alone: where nothing waits, there is no race."""
    return StoredApprovals(clock, cursor_key=b"a key of the tests")


async def actions(database):
    page = await audit.list_entries(database, AuditFilter(), key=b"key", limit=200)
    return [entry.action for entry in page.items][::-1]


async def test_a_hundred_approvers_at_once_are_one_approval(approvals, database, draft, editor, somebody):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)

    async def approve(number):
        async with database.unit() as unit:
            return await approvals.approve(unit, draft, HASH, somebody(Role.APPROVER, f"approver-{number}"))

    outcomes = await asyncio.gather(*(approve(number) for number in range(100)), return_exceptions=True)
    [approved] = [outcome for outcome in outcomes if not isinstance(outcome, Exception)]
    others = [outcome for outcome in outcomes if isinstance(outcome, AlreadyDecided)]
    assert len(others) == 99
    assert all(approved.by.name in other.sentence for other in others)
    assert await actions(database) == ["approval.asked", "approval.given"]


async def test_a_hundred_clicks_of_one_person_are_one_approval(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)

    async def click(_number):
        async with database.unit() as unit:
            return await approvals.approve(unit, draft, HASH, approver)

    outcomes = await asyncio.gather(*map(click, range(100)))
    assert len({outcome.id for outcome in outcomes}) == 1
    assert await actions(database) == ["approval.asked", "approval.given"]


async def test_many_asking_at_once_ask_one_question(approvals, database, draft, editor):
    async def ask(_number):
        async with database.unit() as unit:
            return await approvals.ask(unit, draft, HASH, editor)

    outcomes = await asyncio.gather(*map(ask, range(20)))
    assert len({outcome.id for outcome in outcomes}) == 1


async def test_approving_and_rejecting_at_once_end_as_one_of_them(approvals, database, draft, editor, somebody):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)

    async def decide(number):
        verb = approvals.approve if number % 2 else approvals.reject
        async with database.unit() as unit:
            return await verb(unit, draft, HASH, somebody(Role.APPROVER, f"approver-{number}"), note="So be it")

    outcomes = await asyncio.gather(*map(decide, range(20)), return_exceptions=True)
    [decided] = [outcome for outcome in outcomes if not isinstance(outcome, Exception)]
    async with database.unit() as unit:
        assert await approvals.state_of(unit, draft, HASH) == decided


async def test_a_send_claimed_while_the_content_changes_is_either_before_or_refused(
    approvals, database, draft, editor, approver
):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)
        await approvals.approve(unit, draft, HASH, approver)
    claimed, changed = asyncio.Event(), asyncio.Event()

    async def send():
        async with database.unit() as unit:
            await approvals.require_approved(unit, draft, HASH)
            claimed.set()
            assert not changed.is_set()

    async def change():
        await claimed.wait()
        async with database.unit() as unit:
            noted = await approvals.note_change(unit, draft, content_hash("changed"))
            changed.set()
            return noted

    _, noted = await asyncio.gather(send(), change())
    assert noted.state is ApprovalState.VOID


async def test_a_rolled_back_unit_decided_nothing(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)
    try:
        async with database.unit() as unit:
            await approvals.approve(unit, draft, HASH, approver)
            raise ConnectionError
    except ConnectionError:
        pass
    async with database.unit() as unit:
        assert (await approvals.state_of(unit, draft, HASH)).state is ApprovalState.WAITING
    assert await actions(database) == ["approval.asked"]


async def test_every_step_is_in_the_audit_log_with_its_reason(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)
        await approvals.reject(unit, draft, HASH, approver, note="Too long")
        await approvals.ask(unit, draft, HASH, editor)
        await approvals.note_change(unit, draft, content_hash("changed"))
        await approvals.ask(unit, draft, HASH, editor)
        await approvals.withdraw(unit, draft, editor)
    expected_actions = ["asked", "refused", "asked", "voided", "asked", "withdrawn"]
    assert await actions(database) == [f"approval.{word}" for word in expected_actions]
    page = await audit.list_entries(database, AuditFilter(action="approval.refused"), key=b"key")
    assert (page.items[0].why, page.items[0].actor_id) == ("Too long", "approver")
    assert (await audit.verify_chain(database)).intact
