"""Creates the records of one demo customer for its scenario: invoices, payments, holds, sent reminders and a draft."""

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

_DELIVERY_STATUSES = ("delivered", "delivered", "delivered", "bounced", "delayed", "complained")


@dataclass(frozen=True, slots=True)
class DemoScenario:
    """Creates the records of one customer."""

    run: DemoRun
    demo_customer: DemoCustomer

    def ago(self, days: int) -> datetime:
        """A morning so many days before the demo's day."""
        return datetime.combine(self.run.day, time(8, 30), UTC) - timedelta(days=days)

    async def bill(self) -> None:
        """Add the customer and their invoices, some of them credited or disputed."""
        tables, rules = self.run.services.tables, await load_rules(self.run.services)
        await store.create_customer(tables, self.demo_customer.customer, now=self.ago(90))
        accounts: dict[str, list[Invoice]] = {}
        for invoice in self.demo_customer.invoices:
            accounts.setdefault(invoice.currency, []).append(self._adjusted(invoice))
        for invoices in accounts.values():
            await store.save_invoices(tables, invoices, rules=rules, now=self.ago(5))

    def _adjusted(self, invoice: Invoice) -> Invoice:
        first = invoice.number == self.demo_customer.invoices[0].number
        if self.demo_customer.scenario == "credited":
            return replace(invoice, credited=invoice.amount)
        if self.demo_customer.scenario == "disputed" and first:
            return replace(invoice, disputed=True, dispute_note="The goods arrived damaged.")
        return invoice

    async def pay(self, days: int, part: Decimal = Decimal(1)) -> None:
        """Record a payment of what was overdue, or a part of it, so many days ago."""
        services, moment = self.run.services, self.ago(days)
        rules = await load_rules(services)
        for currency in sorted({invoice.currency for invoice in self.demo_customer.invoices}):
            case = await store.read_case(services.tables, self.demo_customer.customer.id, currency)
            owed = {line.number: line.outstanding for line in case.debt(rules, moment).lines}
            towards = {number: Money(money.amount * part, currency).amount for number, money in owed.items()}
            if not towards:
                continue
            payment = Payment(
                customer_id=self.demo_customer.customer.id,
                id=f"bank-{self.demo_customer.customer.id}-{currency}",
                amount=Money(sum(towards.values(), Decimal()), currency),
                received_at=moment,
                towards=towards,
                recorded_by=self.run.owner.user_id,
            )
            await store.record_payment(services.tables, payment, rules=rules, now=moment)

    async def remind(self, level: str, days: int) -> None:
        """Store a reminder sent so many days ago."""
        customer = self.demo_customer.customer.id
        status = _DELIVERY_STATUSES[(int(customer[-3:]) + days) % len(_DELIVERY_STATUSES)]
        await write_sent(
            self.run.services, self.run.owner, customer, self.demo_customer.currency, level, self.ago(days), status
        )

    async def hold(self, kind: HoldKind, days: int, note: str) -> None:
        """Place a hold for some days to come."""
        services, now = self.run.services, self.run.services.clock.now()
        hold = Hold(
            customer_id=self.demo_customer.customer.id,
            id=f"demo-{kind}",
            kind=kind,
            until=self.run.day + timedelta(days=days),
            note=note,
            by=self.run.owner.user_id,
            created_at=now.replace(microsecond=0),
        )
        await store.add_hold(services.tables, hold, rules=await load_rules(services), now=now)

    async def draft(self) -> ReminderDraft:
        """Create the draft as the automatic ladder does, so that its owner may approve it whatever the settings say."""
        return await draft_reminder(
            self.run.services, AUTOMATION, self.demo_customer.customer.id, currency=self.demo_customer.currency
        )

    async def approve(self) -> ReminderDraft:
        draft = await self.draft()
        return await service.approve_draft(self.run.services, self.run.owner, draft.id, seen=draft.content_hash)


async def create_records(run: DemoRun, demo_customer: DemoCustomer) -> None:
    """Create all records of a customer."""
    scenario = DemoScenario(run, demo_customer)
    await scenario.bill()
    if demo_customer.scenario in _STEPS:
        await _STEPS[demo_customer.scenario](scenario)


async def _recovered(scenario: DemoScenario) -> None:
    await scenario.remind("first", 30)
    await scenario.pay(24)


async def _second_draft(scenario: DemoScenario) -> None:
    await scenario.remind("first", 12)
    await scenario.draft()


async def _final_draft(scenario: DemoScenario) -> None:
    await scenario.remind("first", 24)
    await scenario.remind("second", 9)
    await scenario.draft()


async def _exhausted(scenario: DemoScenario) -> None:
    for level, days in (("first", 40), ("second", 30), ("final", 20)):
        await scenario.remind(level, days)


async def _draft(scenario: DemoScenario) -> None:
    await scenario.draft()


async def _approved(scenario: DemoScenario) -> None:
    await scenario.approve()


async def _snoozed(scenario: DemoScenario) -> None:
    draft, services = await scenario.draft(), scenario.run.services
    await service.snooze_draft(services, scenario.run.owner, draft.id, until=services.clock.now() + timedelta(days=4))


async def _rejected(scenario: DemoScenario) -> None:
    draft = await scenario.draft()
    note = "They called and pay next week; wait."
    await service.reject_draft(scenario.run.services, scenario.run.owner, draft.id, seen=draft.content_hash, note=note)


async def _cancelled(scenario: DemoScenario) -> None:
    draft = await scenario.draft()
    await service.cancel_draft(scenario.run.services, scenario.run.owner, draft.id, why="Settled on the telephone.")


async def _failed(scenario: DemoScenario) -> None:
    failure = MailRefused("550 there is no such mailbox here")
    await fail_sending(scenario.run.services, await scenario.approve(), failure)


async def _unknown(scenario: DemoScenario) -> None:
    failure = OutcomeUnknown("The connection was lost after the mail was handed over.")
    await fail_sending(scenario.run.services, await scenario.approve(), failure)


_STEPS: Mapping[str, Callable[[DemoScenario], Awaitable[None]]] = {
    "paid": lambda scenario: scenario.pay(10),
    "partly_paid": lambda scenario: scenario.pay(10, Decimal("0.4")),
    "recovered": _recovered,
    "promised": lambda scenario: scenario.hold("promise", 7, "They promised to pay within a week."),
    "paused": lambda scenario: scenario.hold("pause", 20, "Their bookkeeper is on leave."),
    "reminded": lambda scenario: scenario.remind("first", 3),
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
