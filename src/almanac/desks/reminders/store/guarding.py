"""Writing under the guards: the ladder's version, the customer's version, and a new decision when either moved."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.ladder import Ladder
from almanac.desks.reminders.model.ledger import Customer
from almanac.errors import Unavailable
from tablature import Write, check, create, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed, TransactionFailed

T = TypeVar("T")
ATTEMPTS = 60
_GUARDS = (table.Ladder, table.Customer)
_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.25


class Moved(Exception):
    """Somebody else wrote first; nothing was written."""


async def decided_anew(attempt: Callable[[], Awaitable[T]]) -> T:
    """Read, decide and write, again and again until nobody else writes in between."""
    for turn in range(ATTEMPTS):
        try:
            return await attempt()
        except Moved:
            longest = min(_PAUSE_SECONDS * 2**turn, _LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(random.uniform(0, longest))  # noqa: S311 - it only keeps writers apart
    raise Unavailable("Too many others change this customer right now; try again in a moment.")


def ladder_write(ladder: Ladder) -> Write[table.Ladder]:
    """The ladder as it shall be, if it still is as it was read."""
    item = stored.stored_ladder(ladder)
    return update(item) if ladder.version else create(item)


def customer_check(customer: Customer) -> Write[table.Customer]:
    """Neither the customer nor a hold on them changed since."""
    ref = table.Customer.key(customer_id=customer.id)
    return check(ref, when=table.Customer.version == customer.version)


async def commit(tables: AsyncDatabase, *writes: Write[Any]) -> None:
    """Write all or nothing. A guard that moved is Moved; otherwise the first error of a write is raised."""
    try:
        await tables.transact(*writes)
    except (TransactionFailed, ConditionFailed) as failure:
        errors = failure.errors if isinstance(failure, TransactionFailed) else [failure]
        failed = [(write, error) for write, error in zip(writes, errors, strict=True) if error is not None]
        if any(write.ref.cls in _GUARDS and isinstance(error, ConditionFailed) for write, error in failed):
            raise Moved from failure
        raise failed[0][1] from failure
