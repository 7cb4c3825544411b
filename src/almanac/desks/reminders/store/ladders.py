"""Ladders and their rules, and the cases that decisions are based on."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time

from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.ladder import DEFAULT_RULES, Ladder, LadderRules, check_rules
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice
from almanac.desks.reminders.model.sent import SentReminder, make_sent_id
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.ledger_queries import (
    PAGE_SIZE,
    get_customer,
    iterate_invoices,
    list_customer_holds,
    list_customer_invoices,
    read_all_customers,
    to_hold,
)
from almanac.errors import NotFound, StaleEdit
from almanac.kit.messages import gettext
from tablature import at_least, create, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed

_RECENT_SENT = 20


def to_ladder(item: table.LadderItem) -> Ladder:
    return Ladder(
        customer_id=item.customer_id,
        currency=item.currency,
        cycle=item.cycle,
        open=item.open,
        sent=dict(item.sent),
        declined=item.declined,
        version=item.version,
    )


def ladder_item(ladder: Ladder) -> table.LadderItem:
    return table.LadderItem(
        customer_id=ladder.customer_id,
        currency=ladder.currency,
        cycle=ladder.cycle,
        open=ladder.open,
        sent=dict(ladder.sent),
        declined=ladder.declined,
        version=ladder.version,
    )


def to_rules(item: table.LadderRulesItem, time_zone: str) -> LadderRules:
    return LadderRules(
        levels=tuple(item.levels),
        grace_days=item.grace_days,
        business_days_only=item.business_days_only,
        holidays=frozenset(item.holidays),
        time_zone=time_zone,
        version=item.version,
    )


def rules_item(rules: LadderRules) -> table.LadderRulesItem:
    return table.LadderRulesItem(
        levels=list(rules.levels),
        grace_days=rules.grace_days,
        business_days_only=rules.business_days_only,
        holidays=sorted(rules.holidays),
        version=rules.version,
    )


def to_sent_reminder(item: table.SentEmail) -> SentReminder:
    return SentReminder(
        id=make_sent_id(item.customer_id, item.timestamp, item.reminder_type),
        customer_id=item.customer_id,
        level=item.reminder_type,
        subject=item.email_subject,
        text=item.email_content,
        status=item.status,
        sent_at=item.sent_date,
        approved_by=item.approved_by,
        message_id=item.ses_message_id,
        delivery_status=item.delivery_status,
        delivery=dict(item.delivery or {}),
        currency=item.currency,
        cycle=item.cycle,
        draft_id=item.draft_id,
        mail_id=item.mail_id,
        template_id=item.template_id,
        template_version=item.template_version,
        amount=item.overdue_amount,
        invoices=tuple(item.overdue_invoices or ()),
    )


_STALE_RULES = gettext("Somebody else changed the ladder's rules first; load them again and repeat your change.")


async def get_rules(tables: AsyncDatabase, *, time_zone: str) -> LadderRules:
    """The rules in force, in the installation's time zone; the defaults if nobody has changed them."""
    item = await tables.get(table.LadderRulesItem.key(name="ladder"))
    return to_rules(item, time_zone) if item else replace(DEFAULT_RULES, time_zone=time_zone)


async def save_rules(tables: AsyncDatabase, rules: LadderRules) -> LadderRules:
    """Save rules edited on the version they carry; StaleEdit if somebody else changed them first."""
    item = rules_item(check_rules(rules))
    try:
        await tables.transact(update(item) if rules.version else create(item))
    except ConditionFailed as error:
        raise StaleEdit(_STALE_RULES, current="") from error
    return replace(rules, version=rules.version + 1)


async def list_ladders(tables: AsyncDatabase, customer_id: str) -> list[Ladder]:
    """A customer's ladders, one for each currency."""
    query = table.LadderItem.of_customer(customer_id=customer_id)
    return [to_ladder(item) async for item in tables.each(query)]


async def get_ladder(tables: AsyncDatabase, customer_id: str, currency: str) -> Ladder:
    """The ladder; version 0 if nothing was written to it yet."""
    if not table.CUSTOMER_ID_PATTERN.fullmatch(customer_id):
        raise NotFound(gettext("Customer %(customer_id)s doesn't exist; check the id.", customer_id=customer_id[:60]))
    item = await tables.get(table.LadderItem.key(customer_id=customer_id, currency=currency), consistent=True)
    return to_ladder(item) if item else Ladder(customer_id=customer_id, currency=currency)


async def read_case(tables: AsyncDatabase, customer_id: str, currency: str) -> Case:
    """Everything a decision about this customer and currency is based on.

    Versioned items are read first: whatever changes afterwards fails the write that is based on this case.
    """
    ladder = await get_ladder(tables, customer_id, currency)
    customer = await get_customer(tables, customer_id)
    invoices, holds, foreign = await _read_case_parts(tables, customer_id)
    return Case(customer, ladder.with_foreign_sent(foreign, invoices), invoices, holds)


async def read_cases(tables: AsyncDatabase, customer_id: str) -> list[Case]:
    """One case for each currency in which the customer has invoices or a ladder."""
    ladders = await list_ladders(tables, customer_id)
    customer = await get_customer(tables, customer_id)
    return build_cases(customer, ladders, *await _read_case_parts(tables, customer_id))


def build_cases(
    customer: Customer,
    ladders: Sequence[Ladder],
    invoices: Sequence[Invoice],
    holds: Sequence[Hold],
    sent: Sequence[SentReminder],
) -> list[Case]:
    """The cases of a customer's records; of what was sent, the latest first, only that of other programs counts."""
    by_currency = {ladder.currency: ladder for ladder in ladders}
    foreign = [reminder for reminder in sent[:_RECENT_SENT] if is_from_other_program(reminder)]
    currencies = sorted({*by_currency, *(invoice.currency for invoice in invoices)})
    present = (by_currency.get(each) or Ladder(customer_id=customer.id, currency=each) for each in currencies)
    return [
        Case(customer, ladder.with_foreign_sent(foreign, invoices), tuple(invoices), tuple(holds)) for ladder in present
    ]


async def _read_case_parts(
    tables: AsyncDatabase, customer_id: str
) -> tuple[tuple[Invoice, ...], tuple[Hold, ...], list[SentReminder]]:
    return await asyncio.gather(
        list_customer_invoices(tables, customer_id),
        list_customer_holds(tables, customer_id),
        list_sent_by_other_programs(tables, customer_id),
    )


async def list_sent_by_other_programs(tables: AsyncDatabase, customer_id: str) -> list[SentReminder]:
    """What other programs sent lately. They write no ladder, and still nothing may be sent twice."""
    page = await tables.query(table.SentEmail.history(customer_id=customer_id), limit=_RECENT_SENT)
    sent = (to_sent_reminder(item) for item in page.items)
    return [reminder for reminder in sent if is_from_other_program(reminder)]


def is_from_other_program(sent: SentReminder) -> bool:
    """Whether another program sent it; our own records name their draft."""
    return sent.draft_id is None and sent.status == "sent"


@dataclass(frozen=True, slots=True)
class LedgerSnapshot:
    """Everything a plan needs, by customer. It protects no write."""

    customers: dict[str, Customer]
    invoices: dict[str, list[Invoice]]
    holds: dict[str, list[Hold]]
    ladders: dict[str, dict[str, Ladder]]
    sent_by_others: dict[str, list[SentReminder]] = field(default_factory=dict)

    def cases(self, customer_id: str, unreachable: frozenset[str] = frozenset()) -> list[Case]:
        """One case for each currency in which the customer has an open invoice."""
        invoices, holds = tuple(self.invoices.get(customer_id, ())), tuple(self.holds.get(customer_id, ()))
        ladders, customer = self.ladders.get(customer_id, {}), self.customers[customer_id]
        foreign = self.sent_by_others.get(customer_id, ())
        currencies = sorted({invoice.currency for invoice in invoices})
        present = (
            ladders.get(currency) or Ladder(customer_id=customer_id, currency=currency) for currency in currencies
        )
        return [
            Case(customer, ladder.with_foreign_sent(foreign, invoices), invoices, holds, unreachable)
            for ladder in present
        ]


async def read_ledger_snapshot(tables: AsyncDatabase, *, gaps_since: datetime) -> LedgerSnapshot:
    """All customers, open invoices, current holds, ladders, and what other programs sent.

    What they sent before the oldest open debt fell due belongs to no cycle; before `gaps_since` it delays nothing.
    """
    customers = await read_all_customers(tables)
    invoices: dict[str, list[Invoice]] = defaultdict(list)
    async for invoice in iterate_invoices(tables, "open"):
        invoices[invoice.customer_id].append(invoice)
    holds: dict[str, list[Hold]] = defaultdict(list)
    async for hold in tables.each(table.HoldItem.with_state(state="standing"), page=PAGE_SIZE):
        holds[hold.customer_id].append(to_hold(hold))
    ladders: dict[str, dict[str, Ladder]] = defaultdict(dict)
    async for ladder in tables.each(table.LadderItem.everybody(), page=PAGE_SIZE):
        ladders[ladder.customer_id][ladder.currency] = to_ladder(ladder)
    oldest = min((invoice.due for some in invoices.values() for invoice in some), default=date.max)
    since = min(gaps_since, datetime.combine(oldest, time(), UTC))
    foreign = await read_sent_by_other_programs(tables, since)
    return LedgerSnapshot(customers, dict(invoices), dict(holds), dict(ladders), foreign)


async def read_sent_by_other_programs(tables: AsyncDatabase, since: datetime) -> dict[str, list[SentReminder]]:
    """What other programs sent since a moment, by customer.

    They don't shard, so only the documented partition is read, which normally has none of our records.
    """
    documented = AsyncDatabase(tables.transport, names=tables.context.names, spread=False)
    query = table.SentEmail.with_status(status="sent", sent_date=at_least(since))
    by_customer: dict[str, list[SentReminder]] = defaultdict(list)
    async for item in documented.each(query, page=PAGE_SIZE):
        if is_from_other_program(sent := to_sent_reminder(item)):
            by_customer[sent.customer_id].append(sent)
    return dict(by_customer)
