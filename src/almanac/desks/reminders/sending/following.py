"""Following a reminder that is being sent: queue its mail, and copy what became of it back into the table.

The mail's own record is the truth about what left. Copying it is repeated until the table agrees, and repeating it
changes nothing.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from almanac.accounts.model import AUTOMATION, Principal
from almanac.approvals.rules import NOTE_CHARACTERS
from almanac.audit.model import Deed, Subject
from almanac.desks.reminders import store
from almanac.desks.reminders.events import CANCELLED, DELIVERY, FAILED, SENT, UNKNOWN, announce_draft, tell
from almanac.desks.reminders.model import moves
from almanac.desks.reminders.model.deciding import NotYet, decide
from almanac.desks.reminders.model.draft import Draft, split_draft_id
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.notice import Notice, deed_on_draft, notice_of
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.sending.deciding import SEND, change_and_tell, rules_of
from almanac.desks.reminders.sending.opting_out import opt_out_url
from almanac.desks.reminders.store.reading import read_case
from almanac.errors import Conflict
from almanac.kit.text import shorten
from almanac.mail.address import Address
from almanac.mail.message import Message
from almanac.mail.model import MessageDetail, Settlement
from almanac.services import Services

TOPIC = "reminders"
_KEY_PARTS = 4
_WAITS = "The mail waits for its next attempt."
_TOLD: Mapping[DraftState, str] = {"failed": FAILED, "unknown": UNKNOWN, "cancelled": CANCELLED}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a reminder stands: its state, `gone` where there is no such draft, and the reason where there is one."""

    draft: str
    state: DraftState | Literal["gone"]
    reason: str = ""


def standing_of(draft: Draft) -> Standing:
    return Standing(draft.id, draft.state, draft.reason or draft.outdated)


def message_of(draft: Draft, *, opt_out: str | None = None) -> Message:
    """The draft's one mail: the same for the same draft, whenever and by whomever it is made.

    The page on which its readers opt out goes into its headers.
    """
    if not draft.wording.recipients:
        raise Conflict("This draft names no address; draft the reminder again.", state=draft.state)
    first, *others = draft.wording.recipients
    return Message(
        to=(Address(first, draft.customer_name),),
        cc=tuple(Address(email) for email in others),
        subject=draft.wording.subject,
        text=draft.wording.text,
        html=draft.wording.html,
        topic=TOPIC,
        final=True,
        opt_out=opt_out,
    )


async def follow(services: Services, draft: str, *, just_decided: bool = False) -> Standing:
    """Take a reminder that is being sent as far as it goes now: queue it, try to deliver it, copy the outcome.

    Unless it was decided this very moment, the debt is looked at before another attempt.
    """
    known = await store.find_draft(services.tables, draft)
    if known is None:
        return Standing(draft, "sent")
    if known.state not in ("sending", "unknown") or known.mail_key is None:
        return standing_of(known)
    obstacle = "" if just_decided or known.state == "unknown" else await _obstacle(services, known)
    mail_id = await _queue(services, known, known.mail_key, obstacle)
    if not obstacle:
        await services.mailer.deliver(mail_id)
    return await _copy(services, known, mail_id)


async def reconsider(services: Services, customer_id: str) -> None:
    """After a change of the ledger: take back the mail of a reminder that is being sent and may not leave any more.

    A mail that a sender holds already can't be taken back; what became of it is copied in due course.
    """
    for ladder in await store.ladders_of(services.tables, customer_id):
        if ladder.open is None or ladder.open.state != "sending":
            continue
        draft = await store.find_draft(services.tables, ladder.open.draft_id)
        if draft is not None and draft.mail_key is not None and (obstacle := await _obstacle(services, draft)):
            await _copy(services, draft, await _queue(services, draft, draft.mail_key, obstacle))


async def _queue(services: Services, draft: Draft, key: str, obstacle: str) -> str:
    """The draft's mail, queued if it was not yet. With an obstacle it is taken back at once if it still waits."""
    message = message_of(draft, opt_out=opt_out_url(services, draft.customer_id))
    async with services.database.unit() as unit:
        queued = await services.mailer.queue(message, key=key, unit=unit)
        if obstacle:
            with suppress(Conflict):
                await services.mailer.cancel(queued.id, by="almanac", why=obstacle, unit=unit)
    return queued.id


async def _copy(services: Services, draft: Draft, mail_id: str) -> Standing:
    mail = await services.mailbox.get(mail_id)
    status = mail.line.status
    if status == "sent":
        notice = notice_of(services.clock.now(), deed_on_draft(AUTOMATION.actor, SENT, draft))
        if await store.record_sent(services.tables, draft.id, _sent_mail(mail), notice) is not None:
            await tell(services, notice)
        return Standing(draft.id, "sent")
    if status == "queued" and draft.state == "sending":
        return Standing(draft.id, "sending", mail.line.reason or _WAITS)
    return standing_of(await _move(services, draft, mail))


def _sent_mail(mail: MessageDetail) -> store.SentMail:
    return store.SentMail(
        mail_id=mail.line.id,
        message_id=mail.provider_id or mail.message_id,
        at=mail.line.finished_at or mail.line.queued_at,
        raw=mail.raw or b"",
        delivery={recipient.email: recipient.state for recipient in mail.recipients},
    )


def _state_for(mail: MessageDetail) -> DraftState:
    """What the mail's status means for the draft."""
    if mail.line.status == "failed":
        return "cancelled" if mail.line.failure == "cancelled" else "failed"
    return "unknown" if mail.line.status == "unknown" else "sending"


async def _move(services: Services, draft: Draft, mail: MessageDetail) -> Draft:
    """Bring the draft to the state of its mail."""
    state = _state_for(mail)

    def change(known: Draft, _case: object, _at: object) -> Draft:
        moved = known.state in ("sending", "unknown") and known.state != state
        # A mail server may say more than a draft keeps; all of it is with the mail.
        reason = shorten(mail.line.reason or "", NOTE_CHARACTERS)
        return replace(known, state=state, reason=reason, mail_id=mail.line.id) if moved else known

    return await change_and_tell(services, AUTOMATION, draft.id, change, _TOLD.get(state) or _nothing)


def _nothing(_: Draft | None, __: Draft) -> None:
    """A draft that is still on its way is nothing to tell of."""


async def _obstacle(services: Services, draft: Draft) -> str:
    """Why a mail that has not left must not leave any more, or nothing."""
    rules, now = await rules_of(services), services.clock.now()
    case = await read_case(services.tables, draft.customer_id, draft.currency or "")
    decision = decide(case, rules, now, besides=draft.id)
    if isinstance(decision, NotYet) and decision.rule not in ("gap", "day"):
        return decision.why
    return moves.outdated_by(draft, case, rules, now)


async def follow_mail(services: Services, mail_id: str) -> None:
    """After news about a mail: settle the draft that it is of, or note the news on the record of its sending."""
    mail = await services.mailbox.get(mail_id)
    draft_id = draft_of_mail(mail)
    if draft_id is None:
        return
    draft = await store.find_draft(services.tables, draft_id)
    if draft is not None:
        if mail.line.status == "sent" or draft.state in ("sending", "unknown"):
            await _copy(services, draft, mail_id)
        return
    await _note_news(services, split_draft_id(draft_id)[1], mail)


def draft_of_mail(mail: MessageDetail) -> str | None:
    """The id of the draft that a mail was made from; None for mail that is no reminder."""
    prefix, *rest = mail.idempotency_key.split(":", _KEY_PARTS)
    return rest[-1] if prefix == "reminder" and len(rest) == _KEY_PARTS else None


async def _note_news(services: Services, customer: str, mail: MessageDetail) -> None:
    cursor: str | None = None
    while True:
        page = await store.list_history(services.tables, customer, cursor=cursor)
        found = next((sent for sent in page.items if sent.mail_id == mail.line.id), None)
        if found is not None:
            await _note_delivery(services, found, {one.email: one.state for one in mail.recipients})
            return
        if (cursor := page.next_cursor) is None:
            return


async def _note_delivery(services: Services, sent: SentReminder, news: Mapping[str, str]) -> None:
    if all(sent.delivery.get(email) == state for email, state in news.items()):
        return
    about, notices = Subject("reminders.sent", sent.id), list[Notice]()

    def noticed(status: str | None) -> Notice:
        detail = {"customer": sent.customer_id, "level": sent.level, "status": status}
        notices[:] = [notice_of(services.clock.now(), Deed(AUTOMATION.actor, DELIVERY, about, "", detail))]
        return notices[0]

    await store.note_delivery(services.tables, sent.id, news, noticed)
    await tell(services, notices[0])


async def settle(services: Services, by: Principal, draft: str, outcome: Settlement, *, why: str) -> Standing:
    """A person says what became of a reminder in doubt, and how they know."""
    by.require(SEND)
    known = await store.get_draft(services.tables, draft)
    if known.state != "unknown" or known.mail_id is None:
        raise Conflict(f"Only a reminder in doubt can be settled; this one is {known.state}.", state=known.state)
    await services.mailer.settle(known.mail_id, outcome, by=by.user_id, why=why)
    await announce_draft(services, by, f"reminder.settled_as_{outcome}", known, why)
    return await _copy(services, known, known.mail_id)
