"""Replies of customers: each pauses the ladder until a person has read it and says what it means."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.ledger import Hold
from almanac.desks.reminders.sending.deciding import READ, WRITE
from almanac.desks.reminders.service.holds import NewHold, lift_hold, place_hold
from almanac.errors import Conflict, NotFound
from almanac.services import Services

ReplyMeaning = Literal["nothing", "promise", "dispute", "pause", "never"]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that waits for a person; its id is that of the hold that it caused."""

    id: str
    customer_id: str
    customer_name: str
    quoted: str
    received_at: datetime


async def list_replies(services: Services, by: Principal) -> Sequence[Reply]:
    """Replies that nobody has confirmed yet, the oldest first."""
    by.require(READ)
    holds = await store.standing_replies(services.tables)
    return [await _reply(services, hold) for hold in holds]


async def _reply(services: Services, hold: Hold) -> Reply:
    customer = await store.get_customer(services.tables, hold.customer_id)
    received = hold.created_at or services.clock.now()
    return Reply(hold.id, hold.customer_id, customer.name, hold.note, received)


async def confirm_reply(
    services: Services, by: Principal, customer_id: str, reply_id: str, meaning: ReplyMeaning, *,
    until: date | None = None, invoice: str | None = None, note: str = "",
) -> Hold:  # fmt: skip
    """Say what a reply means: `nothing` lets the ladder go on, anything else places that hold in its stead.

    The new hold stands before the reply's is lifted, so that no reminder goes out in between. Returns the hold that
    stands now, or the lifted one of the reply.
    """
    by.require(WRITE)
    await _require_open(services, customer_id, reply_id)
    if meaning == "nothing":
        return await lift_hold(services, by, customer_id, reply_id)
    new = NewHold(customer_id=customer_id, kind=meaning, invoice=invoice, until=until, note=note)
    placed = await place_hold(services, by, new, hold_id=f"{reply_id}-{meaning}")
    await lift_hold(services, by, customer_id, reply_id)
    return placed


async def _require_open(services: Services, customer_id: str, reply_id: str) -> None:
    await store.get_customer(services.tables, customer_id)
    found = next((hold for hold in await store.holds_of(services.tables, customer_id) if hold.id == reply_id), None)
    if found is None or found.kind != "reply":
        raise NotFound("There is no such reply; somebody may have erased the customer.")
    if found.lifted_at is not None:
        raise Conflict("Somebody has confirmed this reply already.")
