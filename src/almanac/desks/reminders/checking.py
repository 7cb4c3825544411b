"""The invariant checker: walks every ladder and draft of the table and compares them with the mail's own record."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.invariants import Finding, findings
from almanac.desks.reminders.model.ladder import OPEN_STATES, Ladder
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.sending.deciding import rules_of
from almanac.desks.reminders.store.reading import drafts_of, each_draft, get_ladder
from almanac.errors import NotFound
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class Checked:
    """How much was looked at, and what is wrong."""

    ladders: int
    drafts: int
    sent: int
    findings: tuple[Finding, ...]


async def check_reminders(services: Services) -> Checked:
    """Look at every ladder with its drafts and sent mails, and at every open draft for a ladder."""
    rules, now = await rules_of(services), services.clock.now()
    ladders = drafts = mails = 0
    wrong: list[Finding] = []
    async for item in services.tables.each(table.Ladder.everybody()):
        # The index may lag behind; what is compared is read from the table itself.
        ladder = await get_ladder(services.tables, item.customer_id, item.currency)
        own, sent = await drafts_of(services.tables, item.customer_id), await _sent(services, item.customer_id)
        wrong += findings(ladder, own, sent, rules, now)
        wrong += [finding async for finding in _mail_disagrees(services, ladder, own, sent)]
        ladders += 1
        drafts += sum(draft.currency == ladder.currency for draft in own)
        mails += sum(mail.currency == ladder.currency for mail in sent)
    wrong += [finding async for finding in _without_ladder(services)]
    return Checked(ladders, drafts, mails, tuple(wrong))


async def _sent(services: Services, customer_id: str) -> list[SentReminder]:
    query = table.SentEmail.history(customer_id=customer_id)
    return [stored.sent_from(item) async for item in services.tables.each(query)]


async def _without_ladder(services: Services) -> AsyncIterator[Finding]:
    for state in sorted(OPEN_STATES):
        async for draft in each_draft(services.tables, state):
            if draft.currency is None:
                continue
            ladder = await get_ladder(services.tables, draft.customer_id, draft.currency)
            if ladder.version == 0:
                yield Finding(draft.customer_id, draft.currency, f"Draft {draft.id} is {state} without a ladder.")


async def _mail_disagrees(
    services: Services, ladder: Ladder, drafts: list[Draft], sent: list[SentReminder]
) -> AsyncIterator[Finding]:
    """A record of sending needs a mail that left; a failed draft must not have one."""
    for mail in sent:
        status = await _status(services, mail.mail_id) if mail.currency == ladder.currency else "sent"
        if status != "sent":
            sentence = f"{mail.id} is recorded as sent, while its mail is {status}."
            yield Finding(ladder.customer_id, ladder.currency, sentence)
    for draft in drafts:
        if draft.currency == ladder.currency and draft.state in ("failed", "cancelled"):
            status = await _status(services, draft.mail_id) if draft.mail_id else "failed"
            if status != "failed":
                sentence = f"Draft {draft.id} is {draft.state}, while its mail is {status}."
                yield Finding(ladder.customer_id, ladder.currency, sentence)


async def _status(services: Services, mail_id: str | None) -> str:
    """How a mail stands; one that is not known any more counts as what the table says."""
    try:
        return (await services.mailbox.get(mail_id)).line.status if mail_id else "sent"
    except NotFound:
        return "sent"
