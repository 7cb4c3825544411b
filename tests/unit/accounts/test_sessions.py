"""Sessions end by themselves, by their owner, or with the account; never later than they should."""

import pytest

from almanac.accounts import service
from almanac.accounts.model import CONSOLE
from almanac.errors import NotFound


async def test_a_session_ends_after_its_whole_life_even_when_in_use(accounts, clock, principals, make_user, enter):
    token = (await enter(await make_user())).token
    for _ in range(29):
        clock.advance(days=1)
        assert await principals.for_session(token) is not None
    clock.advance(days=1)
    assert await principals.for_session(token) is None


async def test_a_session_that_nobody_uses_ends_earlier(accounts, clock, principals, make_user, enter):
    token = (await enter(await make_user())).token
    clock.advance(days=14)
    assert await principals.for_session(token) is None


async def test_being_used_keeps_a_session_from_going_idle(clock, principals, make_user, enter):
    token = (await enter(await make_user())).token
    clock.advance(days=13)
    assert await principals.for_session(token) is not None
    clock.advance(days=13)
    assert await principals.for_session(token) is not None


@pytest.mark.parametrize("token", ["", "alms_unknown", "ünïcode", "\ud800", "\x00"])
async def test_an_unknown_token_is_nobody(principals, token):
    assert await principals.for_session(token) is None
    assert await principals.for_token(token) is None


async def test_signing_out_ends_the_session_and_twice_is_no_error(accounts, principals, make_user, enter):
    token = (await enter(await make_user())).token
    await service.sign_out(accounts, token)
    await service.sign_out(accounts, token)
    assert await principals.for_session(token) is None


async def test_one_sees_ones_own_sessions_the_latest_used_first(accounts, clock, principals, make_user, enter):
    ada, bob = await make_user(), await make_user(name="Bob")
    old = await enter(ada)
    clock.advance(minutes=5)
    new = await enter(ada)
    await enter(bob)
    listed = await service.list_sessions(accounts, await principals.for_session(old.token))
    assert [session.id for session in listed] == [new.session.id, old.session.id]
    assert listed[0].user_agent == "Firefox on a test bench"


async def test_one_ends_a_session_of_ones_own(accounts, principals, make_user, enter):
    ada = await make_user()
    here, elsewhere = await enter(ada), await enter(ada)
    await service.end_session(accounts, await principals.for_session(here.token), elsewhere.session.id)
    assert await principals.for_session(elsewhere.token) is None


@pytest.mark.parametrize("session_id", ["somebody's", "made up", "\x00", "\ud800"])
async def test_one_cannot_end_anybody_elses(accounts, principals, make_user, enter, as_principal, session_id):
    theirs = await enter(await make_user(name="Bob"))
    ada = await as_principal(await make_user())
    with pytest.raises(NotFound, match="There is no session with this id"):
        await service.end_session(accounts, ada, theirs.session.id if session_id == "somebody's" else session_id)
    assert await principals.for_session(theirs.token) is not None


async def test_ending_all_others_leaves_the_one_in_use(accounts, principals, make_user, enter):
    ada = await make_user()
    tokens = [(await enter(ada)).token for _ in range(3)]
    assert await service.end_other_sessions(accounts, await principals.for_session(tokens[0])) == 2
    assert [await principals.for_session(token) is not None for token in tokens] == [True, False, False]


async def test_a_changed_role_counts_at_the_next_request(accounts, principals, make_user, enter):
    ada = await make_user()
    token = (await enter(ada)).token
    await service.change_role(accounts, CONSOLE, ada.id, "editor")
    assert (await principals.for_session(token)).may("desk.news.write")


async def test_housekeeping_removes_what_is_over_and_nothing_else(accounts, clock, database, make_user, enter, visit):
    ada = await make_user()
    await enter(ada)
    await service.issue_sign_in_link(accounts, CONSOLE, ada.id)
    clock.advance(days=20)
    fresh = await enter(ada)
    assert await service.delete_expired_credentials(accounts) >= 2
    async with database.unit() as unit:
        assert [row["id"] for row in await unit.all("SELECT id FROM sessions")] == [fresh.session.id]
        assert await unit.value("SELECT count(*) FROM account_links") == 0
