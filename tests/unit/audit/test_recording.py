"""An entry says who, what, when, why and on what, and shares the fate of the transaction it is written in."""

import pytest

from almanac.audit import service
from almanac.audit.model import SYSTEM, AuditAction, AuditFilter, AuditSubject
from almanac.kit.logs import request_id

KEY = b"a key for cursors"


async def entries(database, **wanted):
    return (await service.list_entries(database, AuditFilter(**wanted), key=KEY)).items


async def test_an_entry_tells_the_whole_story(database, clock, record):
    token = request_id.set("request-7")
    try:
        entry_id = await record(why="figures checked", detail={"version": 3, "sent": False, "to": ["a", "b"]})
    finally:
        request_id.reset(token)
    (entry,) = await entries(database)
    assert (entry.id, entry.position, entry.recorded_at) == (entry_id, 1, clock.now())
    assert (entry.actor_id, entry.actor_via, entry.action) == ("ada", "session", "draft.approved")
    assert (entry.object_type, entry.object_id, entry.why) == ("draft", "draft-1", "figures checked")
    assert (entry.request_id, entry.detail) == ("request-7", {"version": 3, "sent": False, "to": ["a", "b"]})


async def test_an_entry_goes_with_the_transaction_that_fails(database, clock):
    async def write_and_fail() -> None:
        async with database.unit() as unit:
            await service.record(unit, clock, AuditAction(SYSTEM, "draft.sent", AuditSubject("draft", "1")))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await write_and_fail()
    assert await entries(database) == []
    assert (await service.verify_chain(database)).intact


@pytest.mark.parametrize("name", ["password", "api_token", "Email", "user_address", "password_hash"])
def test_an_entry_cannot_hold_secrets_or_personal_data(name):
    with pytest.raises(ValueError, match="name the thing by its id instead"):
        AuditAction(SYSTEM, "user.created", AuditSubject("user", "1"), detail={name: "x"})


def test_an_id_of_a_token_is_no_secret():
    action = AuditAction(SYSTEM, "token.created", AuditSubject("token", "1"), detail={"token_id": "x"})
    assert action.detail == {"token_id": "x"}


@pytest.mark.parametrize("why", ["a\x00b", "half \ud800 a pair", "葵 ✓ “quoted”", "x" * 5000])
async def test_any_reason_can_be_recorded_and_verified(database, record, why):
    await record(why=why)
    assert (await service.verify_chain(database)).intact


async def test_entries_are_listed_newest_first_page_by_page(database, record):
    for number in range(7):
        await record(object_id=f"draft-{number}")
    positions, cursor = [], None
    while True:
        page = await service.list_entries(database, AuditFilter(), key=KEY, cursor=cursor, limit=3)
        positions += [entry.object_id for entry in page.items]
        if not (cursor := page.next_cursor):
            break
        await record(object_id="written meanwhile")
    assert positions == [f"draft-{number}" for number in reversed(range(7))]


async def test_entries_are_filtered_by_everything_they_tell(database, clock, record):
    await record()
    clock.advance(hours=1)
    await record(actor="bob", action="draft.rejected", object_id="draft-2")
    assert [e.actor_id for e in await entries(database, actor_id="bob")] == ["bob"]
    assert [e.actor_id for e in await entries(database, action="draft.approved")] == ["ada"]
    assert [e.actor_id for e in await entries(database, object_type="draft", object_id="draft-2")] == ["bob"]
    assert [e.actor_id for e in await entries(database, since=clock.now())] == ["bob"]
    assert [e.actor_id for e in await entries(database, until=clock.now())] == ["ada"]
    assert await entries(database, actor_id="\x00") == []
    assert await service.list_actions(database) == ["draft.approved", "draft.rejected"]


async def test_a_cursor_belongs_to_its_filter(database, record):
    for _ in range(3):
        await record()
    page = await service.list_entries(database, AuditFilter(), key=KEY, limit=1)
    with pytest.raises(service.InputError, match="start again from the first page"):
        await service.list_entries(database, AuditFilter(actor_id="ada"), key=KEY, cursor=page.next_cursor)
