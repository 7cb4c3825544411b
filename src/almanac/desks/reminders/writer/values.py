"""What the placeholders stand for: facts of the ledger in the words of a language."""

from collections.abc import Callable, Mapping
from datetime import date

from almanac.desks.reminders.model.draft import Facts, InvoiceFact
from almanac.desks.reminders.model.ledger import Customer
from almanac.kit.money import Money

_ENGLISH = "January February March April May June July August September October November December".split()
_MALAY = "Januari Februari Mac April Mei Jun Julai Ogos September Oktober November Disember".split()


def _with_month(months: list[str]) -> Callable[[date], str]:
    return lambda day: f"{day.day} {months[day.month - 1]} {day.year}"


def _in_chinese(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


_DAYS: Mapping[str, Callable[[date], str]] = {
    "en": _with_month(_ENGLISH),
    "ms": _with_month(_MALAY),
    "zh": _in_chinese,
    "ja": _in_chinese,
}
_LINES: Mapping[str, str] = {
    "en": "{number}: {amount}, due {due}, {days} overdue",
    "ms": "{number}: {amount}, perlu dibayar {due}, lewat {count} hari",
    "zh": "{number}：{amount}，{due}到期，已逾期 {count} 天",
}


def in_words(day: date, language: str) -> str:
    """A date as letters in the language write it."""
    return _DAYS.get(language, date.isoformat)(day)


def values_of(
    customer: Customer, facts: Facts, *, level: str, sender_name: str, language: str | None = None
) -> dict[str, str]:
    """A value for each placeholder; empty where the ledger has none."""
    language = base_language(language or customer.language)
    oldest = min(facts.invoices, key=lambda fact: fact.due)
    return {
        "customer_name": customer.name,
        "customer_id": customer.id,
        "customer_email": customer.recipients[0] if customer.recipients else "",
        "invoice_id": ", ".join(fact.number for fact in facts.invoices),
        "invoice_count": str(len(facts.invoices)),
        "invoice_list": "\n".join(_line(fact, facts.currency, language) for fact in facts.invoices),
        "overdue_amount": str(facts.amount),
        "currency": facts.currency,
        "due_date": in_words(oldest.due, language),
        "days_overdue": str(oldest.days_overdue),
        "reminder_type": level,
        "sender_name": sender_name,
    }


def base_language(language: str) -> str:
    """`zh-Hans` is written as `zh` is."""
    return language.partition("-")[0].lower()


def _line(fact: InvoiceFact, currency: str, language: str) -> str:
    count = fact.days_overdue
    return _LINES.get(language, _LINES["en"]).format(
        number=fact.number,
        amount=Money(fact.outstanding, currency),
        due=in_words(fact.due, language if language in _LINES else ""),
        days="1 day" if count == 1 else f"{count} days",
        count=count,
    )
