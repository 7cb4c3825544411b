"""The demo's customers: invented, each with a scenario and matching invoices, the same on every machine."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.kit.money import Money
from almanac.kit.text import slug

CURRENCIES = ("EUR", "USD")
# How many customers there are of each scenario; 120 in all.
SCENARIOS = {
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
    """A demo customer with a scenario and the invoices for it."""

    scenario: str
    customer: Customer
    invoices: tuple[Invoice, ...]

    @property
    def currency(self) -> str:
        """The currency of the first invoices; some customers have one more."""
        return self.invoices[0].currency


def list_demo_customers(day: date) -> Iterator[DemoCustomer]:
    """All demo customers, with dates relative to `day`."""
    rng = random.Random(120)  # noqa: S311 - the same people on every machine, nothing to guess
    scenarios = [scenario for scenario, count in SCENARIOS.items() for _ in range(count)]
    number = 0
    for index, scenario in enumerate(scenarios):
        customer = _customer(index, scenario)
        count = _INVOICES[index % len(_INVOICES)]
        yield DemoCustomer(
            scenario, customer, tuple(_invoice(customer, index, number + n, n, day, rng) for n in range(count))
        )
        number += count


def _customer(index: int, scenario: str) -> Customer:
    name = f"{_FIRST[index % len(_FIRST)]} {_SECOND[index // len(_FIRST)]} (demo)"
    address = f"accounts@{slug(name.removesuffix(' (demo)'))}.example"
    return Customer(
        id=f"demo-{index + 1:03}",
        name=name,
        email=None if scenario == "no_address" else address,
        language=_LANGUAGES[index % len(_LANGUAGES)],
        opted_out=scenario == "opted_out",
        never_remind=scenario == "never",
    )


def _invoice(customer: Customer, index: int, number: int, position: int, day: date, rng: random.Random) -> Invoice:
    """The first is the oldest; the last isn't due yet, or for every tenth customer is in the other currency."""
    currency = CURRENCIES[(index % 3 == 0) ^ (position > 1 and index % 10 == 9)]
    ago = (rng.randint(-25, -3), rng.randint(51, 75) - 18 * position)[customer_owes(index, position)]
    due = day - timedelta(days=ago)
    return Invoice(
        customer_id=customer.id,
        number=f"D-{number + 1:04}",
        amount=Money(Decimal(rng.randint(2_000, 250_000)) / 100, currency),
        issued=due - _TERMS,
        due=due,
        paid=Money.zero(currency),
        credited=Money.zero(currency),
    )


def customer_owes(index: int, position: int) -> bool:
    """Whether the invoice is overdue: none of the `current` customers', and of the others all but the third."""
    return index >= SCENARIOS["current"] and position != len(_INVOICES) - 1
