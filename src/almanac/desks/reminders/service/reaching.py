"""Which addresses no mail may go to any more, for whoever decides about many customers or explains a decision."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.ledger import Customer
from almanac.services import Services


async def unreachable(services: Services, customers: Iterable[Customer]) -> frozenset[str]:
    """Their addresses that bounced, complained or were suppressed by a person."""
    addresses = {email for customer in customers for email in customer.recipients}
    return frozenset(await services.suppressions.among(addresses)) if addresses else frozenset()


async def with_reach(services: Services, cases: Sequence[Case]) -> list[Case]:
    """The cases with what is known of their customers' addresses."""
    lost = await unreachable(services, [case.customer for case in cases])
    return [replace(case, unreachable=lost) for case in cases]
