"""The list of what waits for a person, across desks."""

import pytest

from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.errors import InputError

HASH = content_hash("content")


async def ids(approvals, unit, by, **options):
    return [approval.subject.id for approval in (await approvals.waiting(unit, by, **options)).items]


async def test_the_longest_waiting_come_first_from_every_desk(approvals, database, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, ApprovalSubject("newsletter.draft", "one"), HASH, editor)
        await approvals.ask(unit, ApprovalSubject("recap", "two"), HASH, editor)
        assert await ids(approvals, unit, approver) == ["one", "two"]
        assert await approvals.count_waiting(unit, approver) == 2


async def test_nothing_waits_for_who_may_not_approve(approvals, database, draft, editor):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)
        assert await ids(approvals, unit, editor) == []
        assert await approvals.count_waiting(unit, editor) == 0


async def test_what_is_decided_or_asked_anew_waits_once_or_not_at_all(approvals, database, draft, editor, approver):
    async with database.unit() as unit:
        await approvals.ask(unit, draft, HASH, editor)
        await approvals.ask(unit, draft, content_hash("changed"), editor)
        assert await ids(approvals, unit, approver) == ["d1"]
        await approvals.approve(unit, draft, content_hash("changed"), approver)
        assert await ids(approvals, unit, approver) == []


async def test_a_long_list_comes_in_pages(approvals, database, editor, somebody):
    approver = somebody(Role.APPROVER)
    async with database.unit() as unit:
        for number in range(5):
            await approvals.ask(unit, ApprovalSubject("news.link", str(number)), HASH, editor)
        seen, cursor = [], None
        while True:
            page = await approvals.waiting(unit, approver, cursor=cursor, limit=2)
            seen += [approval.subject.id for approval in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
    assert seen == ["0", "1", "2", "3", "4"]


async def test_a_foreign_cursor_is_refused(approvals, database, approver):
    async with database.unit() as unit:
        with pytest.raises(InputError, match="start again"):
            await approvals.waiting(unit, approver, cursor="forged")
