"""What people decide about a draft: approve, reject, snooze, edit, cancel, and take back while it is unsent.

Who decides is the principal that is signed in, never a parameter. Each decision is in the audit log.
"""

from datetime import datetime, timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.announcing import tell
from almanac.desks.reminders.model import moves
from almanac.desks.reminders.model.draft import Draft, Facts, Wording
from almanac.desks.reminders.model.notice import Telling
from almanac.desks.reminders.model.rules import LadderRules
from almanac.services import Services

READ, WRITE, APPROVE, SEND = (f"desk.reminders.{verb}" for verb in ("read", "write", "approve", "send"))


async def rules_of(services: Services) -> LadderRules:
    """The ladder's rules in force, in the installation's time zone."""
    return await store.get_rules(services.tables, time_zone=services.settings.time_zone)


async def approve(
    services: Services, by: Principal, draft: str, *, seen: str, note: str = "", send_after: timedelta | None = None
) -> Draft:
    """Approve exactly what was seen. With `send_after`, which needs the right to send, it goes out by itself then.

    Until it goes it can be reopened. A second click changes nothing.
    """
    by.require(APPROVE)
    if send_after is not None:
        by.require(SEND)
    rules, now = await rules_of(services), services.clock.now()
    due = None if send_after is None else now + send_after
    own, telling = services.settings.approve_own_work, Telling(by, _first_approval, now, note)
    changed = await store.change_draft(
        services.tables, draft,
        lambda known, case: moves.approve(known, case, rules, seen, by, now, own_work=own, note=note, send_at=due),
        rules=rules, now=now, tell=telling,
    )  # fmt: skip
    await tell(services, telling.kept)
    return changed


def _first_approval(before: Draft | None, _: Draft) -> str | None:
    return "reminder.approved" if before is not None and before.state != "approved" else None


async def reject(
    services: Services, by: Principal, draft: str, *, seen: str, note: str, only_waiting: bool = False
) -> Draft:
    """Reject with a note for its author; its level is free again. An approval is overruled unless `only_waiting`."""
    by.require(APPROVE)
    rules, now = await rules_of(services), services.clock.now()
    telling = Telling(by, "reminder.rejected", now, note)

    def change(known: Draft, _: object) -> Draft:
        if only_waiting:
            moves.require_waiting(known, seen)
        return moves.reject(known, seen, by, now, note=note)

    changed = await store.change_draft(services.tables, draft, change, rules=rules, now=now, tell=telling)
    await tell(services, telling.kept)
    return changed


async def snooze(services: Services, by: Principal, draft: str, *, until: datetime, seen: str | None = None) -> Draft:
    """Out of the queue until a moment. With `seen`, only a draft that says exactly that and still waits."""
    by.require(APPROVE)
    rules, now = await rules_of(services), services.clock.now()
    telling = Telling(by, "reminder.snoozed", now)

    def change(known: Draft, _: object) -> Draft:
        if seen is not None:
            moves.require_waiting(known, seen)
        return moves.snooze(known, until, now)

    changed = await store.change_draft(services.tables, draft, change, rules=rules, now=now, tell=telling)
    await tell(services, telling.kept)
    return changed


async def reopen(services: Services, by: Principal, draft: str) -> Draft:
    """Undo an approval, a rejection or a snooze, as long as nothing is being sent."""
    by.require(APPROVE)
    rules, now = await rules_of(services), services.clock.now()
    telling = Telling(by, "reminder.reopened", now)
    changed = await store.change_draft(
        services.tables, draft, lambda known, _: moves.reopen(known), rules=rules, now=now, tell=telling
    )
    await tell(services, telling.kept)
    return changed


async def wake(services: Services, draft: str) -> Draft:
    """Back into the queue when a snooze is over; one that was snoozed anew sleeps on."""
    rules, now = await rules_of(services), services.clock.now()

    def change(known: Draft, _: object) -> Draft:
        over = known.state == "snoozed" and known.snoozed_until is not None and known.snoozed_until <= now
        return moves.reopen(known) if over else known

    return await store.change_draft(services.tables, draft, change, rules=rules, now=now)


async def rewrite(
    services: Services, by: Principal, draft: str, wording: Wording, *, facts: Facts | None = None,
    expected: int | None = None,
) -> Draft:  # fmt: skip
    """Edit the words, or with facts write it anew on the present debt. Either way an approval is void."""
    by.require(WRITE)
    rules, now = await rules_of(services), services.clock.now()
    telling = Telling(by, "reminder.edited", now)
    changed = await store.change_draft(
        services.tables, draft, lambda known, case: moves.rewrite(known, case, wording, by, facts),
        rules=rules, now=now, expected=expected, tell=telling,
    )  # fmt: skip
    await tell(services, telling.kept)
    return changed


async def cancel(services: Services, by: Principal, draft: str, *, why: str) -> Draft:
    """Not to be sent at all; its level is free again."""
    by.require(WRITE)
    rules, now = await rules_of(services), services.clock.now()
    telling = Telling(by, "reminder.cancelled", now, why)
    changed = await store.change_draft(
        services.tables, draft, lambda known, _: moves.cancel(known, why), rules=rules, now=now, tell=telling
    )
    await tell(services, telling.kept)
    return changed
