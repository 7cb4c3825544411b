"""What people decide about a draft: approve, reject, snooze, edit, cancel, and take back while it is unsent.

Who decides is the principal that is signed in, never a parameter. Each decision is in the audit log.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import tell
from almanac.desks.reminders.model import moves
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.draft import Draft, Facts, Wording
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.notice import Notice, Telling, ToldOf
from almanac.desks.reminders.model.rules import LadderRules
from almanac.services import Services

READ, WRITE, APPROVE, SEND = (f"desk.reminders.{verb}" for verb in ("read", "write", "approve", "send"))


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and by which rules is decided. Of many decisions on one occasion, `untold` is told when all are made."""

    rules: LadderRules
    now: datetime
    untold: list[Notice] = field(default_factory=list)


Change = Callable[[Draft, Case, Occasion], Draft]


async def rules_of(services: Services) -> LadderRules:
    """The ladder's rules in force, in the installation's time zone."""
    return await store.get_rules(services.tables, time_zone=services.settings.time_zone)


async def present_occasion(services: Services) -> Occasion:
    """To decide now."""
    return Occasion(await rules_of(services), services.clock.now())


async def change_and_tell(
    services: Services,
    by: Principal,
    draft: str,
    change: Change,
    told: ToldOf,
    why: str = "",
    *,
    expected: int | None = None,
    occasion: Occasion | None = None,
) -> Draft:
    """Change a draft and tell of it at once, or on an occasion of many leave that to its end."""
    at = occasion or await present_occasion(services)
    telling = Telling(by, told, at.now, why)
    changed = await store.change_draft(
        services.tables,
        draft,
        lambda known, case: change(known, case, at),
        rules=at.rules,
        now=at.now,
        expected=expected,
        tell=telling,
    )
    if occasion is None:
        await tell(services, telling.kept)
    elif telling.kept is not None:
        occasion.untold.append(telling.kept)
    return changed


async def approve(
    services: Services,
    by: Principal,
    draft: str,
    *,
    seen: str,
    note: str = "",
    send_after: timedelta | None = None,
    occasion: Occasion | None = None,
) -> Draft:
    """Approve exactly what was seen. With `send_after`, which needs the right to send, it goes out by itself then.

    Until it goes it can be reopened. A second click changes nothing.
    """
    by.require(APPROVE)
    if send_after is not None:
        by.require(SEND)
    own = services.settings.approve_own_work

    def change(known: Draft, case: Case, at: Occasion) -> Draft:
        due = None if send_after is None else at.now + send_after
        return moves.approve(known, case, at.rules, seen, by, at.now, own_work=own, note=note, send_at=due)

    return await change_and_tell(services, by, draft, change, _first_approval, note, occasion=occasion)


def _first_approval(before: Draft | None, _: Draft) -> str | None:
    return "reminder.approved" if before is not None and before.state != "approved" else None


async def reject(
    services: Services,
    by: Principal,
    draft: str,
    *,
    seen: str,
    note: str,
    only_waiting: bool = False,
    occasion: Occasion | None = None,
) -> Draft:
    """Reject with a note for its author; its level is free again. An approval is overruled unless `only_waiting`."""
    by.require(APPROVE)

    def change(known: Draft, _: Case, at: Occasion) -> Draft:
        if only_waiting:
            moves.require_waiting(known, seen)
        return moves.reject(known, seen, by, at.now, note=note)

    return await change_and_tell(services, by, draft, change, "reminder.rejected", note, occasion=occasion)


async def snooze(
    services: Services,
    by: Principal,
    draft: str,
    *,
    until: datetime,
    seen: str | None = None,
    occasion: Occasion | None = None,
) -> Draft:
    """Out of the queue until a moment. With `seen`, only a draft that says exactly that and still waits."""
    by.require(APPROVE)

    def change(known: Draft, _: Case, at: Occasion) -> Draft:
        if seen is not None:
            moves.require_waiting(known, seen)
        return moves.snooze(known, until, at.now)

    return await change_and_tell(services, by, draft, change, "reminder.snoozed", occasion=occasion)


async def reopen(
    services: Services,
    by: Principal,
    draft: str,
    *,
    only_from: DraftState | None = None,
    occasion: Occasion | None = None,
) -> Draft:
    """Undo an approval, a rejection or a snooze, as long as nothing is being sent; one of them only, if said."""
    by.require(APPROVE)

    def change(known: Draft, _: Case, _at: Occasion) -> Draft:
        return moves.reopen(known, only_from)

    return await change_and_tell(services, by, draft, change, "reminder.reopened", occasion=occasion)


async def wake(services: Services, draft: str) -> Draft:
    """Back into the queue when a snooze is over; one that was snoozed anew sleeps on."""
    at = await present_occasion(services)

    def change(known: Draft, _: Case) -> Draft:
        over = known.state == "snoozed" and known.snoozed_until is not None and known.snoozed_until <= at.now
        return moves.reopen(known) if over else known

    return await store.change_draft(services.tables, draft, change, rules=at.rules, now=at.now)


async def rewrite(
    services: Services,
    by: Principal,
    draft: str,
    wording: Wording,
    *,
    facts: Facts | None = None,
    expected: int | None = None,
) -> Draft:
    """Edit the words, or with facts write it anew on the present debt. Either way an approval is void."""
    by.require(WRITE)

    def change(known: Draft, case: Case, _: Occasion) -> Draft:
        return moves.rewrite(known, case, wording, by, facts)

    return await change_and_tell(services, by, draft, change, "reminder.edited", expected=expected)


async def cancel(services: Services, by: Principal, draft: str, *, why: str) -> Draft:
    """Not to be sent at all; its level is free again."""
    by.require(WRITE)
    return await change_and_tell(
        services, by, draft, lambda known, _case, _at: moves.cancel(known, why), "reminder.cancelled", why
    )
