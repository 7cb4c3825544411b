"""Housekeeping that a schedule runs: what is over is removed."""

from datetime import timedelta

from almanac.accounts import store
from almanac.accounts.port import Accounts

KEEP_FOR = timedelta(days=1)


async def sweep_accounts(accounts: Accounts) -> int:
    """Remove sessions, links, tallies and sign-ons that are over; returns how many rows went."""
    now = accounts.clock.now()
    async with accounts.database.unit() as unit:
        return await store.sweep(unit, now=now, idle_since=now - accounts.session_idle, long_ago=now - KEEP_FOR)
