"""Holds: reasons not to remind a customer, or of one invoice, through a day or until somebody lifts them."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from almanac.accounts.model import Principal
from almanac.audit.model import Deed, DetailValue, Subject
from almanac.desks.reminders import store
from almanac.desks.reminders.events import tell
from almanac.desks.reminders.model.ledger import Customer, Hold, HoldKind
from almanac.desks.reminders.model.notice import Notice, notice_of
from almanac.desks.reminders.sending.deciding import READ, WRITE, rules_of
from almanac.desks.reminders.sending.following import reconsider
from almanac.errors import Conflict, FieldErrors
from almanac.kit.ids import new_id
from almanac.kit.paging import Page
from almanac.services import Services

PlacedKind = Literal["promise", "dispute", "pause", "never"]
LONGEST_HOLD = timedelta(days=3650)
LONGEST_NOTE = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHold:
    """A hold to be placed: on one invoice, or without a number on everything of the customer.

    A promise names the last day to keep it; `never` has no end; a dispute and a pause may have one.
    """

    customer_id: str
    kind: PlacedKind
    invoice: str | None = None
    until: date | None = None
    note: str = ""


async def list_holds(services: Services, by: Principal, *, limit: int = 50, cursor: str | None = None) -> Page[Hold]:
    """Everybody's holds that were not lifted, the oldest first."""
    by.require(READ)
    return await store.standing_holds(services.tables, limit=limit, cursor=cursor)


async def holds_on(services: Services, by: Principal, customer_id: str) -> list[Hold]:
    """A customer's holds, the latest first; those that are over and those that were lifted too."""
    by.require(READ)
    await store.get_customer(services.tables, customer_id)
    found = await store.holds_of(services.tables, customer_id)
    return sorted(found, key=lambda hold: (hold.created_at is not None, hold.created_at, hold.id), reverse=True)


async def place_hold(services: Services, by: Principal, new: NewHold, *, hold_id: str | None = None) -> Hold:
    """No reminder while it stands: unsent drafts follow at once, and a mail that still waits is taken back.

    The same `hold_id` again is the same hold.
    """
    by.require(WRITE)
    customer = await store.get_customer(services.tables, new.customer_id)
    await _check(services, customer, new)
    return await keep_hold(services, by, _hold(new, by, hold_id or new_id()))


async def lift_hold(services: Services, by: Principal, customer_id: str, hold_id: str) -> Hold:
    """The hold is over before its time; who lifted it and when is kept. Lifting it twice changes nothing."""
    by.require(WRITE)
    rules, now = await rules_of(services), services.clock.now()
    lifted, notice = await store.lift_hold(
        services.tables,
        customer_id,
        hold_id,
        by=by.user_id,
        rules=rules,
        now=now,
        tell=lambda hold: notice_of(now, _deed(by, "hold.lifted", hold)),
    )
    await tell(services, notice)
    return lifted


async def keep_hold(services: Services, by: Principal, hold: Hold, *besides: Deed) -> Hold:
    """Store a hold that was checked, with what else there is to tell of it, and stop what has not left yet."""
    rules, now = await rules_of(services), services.clock.now()
    notice = Notice(f"hold-{hold.customer_id}-{hold.id}", now, (_deed(by, "hold.placed", hold), *besides))
    placed = await store.add_hold(services.tables, hold, rules=rules, now=now, notice=notice)
    await reconsider(services, hold.customer_id)
    await tell(services, notice)
    return placed


def _deed(by: Principal, action: str, hold: Hold) -> Deed:
    detail: dict[str, DetailValue] = {"customer": hold.customer_id, "held_for": hold.kind}
    return Deed(by.actor, action, Subject("reminders.hold", hold.id), "", detail)


def _hold(new: NewHold, by: Principal, hold_id: str) -> Hold:
    kind: HoldKind = new.kind
    return Hold(
        customer_id=new.customer_id,
        id=hold_id,
        kind=kind,
        invoice=new.invoice,
        until=new.until,
        note=new.note.strip(),
        by=by.user_id,
    )


async def _check(services: Services, customer: Customer, new: NewHold) -> None:
    if customer.erased_at is not None:
        raise Conflict("The customer's data was erased; nobody reminds them any more.")
    today = services.clock.now().astimezone((await rules_of(services)).zone(customer.time_zone)).date()
    wrong = {}
    if len(new.note) > LONGEST_NOTE:
        wrong["note"] = f"A note has at most {LONGEST_NOTE:,} characters."
    if new.kind == "promise" and new.until is None:
        wrong["until"] = "Say by which day they promised to pay."
    if new.kind == "never" and new.until is not None:
        wrong["until"] = "Never has no end; leave the day out, or choose a pause."
    if new.until is not None and not today <= new.until <= today + LONGEST_HOLD:
        wrong["until"] = "Choose today or a day to come, within ten years."
    if wrong:
        raise FieldErrors(wrong)
    if new.invoice is not None:
        await store.get_invoice(services.tables, new.customer_id, new.invoice)
