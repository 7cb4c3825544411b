"""Counting attempts in PostgreSQL, so that all processes share one tally for each account and address."""

from almanac.accounts import store
from almanac.accounts.port import Accounts
from almanac.accounts.throttle import (
    ACCOUNT_LIMIT,
    ADDRESS_LIMIT,
    RESET_LIMIT,
    AttemptLimit,
    add_attempt,
    address_key,
    remove_attempt,
)
from almanac.errors import TooMany
from almanac.kit.ids import token_hash
from almanac.kit.messages import ngettext
from almanac.relational import Unit

SECOND_STEP_KEY = "second-step:"


def account_key(email: str) -> str:
    """The key of an account's tally. People mistype, so what they typed is not kept."""
    return "account:" + token_hash(email.encode("utf-8", "replace").decode())


async def count_sign_in(accounts: Accounts, email: str, address: str) -> None:
    """Count an attempt to sign in before it is tried, or refuse it with the time to wait."""
    await _count(accounts, {account_key(email): ACCOUNT_LIMIT, address_key(address): ADDRESS_LIMIT})


async def count_reset(accounts: Accounts, email: str, address: str) -> None:
    """Count a request for a reset link, or refuse it with the time to wait."""
    await _count(accounts, {"reset-" + account_key(email): RESET_LIMIT, "reset-" + address_key(address): ADDRESS_LIMIT})


async def reset_sign_in_attempts(accounts: Accounts, unit: Unit, email: str, address: str) -> None:
    """Take back the count of an attempt that was right: all of the account's, one of the address's."""
    await store.clear_attempts(unit, account_key(email))
    tally = await store.lock_attempts(unit, address_key(address), accounts.clock.now())
    await store.save_attempts(unit, remove_attempt(tally))


async def count_second_step(accounts: Accounts, user_id: str, address: str) -> None:
    """Count a code before it is tried, or refuse it with the time to wait."""
    await _count(accounts, {SECOND_STEP_KEY + user_id: ACCOUNT_LIMIT, address_key(address): ADDRESS_LIMIT})


async def reset_second_step_attempts(accounts: Accounts, unit: Unit, user_id: str, address: str) -> None:
    """Take back the count of a code that was right."""
    # In the order of their names, as they are counted, or two codes at once could wait for each other.
    tally = await store.lock_attempts(unit, address_key(address), accounts.clock.now())
    await store.save_attempts(unit, remove_attempt(tally))
    await store.clear_attempts(unit, SECOND_STEP_KEY + user_id)


async def _count(accounts: Accounts, limits: dict[str, AttemptLimit]) -> None:
    now = accounts.clock.now()
    async with accounts.database.unit() as unit:
        # One order for everybody, or two attempts could wait for each other.
        tallies = [await store.lock_attempts(unit, key, now) for key in sorted(limits)]
        if wait := max(tally.wait(now) for tally in tallies):
            raise TooMany(_too_many(wait), retry_after=wait)
        for tally in tallies:
            await store.save_attempts(unit, add_attempt(tally, limits[tally.key], now))


def _too_many(seconds: int) -> str:
    if seconds < 120:
        return ngettext(
            "Too many attempts; try again in a second.", "Too many attempts; try again in %(num)s seconds.", seconds
        )
    minutes = -(-seconds // 60)
    return ngettext(
        "Too many attempts; try again in %(num)s minute.", "Too many attempts; try again in %(num)s minutes.", minutes
    )
