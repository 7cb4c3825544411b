"""Ladders and their rules, and the cases that decisions are based on."""

import asyncio
from collections import defaultdict
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
from tablature import at_least, create, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed

_RECENT_SENT = 20


def to_ladder(item: table.Ladder) -> Ladder:
    return Ladder(
        customer_id=item.customer_id,
        currency=item.currency,
        cycle=item.cycle,
        open=item.open,
        sent=dict(item.sent),
        declined=item.declined,
        version=item.version,
    )


def ladder_item(ladder: Ladder) -> table.Ladder:
    return table.Ladder(
        customer_id=ladder.customer_id,
        currency=ladder.currency,
        cycle=ladder.cycle,
        open=ladder.open,
        sent=dict(ladder.sent),
        declined=ladder.declined,
        version=ladder.version,
    )


def to_rules(item: table.Rules, time_zone: str) -> LadderRules:
    return LadderRules(
        levels=tuple(item.levels),
        grace_days=item.grace_days,
        business_days_only=item.business_days_only,
        holidays=frozenset(item.holidays),
        time_zone=time_zone,
        version=item.version,
    )


def rules_item(rules: LadderRules) -> table.Rules:
    return table.Rules(
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


_STALE_RULES = "Somebody else changed the ladder's rules first; load them again and repeat your change."


async def get_rules(tables: AsyncDatabase, *, time_zone: str) -> LadderRules:
    """The rules in force; the time zone is that of the installation."""
    found = await tables.get(table.Rules.key(name="ladder"))
    return to_rules(found, time_zone) if found else replace(DEFAULT_RULES, time_zone=time_zone)


async def save_rules(tables: AsyncDatabase, rules: LadderRules) -> LadderRules:
    """New rules, edited on the version that they carry."""
    item = rules_item(check_rules(rules))
    try:
        await tables.transact(update(item) if rules.version else create(item))
    except ConditionFailed as error:
        raise StaleEdit(_STALE_RULES, current="") from error
    return replace(rules, version=rules.version + 1)


async def list_ladders(tables: AsyncDatabase, customer_id: str) -> list[Ladder]:
    query = table.Ladder.of_customer(customer_id=customer_id)
    return [to_ladder(item) async for item in tables.each(query)]


async def get_ladder(tables: AsyncDatabase, customer_id: str, currency: str) -> Ladder:
    """The ladder; one that nothing was written to yet has version 0."""
    if not table.CUSTOMER_ID_PATTERN.fullmatch(customer_id):
        raise NotFound(f"There is no customer {customer_id[:60]}; check the id.")
    found = await tables.get(table.Ladder.key(customer_id=customer_id, currency=currency), consistent=True)
    return to_ladder(found) if found else Ladder(customer_id=customer_id, currency=currency)


async def read_case(tables: AsyncDatabase, customer_id: str, currency: str) -> Case:
    """What a decision rests on.

    The guards are read before what they guard: whatever changes afterwards fails the write that rests on this.
    """
    ladder = await get_ladder(tables, customer_id, currency)
    customer = await get_customer(tables, customer_id)
    invoices, holds, foreign = await _read_case_parts(tables, customer_id)
    return Case(customer, ladder.knowing(foreign, invoices), invoices, holds)


async def read_cases(tables: AsyncDatabase, customer_id: str) -> list[Case]:
    """One case for each currency in which the customer has invoices or a ladder."""
    ladders = {ladder.currency: ladder for ladder in await list_ladders(tables, customer_id)}
    customer = await get_customer(tables, customer_id)
    invoices, holds, foreign = await _read_case_parts(tables, customer_id)
    currencies = sorted({*ladders, *(invoice.currency for invoice in invoices)})
    known = (ladders.get(currency) or Ladder(customer_id=customer_id, currency=currency) for currency in currencies)
    return [Case(customer, ladder.knowing(foreign, invoices), invoices, holds) for ladder in known]


async def _read_case_parts(
    tables: AsyncDatabase, customer_id: str
) -> tuple[tuple[Invoice, ...], tuple[Hold, ...], list[SentReminder]]:
    return await asyncio.gather(
        list_customer_invoices(tables, customer_id),
        list_customer_holds(tables, customer_id),
        list_sent_by_other_programs(tables, customer_id),
    )


async def list_sent_by_other_programs(tables: AsyncDatabase, customer_id: str) -> list[SentReminder]:
    """What other programs have sent lately; no ladder was written with it, but nothing may be sent twice."""
    page = await tables.query(table.SentEmail.history(customer_id=customer_id), limit=_RECENT_SENT)
    sent = (to_sent_reminder(item) for item in page.items)
    return [one for one in sent if is_from_other_program(one)]


def is_from_other_program(sent: SentReminder) -> bool:
    """Whether another program has sent it: what is sent here names its draft."""
    return sent.draft_id is None and sent.status == "sent"


@dataclass(frozen=True, slots=True)
class LedgerSnapshot:
    """Everything that decisions of a day rest on, by customer. Nothing in it guards a write."""

    customers: dict[str, Customer]
    invoices: dict[str, list[Invoice]]
    holds: dict[str, list[Hold]]
    ladders: dict[str, dict[str, Ladder]]
    sent_by_others: dict[str, list[SentReminder]] = field(default_factory=dict)

    def cases(self, customer_id: str, unreachable: frozenset[str] = frozenset()) -> list[Case]:
        """One case for each currency in which the customer owes something."""
        invoices, holds = tuple(self.invoices.get(customer_id, ())), tuple(self.holds.get(customer_id, ()))
        ladders, customer = self.ladders.get(customer_id, {}), self.customers[customer_id]
        elsewhere = self.sent_by_others.get(customer_id, ())
        currencies = sorted({invoice.currency for invoice in invoices})
        known = (ladders.get(currency) or Ladder(customer_id=customer_id, currency=currency) for currency in currencies)
        return [Case(customer, ladder.knowing(elsewhere, invoices), invoices, holds, unreachable) for ladder in known]


async def read_ledger_snapshot(tables: AsyncDatabase, *, gaps_since: datetime) -> LedgerSnapshot:
    """All customers, open invoices, standing holds and ladders, and what other programs have sent.

    What they sent before the oldest open debt fell due belongs to no cycle, and before `gaps_since` it keeps no gap.
    """
    customers = await read_all_customers(tables)
    invoices: dict[str, list[Invoice]] = defaultdict(list)
    async for invoice in iterate_invoices(tables, "open"):
        invoices[invoice.customer_id].append(invoice)
    holds: dict[str, list[Hold]] = defaultdict(list)
    async for hold in tables.each(table.Hold.with_state(state="standing"), page=PAGE_SIZE):
        holds[hold.customer_id].append(to_hold(hold))
    ladders: dict[str, dict[str, Ladder]] = defaultdict(dict)
    async for ladder in tables.each(table.Ladder.everybody(), page=PAGE_SIZE):
        ladders[ladder.customer_id][ladder.currency] = to_ladder(ladder)
    oldest = min((invoice.due for some in invoices.values() for invoice in some), default=date.max)
    since = min(gaps_since, datetime.combine(oldest, time(), UTC))
    elsewhere = await read_sent_by_other_programs(tables, since)
    return LedgerSnapshot(customers, dict(invoices), dict(holds), dict(ladders), elsewhere)


async def read_sent_by_other_programs(tables: AsyncDatabase, since: datetime) -> dict[str, list[SentReminder]]:
    """What other programs have sent since a moment, by customer.

    They know no shards, so only the documented partition is read, in which nothing of ours is as a rule.
    """
    documented = AsyncDatabase(tables.transport, names=tables.context.names, spread=False)
    query = table.SentEmail.with_status(status="sent", sent_date=at_least(since))
    found: dict[str, list[SentReminder]] = defaultdict(list)
    async for item in documented.each(query, page=PAGE_SIZE):
        if is_from_other_program(sent := to_sent_reminder(item)):
            found[sent.customer_id].append(sent)
    return dict(found)
