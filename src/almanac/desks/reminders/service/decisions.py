"""What people decide about one draft: approve, reject, snooze, reopen, cancel, send, settle.

The person who decides is the signed-in principal, never a parameter. Every decision is in the audit log.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import record_draft_event
from almanac.desks.reminders.jobs import SEND_REMINDER
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.labels import state_words
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.permissions import APPROVE, SEND, WRITE
from almanac.desks.reminders.pipeline.context import DecisionContext, update_draft
from almanac.desks.reminders.pipeline.dispatch import ReminderStatus, copy_outcome, dispatch_draft
from almanac.errors import Conflict
from almanac.kit.messages import gettext
from almanac.mail.model import MailSettlement
from almanac.services import Services

UNDO_WINDOW = timedelta(seconds=30)


def get_undo_window(by: Principal) -> timedelta | None:
    """How long after this person's approval the reminder goes out; None if somebody else must send it."""
    return UNDO_WINDOW if by.may(SEND) else None


async def approve_draft(
    services: Services, by: Principal, draft_id: str, *, seen: str, note: str = "", send_after: timedelta | None = None
) -> ReminderDraft:
    """Approve exactly the content whose hash is `seen`. With `send_after` a job sends it then.

    Until it is sent it can be reopened. Approving twice changes nothing.
    """
    approved = await record_approval(services, by, draft_id, seen=seen, note=note, send_after=send_after)
    if send_after is not None:
        await queue_sending(services, [draft_id], send_after)
    return approved


async def record_approval(
    services: Services,
    by: Principal,
    draft_id: str,
    *,
    seen: str,
    note: str = "",
    send_after: timedelta | None = None,
    context: DecisionContext | None = None,
) -> ReminderDraft:
    """Store an approval without queueing a job; `send_after` needs the permission to send."""
    by.require(APPROVE)
    if send_after is not None:
        by.require(SEND)
    own_work = services.settings.approve_own_work

    def change(draft: ReminderDraft, case: Case, at: DecisionContext) -> ReminderDraft:
        due = None if send_after is None else at.now + send_after
        return transitions.approve(draft, case, at.rules, seen, by, at.now, own_work=own_work, note=note, send_at=due)

    return await update_draft(services, by, draft_id, change, _first_approval, note, context=context)


def _first_approval(before: ReminderDraft | None, _: ReminderDraft) -> str | None:
    return "reminder.approved" if before is not None and before.state != "approved" else None


async def queue_sending(services: Services, draft_ids: Iterable[str], after: timedelta) -> None:
    """Queue a job for each approved draft. Without them the schedule would send what is due a minute later at most."""
    due = services.clock.now() + after if after else None
    async with services.database.unit() as unit:
        for draft_id in draft_ids:
            await services.jobs.defer(
                SEND_REMINDER, {"draft_id": draft_id}, schedule_at=due, queueing_lock=f"send:{draft_id}", unit=unit
            )


async def reject_draft(
    services: Services,
    by: Principal,
    draft_id: str,
    *,
    seen: str,
    note: str,
    only_waiting: bool = False,
    context: DecisionContext | None = None,
) -> ReminderDraft:
    """Reject with a note for the author; the level is free again. An approval is overruled unless `only_waiting`."""
    by.require(APPROVE)

    def change(draft: ReminderDraft, _: Case, at: DecisionContext) -> ReminderDraft:
        if only_waiting:
            transitions.require_waiting(draft, seen)
        return transitions.reject(draft, seen, by, at.now, note=note)

    return await update_draft(services, by, draft_id, change, "reminder.rejected", note, context=context)


async def snooze_draft(
    services: Services,
    by: Principal,
    draft_id: str,
    *,
    until: datetime,
    seen: str | None = None,
    context: DecisionContext | None = None,
) -> ReminderDraft:
    """Remove a draft from the queue until a date. With `seen`, only if it still waits with that content."""
    by.require(APPROVE)

    def change(draft: ReminderDraft, _: Case, at: DecisionContext) -> ReminderDraft:
        if seen is not None:
            transitions.require_waiting(draft, seen)
        return transitions.snooze(draft, until, at.now)

    return await update_draft(services, by, draft_id, change, "reminder.snoozed", context=context)


async def reopen_draft(
    services: Services,
    by: Principal,
    draft_id: str,
    *,
    only_from: DraftState | None = None,
    context: DecisionContext | None = None,
) -> ReminderDraft:
    """Undo an approval, a rejection or a snooze while nothing is being sent; `only_from` limits it to one of them."""
    by.require(APPROVE)

    def change(draft: ReminderDraft, _: Case, _at: DecisionContext) -> ReminderDraft:
        return transitions.reopen(draft, only_from)

    return await update_draft(services, by, draft_id, change, "reminder.reopened", context=context)


async def cancel_draft(services: Services, by: Principal, draft_id: str, *, why: str) -> ReminderDraft:
    """Never send it; its level is free again."""
    by.require(WRITE)
    return await update_draft(
        services, by, draft_id, lambda draft, _case, _at: transitions.cancel(draft, why), "reminder.cancelled", why
    )


async def send_draft(services: Services, by: Principal, draft_id: str) -> ReminderStatus:
    """Send an approved draft now and return its status. A draft that is already being sent is followed up."""
    by.require(SEND)
    return await dispatch_draft(services, by, draft_id)


async def settle_draft(
    services: Services, by: Principal, draft_id: str, outcome: MailSettlement, *, why: str
) -> ReminderStatus:
    """Record whether a reminder in doubt was sent, and how the person knows."""
    by.require(SEND)
    draft = await store.get_draft(services.tables, draft_id)
    if draft.state != "unknown" or draft.mail_id is None:
        raise Conflict(
            gettext("Only a reminder in doubt can be resolved; this one is %(state)s.", state=state_words(draft.state)),
            state=draft.state,
        )
    await services.mailer.settle(draft.mail_id, outcome, by=by.user_id, why=why)
    action = "reminder.settled_as_sent" if outcome == "sent" else "reminder.settled_as_not_sent"
    await record_draft_event(services, by, action, draft, why)
    return await copy_outcome(services, draft, draft.mail_id)
