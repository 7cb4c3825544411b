"""Tells one customer's story: what was billed, paid, promised and sent, and which draft waits for whom."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

from almanac.accounts.model import AUTOMATION
from almanac.demo import DemoRun
from almanac.desks.reminders import service, store
from almanac.desks.reminders.demo.customers import DemoCustomer
from almanac.desks.reminders.demo.mails import fail_sending, write_sent
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.ledger import Hold, HoldKind, Invoice, Payment
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.service.drafts import draft_reminder
from almanac.kit.money import Money
from almanac.mail.port import MailRefused, OutcomeUnknown

_NEWS = ("delivered", "delivered", "delivered", "bounced", "delayed", "complained")


@dataclass(frozen=True, slots=True)
class ReminderStory:
    """One story as it is told."""

    run: DemoRun
    role: DemoCustomer

    def ago(self, days: int) -> datetime:
        """A morning so many days before the demo's day."""
        return datetime.combine(self.run.day, time(8, 30), UTC) - timedelta(days=days)

    async def bill(self) -> None:
        """The customer and their invoices, some of them credited or disputed."""
        tables, rules = self.run.services.tables, await load_rules(self.run.services)
        await store.create_customer(tables, self.role.customer, now=self.ago(90))
        accounts: dict[str, list[Invoice]] = {}
        for invoice in self.role.invoices:
            accounts.setdefault(invoice.currency, []).append(self._adjusted(invoice))
        for invoices in accounts.values():
            await store.save_invoices(tables, invoices, rules=rules, now=self.ago(5))

    def _adjusted(self, invoice: Invoice) -> Invoice:
        first = invoice.number == self.role.invoices[0].number
        if self.role.story == "credited":
            return replace(invoice, credited=invoice.amount)
        if self.role.story == "disputed" and first:
            return replace(invoice, disputed=True, dispute_note="The goods arrived damaged.")
        return invoice

    async def pay(self, days: int, part: Decimal = Decimal(1)) -> None:
        """What is overdue, or a part of it, came in so many days ago."""
        services, moment = self.run.services, self.ago(days)
        rules = await load_rules(services)
        for currency in sorted({invoice.currency for invoice in self.role.invoices}):
            case = await store.read_case(services.tables, self.role.customer.id, currency)
            owed = {line.number: line.outstanding for line in case.debt(rules, moment).lines}
            towards = {number: Money(money.amount * part, currency).amount for number, money in owed.items()}
            if not towards:
                continue
            payment = Payment(
                customer_id=self.role.customer.id,
                id=f"bank-{self.role.customer.id}-{currency}",
                amount=Money(sum(towards.values(), Decimal()), currency),
                received_at=moment,
                towards=towards,
                recorded_by=self.run.owner.user_id,
            )
            await store.record_payment(services.tables, payment, rules=rules, now=moment)

    async def remind(self, level: str, days: int) -> None:
        """A reminder went out so many days ago."""
        customer = self.role.customer.id
        news = _NEWS[(int(customer[-3:]) + days) % len(_NEWS)]
        await write_sent(self.run.services, self.run.owner, customer, self.role.currency, level, self.ago(days), news)

    async def hold(self, kind: HoldKind, days: int, note: str) -> None:
        """No reminders for some days to come."""
        services, now = self.run.services, self.run.services.clock.now()
        hold = Hold(
            customer_id=self.role.customer.id,
            id=f"demo-{kind}",
            kind=kind,
            until=self.run.day + timedelta(days=days),
            note=note,
            by=self.run.owner.user_id,
            created_at=now.replace(microsecond=0),
        )
        await store.add_hold(services.tables, hold, rules=await load_rules(services), now=now)

    async def draft(self) -> ReminderDraft:
        """Written by the ladder itself, so that its owner may approve it whatever the settings say."""
        return await draft_reminder(self.run.services, AUTOMATION, self.role.customer.id, currency=self.role.currency)

    async def approve(self) -> ReminderDraft:
        draft = await self.draft()
        return await service.approve_draft(self.run.services, self.run.owner, draft.id, seen=draft.content_hash)


async def play_story(run: DemoRun, role: DemoCustomer) -> None:
    """The whole story, from its beginning."""
    telling = ReminderStory(run, role)
    await telling.bill()
    if role.story in _ENDINGS:
        await _ENDINGS[role.story](telling)


async def _recovered(telling: ReminderStory) -> None:
    await telling.remind("first", 30)
    await telling.pay(24)


async def _second_draft(telling: ReminderStory) -> None:
    await telling.remind("first", 12)
    await telling.draft()


async def _final_draft(telling: ReminderStory) -> None:
    await telling.remind("first", 24)
    await telling.remind("second", 9)
    await telling.draft()


async def _exhausted(telling: ReminderStory) -> None:
    for level, days in (("first", 40), ("second", 30), ("final", 20)):
        await telling.remind(level, days)


async def _draft(telling: ReminderStory) -> None:
    await telling.draft()


async def _approved(telling: ReminderStory) -> None:
    await telling.approve()


async def _snoozed(telling: ReminderStory) -> None:
    draft, services = await telling.draft(), telling.run.services
    await service.snooze_draft(services, telling.run.owner, draft.id, until=services.clock.now() + timedelta(days=4))


async def _rejected(telling: ReminderStory) -> None:
    draft = await telling.draft()
    note = "They called and pay next week; wait."
    await service.reject_draft(telling.run.services, telling.run.owner, draft.id, seen=draft.content_hash, note=note)


async def _cancelled(telling: ReminderStory) -> None:
    draft = await telling.draft()
    await service.cancel_draft(telling.run.services, telling.run.owner, draft.id, why="Settled on the telephone.")


async def _failed(telling: ReminderStory) -> None:
    failure = MailRefused("550 there is no such mailbox here")
    await fail_sending(telling.run.services, await telling.approve(), failure)


async def _unknown(telling: ReminderStory) -> None:
    failure = OutcomeUnknown("The connection was lost after the mail was handed over.")
    await fail_sending(telling.run.services, await telling.approve(), failure)


_ENDINGS: Mapping[str, Callable[[ReminderStory], Awaitable[None]]] = {
    "paid": lambda telling: telling.pay(10),
    "partly_paid": lambda telling: telling.pay(10, Decimal("0.4")),
    "recovered": _recovered,
    "promised": lambda telling: telling.hold("promise", 7, "They promised to pay within a week."),
    "paused": lambda telling: telling.hold("pause", 20, "Their bookkeeper is on leave."),
    "reminded": lambda telling: telling.remind("first", 3),
    "second_draft": _second_draft,
    "final_draft": _final_draft,
    "exhausted": _exhausted,
    "draft": _draft,
    "approved": _approved,
    "snoozed": _snoozed,
    "rejected": _rejected,
    "cancelled": _cancelled,
    "failed": _failed,
    "unknown": _unknown,
}
