"""Who is in the demo: invented customers, each with a story and invoices that suit it. The same on every machine."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.kit.money import Money
from almanac.kit.text import slug

CURRENCIES = ("EUR", "USD")
# What happens to how many of them; together 120.
STORIES = {
    "current": 20,
    "overdue": 22,
    "paid": 18,
    "recovered": 8,
    "partly_paid": 4,
    "credited": 2,
    "disputed": 3,
    "promised": 3,
    "paused": 2,
    "never": 2,
    "opted_out": 1,
    "no_address": 1,
    "draft": 10,
    "second_draft": 5,
    "final_draft": 3,
    "reminded": 4,
    "exhausted": 1,
    "approved": 3,
    "snoozed": 2,
    "rejected": 2,
    "cancelled": 1,
    "failed": 1,
    "unknown": 2,
}
_INVOICES = (3, 3, 4)
_FIRST = "Amber Birch Cedar Delta Ember Fjord Grove Harbour Iris Juniper Kite Lotus".split()
_SECOND = (
    "Bakery",
    "Bicycles",
    "Books",
    "Carpentry",
    "Catering",
    "Consulting",
    "Design",
    "Logistics",
    "Orchards",
    "Print",
)
_LANGUAGES = ("en", "en", "en", "ms", "zh")
_TERMS = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class DemoCustomer:
    """A customer of the demo with a story, and the invoices it is told with."""

    story: str
    customer: Customer
    invoices: tuple[Invoice, ...]

    @property
    def currency(self) -> str:
        """The currency of the story; some have one more."""
        return self.invoices[0].currency


def list_demo_customers(day: date) -> Iterator[DemoCustomer]:
    """Everybody, with dates counted from a day."""
    chance = random.Random(120)  # noqa: S311 - the same people on every machine, nothing to guess
    stories = [story for story, many in STORIES.items() for _ in range(many)]
    number = 0
    for place, story in enumerate(stories):
        customer = _customer(place, story)
        many = _INVOICES[place % len(_INVOICES)]
        yield DemoCustomer(
            story, customer, tuple(_invoice(customer, place, number + n, n, day, chance) for n in range(many))
        )
        number += many


def _customer(place: int, story: str) -> Customer:
    name = f"{_FIRST[place % len(_FIRST)]} {_SECOND[place // len(_FIRST)]} (demo)"
    address = f"accounts@{slug(name.removesuffix(' (demo)'))}.example"
    return Customer(
        id=f"demo-{place + 1:03}",
        name=name,
        email=None if story == "no_address" else address,
        language=_LANGUAGES[place % len(_LANGUAGES)],
        opted_out=story == "opted_out",
        never_remind=story == "never",
    )


def _invoice(customer: Customer, place: int, number: int, which: int, day: date, chance: random.Random) -> Invoice:
    """The first is the oldest; the last is not due yet, or in the other currency for every tenth customer."""
    currency = CURRENCIES[(place % 3 == 0) ^ (which > 1 and place % 10 == 9)]
    ago = (chance.randint(-25, -3), chance.randint(51, 75) - 18 * which)[customer_owes(place, which)]
    due = day - timedelta(days=ago)
    return Invoice(
        customer_id=customer.id,
        number=f"D-{number + 1:04}",
        amount=Money(Decimal(chance.randint(2_000, 250_000)) / 100, currency),
        issued=due - _TERMS,
        due=due,
        paid=Money.zero(currency),
        credited=Money.zero(currency),
    )


def customer_owes(place: int, which: int) -> bool:
    """Whether the invoice is overdue: none of those who are current, and of the others all but the third."""
    return place >= STORIES["current"] and which != len(_INVOICES) - 1
