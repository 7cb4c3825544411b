"""Sending an approved reminder exactly once, and following its mail until the outcome is known.

1. `start_sending` moves the draft to `sending` in the transaction that checks debt, approval and ladder again.
2. `follow_delivery` queues the mail under a key that belongs to this draft alone, and tries to deliver it.
3. `copy_outcome` copies the mail's own record, which is the truth about what left, back into the table.

Every step can be repeated after a crash at any point.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from almanac.accounts.model import AUTOMATION, Principal
from almanac.approvals.rules import MAX_NOTE_LENGTH
from almanac.audit.model import AuditAction, AuditSubject
from almanac.desks.reminders import store
from almanac.desks.reminders.events import (
    DELIVERY_NEWS,
    REMINDER_CANCELLED,
    REMINDER_FAILED,
    REMINDER_KEPT,
    REMINDER_SENT,
    REMINDER_UNKNOWN,
    publish_events,
)
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.draft import ReminderDraft, split_draft_id
from almanac.desks.reminders.model.eligibility import Case, NotEligible, check_eligibility
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.outbox import OutboxEntry, describe_draft_action, make_outbox_entry
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.pipeline.context import DecisionContext, load_decision_context, load_rules, update_draft
from almanac.desks.reminders.urls import opt_out_url
from almanac.errors import AlmanacError, Conflict, Retryable
from almanac.kit.messages import gettext
from almanac.kit.text import shorten
from almanac.mail.message import Address, Message
from almanac.mail.model import MessageDetail
from almanac.services import Services

MAIL_TOPIC = "reminders"
_IN_DELIVERY: tuple[DraftState, ...] = ("sending", "unknown")
_MAY_BE_DUE: tuple[DraftState, ...] = (*_IN_DELIVERY, "approved", "snoozed")
_KEY_PARTS = 4
_KEPT = gettext("Mail isn't set up, so it reached nobody.")
_WAITING_FOR_RETRY = gettext("The mail waits for its next attempt.")
_START_EVENTS: Mapping[DraftState, str] = {"sending": "reminder.dispatched", "cancelled": REMINDER_CANCELLED}
_OUTCOME_EVENTS: Mapping[DraftState, str] = {
    "failed": REMINDER_FAILED,
    "unknown": REMINDER_UNKNOWN,
    "cancelled": REMINDER_CANCELLED,
}


@dataclass(frozen=True, slots=True)
class ReminderStatus:
    """The state of a reminder and the reason if there is one.

    `gone` if the draft no longer exists, `kept` if its mail counts as sent and never left this machine.
    """

    draft_id: str
    state: DraftState | Literal["gone", "kept"]
    reason: str = ""


def describe_status(draft: ReminderDraft) -> ReminderStatus:
    """The status of a draft; its reason is why it is in its state, or what outdated it."""
    return ReminderStatus(draft.id, draft.state, draft.reason or draft.outdated)


async def list_due_drafts(services: Services) -> list[ReminderDraft]:
    """Drafts for which something is due now: to be sent, followed up, or woken from a snooze."""
    now = services.clock.now()
    drafts = [
        draft
        for state in _MAY_BE_DUE
        for draft in [item async for item in store.iterate_drafts(services.tables, state)]
    ]
    return [draft for draft in drafts if is_due(draft, now)]


def is_due(draft: ReminderDraft, now: datetime) -> bool:
    """Whether a draft is in delivery, or the moment to send or wake it has come."""
    moment = draft.snoozed_until if draft.state == "snoozed" else draft.send_at
    return draft.state in _IN_DELIVERY or (moment is not None and moment <= now)


async def advance_draft(services: Services, draft: ReminderDraft) -> ReminderStatus | None:
    """Do what is due for one draft. An error about this draft becomes its status, so that others go on."""
    try:
        if draft.state == "snoozed":
            await wake_snoozed_draft(services, draft.id)
            return None
        return await dispatch_draft(services, AUTOMATION, draft.id)
    except Retryable:
        raise
    except AlmanacError as error:
        return ReminderStatus(draft.id, draft.state, str(error.sentence))


async def wake_snoozed_draft(services: Services, draft_id: str) -> ReminderDraft:
    """Put a draft back into the queue when its snooze is over; one that was snoozed again stays snoozed."""
    context = await load_decision_context(services)

    def change(draft: ReminderDraft, _: Case) -> ReminderDraft:
        over = draft.state == "snoozed" and draft.snoozed_until is not None and draft.snoozed_until <= context.now
        return transitions.reopen(draft) if over else draft

    return await store.change_draft(services.tables, draft_id, change, rules=context.rules, now=context.now)


async def dispatch_draft(services: Services, by: Principal, draft_id: str) -> ReminderStatus:
    """Send an approved draft and return its status. One that is already being sent is followed up."""
    draft = await store.find_draft(services.tables, draft_id)
    if draft is None:
        return ReminderStatus(draft_id, "gone", gettext("It was sent, or it expired."))
    if draft.state in _IN_DELIVERY:
        return await follow_delivery(services, draft_id)
    started = await start_sending(services, by, draft)
    if started.state not in _IN_DELIVERY:
        return describe_status(started)
    return await follow_delivery(services, draft_id, just_decided=True)


async def start_sending(services: Services, by: Principal, draft: ReminderDraft) -> ReminderDraft:
    """Move the draft to `sending`, or to another state if it must not be sent any more."""
    build_message(draft)
    template = draft.wording.template_id
    newest = await store.find_active_template(services.tables, template) if template else None

    def change(draft: ReminderDraft, case: Case, at: DecisionContext) -> ReminderDraft:
        if draft.state in _IN_DELIVERY:
            return draft
        version = newest.version if newest else None
        return transitions.begin_sending(draft, case, at.rules, at.now, newest_template=version)

    return await update_draft(services, by, draft.id, change, lambda _, after: _START_EVENTS.get(after.state))


def build_message(draft: ReminderDraft, *, opt_out: str | None = None) -> Message:
    """The draft's one mail, always the same for the same draft. Conflict if it has no recipient.

    `opt_out` is the URL on which its readers opt out; it goes into the headers.
    """
    if not draft.wording.recipients:
        raise Conflict(gettext("This draft has no mail address; draft the reminder again."), state=draft.state)
    first, *others = draft.wording.recipients
    return Message(
        to=(Address(first, draft.customer_name),),
        cc=tuple(Address(email) for email in others),
        subject=draft.wording.subject,
        text=draft.wording.text,
        html=draft.wording.html,
        topic=MAIL_TOPIC,
        final=True,
        opt_out=opt_out,
    )


async def follow_delivery(services: Services, draft_id: str, *, just_decided: bool = False) -> ReminderStatus:
    """Queue the mail of a reminder that is being sent, try to deliver it, and copy the outcome.

    Unless sending was decided this moment, the debt is checked again before another attempt.
    """
    draft = await store.find_draft(services.tables, draft_id)
    if draft is None:
        return ReminderStatus(draft_id, "sent")
    if draft.state not in _IN_DELIVERY or draft.mail_key is None:
        return describe_status(draft)
    obstacle = "" if just_decided or draft.state == "unknown" else await _find_obstacle(services, draft)
    mail_id = await _queue_mail(services, draft, draft.mail_key, obstacle)
    if not obstacle:
        await services.mailer.deliver(mail_id)
    return await copy_outcome(services, draft, mail_id)


async def withdraw_blocked_mails(services: Services, customer_id: str) -> None:
    """After a ledger change: cancel the mail of a reminder that is being sent but no longer may be.

    A mail that a sender already holds can't be cancelled; its outcome is copied later.
    """
    for ladder in await store.list_ladders(services.tables, customer_id):
        if ladder.open is None or ladder.open.state != "sending":
            continue
        draft = await store.find_draft(services.tables, ladder.open.draft_id)
        if draft is not None and draft.mail_key is not None and (obstacle := await _find_obstacle(services, draft)):
            await copy_outcome(services, draft, await _queue_mail(services, draft, draft.mail_key, obstacle))


async def _find_obstacle(services: Services, draft: ReminderDraft) -> str:
    """Why a mail that has not left must not leave any more; empty if it may."""
    rules, now = await load_rules(services), services.clock.now()
    case = await store.read_case(services.tables, draft.customer_id, draft.currency or "")
    decision = check_eligibility(case, rules, now, besides=draft.id)
    if isinstance(decision, NotEligible) and decision.rule not in ("gap", "day"):
        return decision.why
    return transitions.find_outdated_reason(draft, case, rules, now)


async def _queue_mail(services: Services, draft: ReminderDraft, key: str, obstacle: str) -> str:
    """Queue the draft's mail unless it is queued already. With an obstacle it is cancelled at once if it can be."""
    message = build_message(draft, opt_out=opt_out_url(services, draft.customer_id))
    async with services.database.unit() as unit:
        queued = await services.mailer.queue(message, key=key, unit=unit)
        if obstacle:
            with suppress(Conflict):
                await services.mailer.cancel(queued.id, by="almanac", why=obstacle, unit=unit)
    return queued.id


async def copy_outcome(services: Services, draft: ReminderDraft, mail_id: str) -> ReminderStatus:
    """Bring the table to what the mail's record says; repeating it changes nothing."""
    mail = await services.mailbox.get(mail_id)
    status = mail.line.status
    if status == "sent":
        is_kept = mail.line.outcome == "kept"
        deed = describe_draft_action(AUTOMATION.actor, REMINDER_KEPT if is_kept else REMINDER_SENT, draft)
        entry = make_outbox_entry(services.clock.now(), deed)
        if await store.record_sent(services.tables, draft.id, _sent_mail(mail), entry) is not None:
            await publish_events(services, entry)
        return ReminderStatus(draft.id, "kept", _KEPT) if is_kept else ReminderStatus(draft.id, "sent")
    if status == "queued" and draft.state == "sending":
        return ReminderStatus(draft.id, "sending", mail.line.reason or _WAITING_FOR_RETRY)
    return describe_status(await _sync_draft_state(services, draft, mail))


def _sent_mail(mail: MessageDetail) -> store.SentMail:
    return store.SentMail(
        mail_id=mail.line.id,
        message_id=mail.provider_id or mail.message_id,
        at=mail.line.finished_at or mail.line.queued_at,
        raw=mail.raw or b"",
        delivery={recipient.email: recipient.state for recipient in mail.recipients},
    )


async def _sync_draft_state(services: Services, draft: ReminderDraft, mail: MessageDetail) -> ReminderDraft:
    state = _draft_state_for(mail)

    def change(draft: ReminderDraft, _case: object, _at: object) -> ReminderDraft:
        moved = draft.state in _IN_DELIVERY and draft.state != state
        # A mail server may say more than a draft keeps; all of it is with the mail.
        reason = shorten(mail.line.reason or "", MAX_NOTE_LENGTH)
        return replace(draft, state=state, reason=reason, mail_id=mail.line.id) if moved else draft

    return await update_draft(services, AUTOMATION, draft.id, change, lambda _, __: _OUTCOME_EVENTS.get(state))


def _draft_state_for(mail: MessageDetail) -> DraftState:
    """What the mail's status means for the draft."""
    if mail.line.status == "failed":
        return "cancelled" if mail.line.failure == "cancelled" else "failed"
    return "unknown" if mail.line.status == "unknown" else "sending"


async def update_from_mail(services: Services, mail_id: str) -> None:
    """After news about a mail: settle its draft, or store the news with the sent reminder. Other mail is ignored."""
    mail = await services.mailbox.get(mail_id)
    draft_id = draft_id_of_mail(mail)
    if draft_id is None:
        return
    draft = await store.find_draft(services.tables, draft_id)
    if draft is not None:
        if mail.line.status == "sent" or draft.state in _IN_DELIVERY:
            await copy_outcome(services, draft, mail_id)
        return
    sent = await _find_sent_reminder(services, split_draft_id(draft_id)[1], mail.line.id)
    if sent is not None:
        await _record_delivery(services, sent, {recipient.email: recipient.state for recipient in mail.recipients})


def draft_id_of_mail(mail: MessageDetail) -> str | None:
    """The id of the draft that a mail was made from; None for mail that isn't a reminder."""
    prefix, *parts = mail.idempotency_key.split(":", _KEY_PARTS)
    return parts[-1] if prefix == "reminder" and len(parts) == _KEY_PARTS else None


async def _find_sent_reminder(services: Services, customer_id: str, mail_id: str) -> SentReminder | None:
    cursor: str | None = None
    while True:
        page = await store.list_sent_to_customer(services.tables, customer_id, cursor=cursor)
        sent = next((sent for sent in page.items if sent.mail_id == mail_id), None)
        if sent is not None or (cursor := page.next_cursor) is None:
            return sent


async def _record_delivery(services: Services, sent: SentReminder, news: Mapping[str, str]) -> None:
    if all(sent.delivery.get(email) == state for email, state in news.items()):
        return
    subject, entries = AuditSubject("reminders.sent", sent.id), list[OutboxEntry]()

    def make_entry(status: str | None) -> OutboxEntry:
        detail = {"customer": sent.customer_id, "level": sent.level, "status": status}
        entries[:] = [
            make_outbox_entry(services.clock.now(), AuditAction(AUTOMATION.actor, DELIVERY_NEWS, subject, "", detail))
        ]
        return entries[0]

    await store.record_delivery(services.tables, sent.id, news, make_entry)
    await publish_events(services, entries[0])
