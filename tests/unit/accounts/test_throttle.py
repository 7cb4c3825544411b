"""Guessing is slowed down for each account and each address, exactly, across all processes."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.accounts import service
from almanac.accounts.model import SignInClient
from almanac.accounts.throttle import ACCOUNT_LIMIT, ADDRESS_LIMIT, AttemptCount, add_attempt, address_key
from almanac.errors import SignInNeeded, TooMany

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


async def guess(accounts, visit, email="ada@example.org", password="wrong guess"):
    try:
        await service.sign_in(accounts, email=email, password=password, visit=visit)
    except (SignInNeeded, TooMany) as refused:
        return refused
    return None


async def test_after_five_wrong_passwords_the_account_waits(accounts, make_user, visit):
    await make_user()
    assert [type(await guess(accounts, visit)) for _ in range(5)] == [SignInNeeded] * 5
    refused = await guess(accounts, visit)
    assert isinstance(refused, TooMany)
    assert refused.retry_after == 30
    assert refused.sentence == "Too many attempts; try again in 30 seconds."


async def test_the_right_password_has_to_wait_too(accounts, make_user, visit, password):
    await make_user()
    for _ in range(5):
        await guess(accounts, visit)
    assert isinstance(await guess(accounts, visit, password=password), TooMany)


async def test_after_the_wait_the_right_password_opens_and_clears_the_count(
    accounts, clock, make_user, visit, password
):
    await make_user()
    for _ in range(5):
        await guess(accounts, visit)
    clock.advance(seconds=30)
    assert await guess(accounts, visit, password=password) is None
    assert [type(await guess(accounts, visit)) for _ in range(5)] == [SignInNeeded] * 5


async def test_each_further_failure_doubles_the_wait_up_to_a_quarter_of_an_hour(accounts, clock, make_user, visit):
    await make_user()
    for _ in range(5):
        await guess(accounts, visit)
    waits = []
    for _ in range(7):
        waits.append((await guess(accounts, visit)).retry_after)
        clock.advance(seconds=waits[-1])
        assert isinstance(await guess(accounts, visit), SignInNeeded)
    assert waits == [30, 60, 120, 240, 480, 900, 900]


async def test_failures_are_forgotten_after_an_hour(accounts, clock, make_user, visit):
    await make_user()
    for _ in range(4):
        await guess(accounts, visit)
    clock.advance(hours=1)
    assert [type(await guess(accounts, visit)) for _ in range(4)] == [SignInNeeded] * 4


async def test_an_unknown_account_is_throttled_like_a_known_one(accounts, visit):
    refusals = [type(await guess(accounts, visit, email="nobody@example.org")) for _ in range(6)]
    assert refusals == [SignInNeeded] * 5 + [TooMany]


async def test_another_account_is_not_held_up(accounts, make_user, visit, password):
    await make_user()
    for _ in range(6):
        await guess(accounts, visit, email="nobody@example.org")
    assert await guess(accounts, visit, password=password) is None


async def test_an_address_that_tries_many_accounts_is_held_up(accounts, make_user, visit, password):
    await make_user()
    for number in range(ADDRESS_LIMIT.free):
        assert isinstance(await guess(accounts, visit, email=f"guess{number}@example.org"), SignInNeeded)
    assert isinstance(await guess(accounts, visit, password=password), TooMany)
    assert await guess(accounts, SignInClient(address="198.51.100.2"), password=password) is None


@pytest.mark.parametrize(
    ("first", "other"),
    [("2001:db8:1:2::7", "2001:db8:1:2:ffff::1"), ("::ffff:203.0.113.7", "203.0.113.7"), ("[unix]", "[unix]")],
)
def test_addresses_that_one_attacker_has_for_free_count_as_one(first, other):
    assert address_key(first) == address_key(other)
    assert address_key("2001:db8:1:3::7") != address_key(first)


async def test_people_who_sign_in_do_not_use_up_their_shared_address(accounts, make_user, visit, password):
    await make_user()
    for _ in range(ADDRESS_LIMIT.free + 1):
        assert await guess(accounts, visit, password=password) is None


async def test_guesses_at_the_same_moment_are_counted_exactly(accounts, database, make_user):
    await make_user()
    visits = [SignInClient(address=f"198.51.100.{number}") for number in range(40)]
    refused = await asyncio.gather(*(guess(accounts, visit) for visit in visits))
    assert sum(isinstance(each, SignInNeeded) for each in refused) == ACCOUNT_LIMIT.free
    assert sum(isinstance(each, TooMany) for each in refused) == 40 - ACCOUNT_LIMIT.free
    async with database.unit() as unit:
        tallies = await unit.all("SELECT failures FROM sign_in_tallies WHERE key LIKE 'account:%%'", {})
    assert [row["failures"] for row in tallies] == [ACCOUNT_LIMIT.free]


async def test_what_was_typed_as_an_address_is_not_kept(accounts, database, visit):
    await guess(accounts, visit, email="my-password-by-mistake")
    async with database.unit() as unit:
        assert "my-password-by-mistake" not in str(await unit.all("SELECT * FROM sign_in_tallies"))


@given(st.integers(0, 10_000), st.integers(0, 7200))
def test_a_wait_is_never_longer_than_the_longest(failures, seconds):
    later = NOON + timedelta(seconds=seconds)
    tally = add_attempt(AttemptCount("key", failures, NOON, None), ACCOUNT_LIMIT, later)
    assert 0 <= tally.wait(later) <= ACCOUNT_LIMIT.longest_wait.total_seconds()
