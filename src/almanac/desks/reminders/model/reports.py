"""Figures on the ledger: the age of debts, payments after reminders, and how long customers take to pay."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from statistics import mean, median

from almanac.desks.reminders.model.ledger import Invoice, Payment
from almanac.desks.reminders.model.sent import SentReminder
from almanac.kit.money import Money

BANDS = ("not_due", "0-30", "31-60", "61-90", "90+")
_LAST_DAYS = (30, 60, 90)


@dataclass(frozen=True, slots=True)
class AgeBand:
    """The open invoices in one age band: how many, and how much."""

    band: str
    invoices: int
    amount: Money


@dataclass(frozen=True, slots=True)
class Ageing:
    """The open invoices of one currency by days since they were due."""

    currency: str
    bands: tuple[AgeBand, ...]

    @property
    def overdue(self) -> Money:
        return sum((band.amount for band in self.bands if band.band != "not_due"), Money.zero(self.currency))


def age_band(invoice: Invoice, today: date) -> str:
    """The age band of an open invoice; on its due date it isn't overdue yet."""
    days = (today - invoice.due).days
    return BANDS[0] if days <= 0 else BANDS[1 + bisect_right(_LAST_DAYS, days - 1)]


def summarize_ageing(invoices: Iterable[Invoice], today: date) -> list[Ageing]:
    """Open invoices by currency and age; empty bands are included."""
    groups: dict[str, dict[str, list[Decimal]]] = defaultdict(lambda: {band: [] for band in BANDS})
    for invoice in invoices:
        if invoice.outstanding:
            groups[invoice.currency][age_band(invoice, today)].append(invoice.outstanding.amount)
    return [
        Ageing(
            currency,
            tuple(AgeBand(band, len(parts), Money(sum(parts, Decimal()), currency)) for band, parts in bands.items()),
        )
        for currency, bands in sorted(groups.items())
    ]


@dataclass(frozen=True, slots=True)
class Recovered:
    """Payments after reminders of one level and template: mails sent, mails followed by a payment, the amount."""

    level: str
    template_id: str | None
    template_version: int | None
    currency: str
    sent: int
    answered: int
    amount: Money


def summarize_recovered(sent: Sequence[SentReminder], payments: Mapping[str, Sequence[Payment]]) -> list[Recovered]:
    """Each part of a payment counts only for the last reminder before it that named its invoice."""
    paid: dict[str, Decimal] = defaultdict(Decimal)
    for customer, of_customer in payments.items():
        mails = sorted(
            (sent_mail for sent_mail in sent if sent_mail.customer_id == customer), key=lambda mail: mail.sent_at
        )
        for payment in of_customer:
            for number, part in payment.towards.items():
                mail = _last_reminder_before(mails, payment, number)
                if mail is not None:
                    paid[mail.id] += part
    groups: dict[tuple[str, str, int, str], list[SentReminder]] = defaultdict(list)
    for mail in sent:
        if mail.currency is not None:
            groups[mail.level, mail.template_id or "", mail.template_version or 0, mail.currency].append(mail)
    return [_summarize_group(key, mails, paid) for key, mails in sorted(groups.items())]


def _last_reminder_before(mails: Sequence[SentReminder], payment: Payment, number: str) -> SentReminder | None:
    candidates = [
        mail
        for mail in mails
        if mail.sent_at <= payment.received_at and mail.currency == payment.amount.currency and number in mail.invoices
    ]
    return candidates[-1] if candidates else None


def _summarize_group(
    key: tuple[str, str, int, str], mails: Sequence[SentReminder], paid: Mapping[str, Decimal]
) -> Recovered:
    level, template, version, currency = key
    parts = [paid[mail.id] for mail in mails if paid.get(mail.id)]
    amount = Money(sum(parts, Decimal()), currency)
    return Recovered(level, template or None, version or None, currency, len(mails), len(parts), amount)


@dataclass(frozen=True, slots=True)
class TimeToPay:
    """Paid invoices of one currency: days from the due date to the last payment; negative is early."""

    currency: str
    invoices: int
    median_days: float
    mean_days: float
    on_time: int


def summarize_time_to_pay(invoices: Iterable[Invoice], since: datetime, until: datetime) -> list[TimeToPay]:
    """How late invoices were paid in a period."""
    days: dict[str, list[int]] = defaultdict(list)
    for invoice in invoices:
        if invoice.state == "paid" and invoice.settled_at is not None and since <= invoice.settled_at < until:
            days[invoice.currency].append((invoice.settled_at.date() - invoice.due).days)
    return [
        TimeToPay(currency, len(late), float(median(late)), round(mean(late), 1), sum(day <= 0 for day in late))
        for currency, late in sorted(days.items())
    ]
