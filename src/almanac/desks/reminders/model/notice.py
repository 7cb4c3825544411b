"""What a change has to tell the audit log and other programs: kept with the change until it is told."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.audit.model import Actor, Deed, DetailValue, Subject
from almanac.desks.reminders.model.draft import SUBJECT_KIND, Draft
from almanac.desks.reminders.model.ledger import Invoice, Payment
from almanac.kit.ids import new_id

PAYMENT, PAID = "payment.recorded", "invoice.paid"


@dataclass(frozen=True, slots=True)
class Notice:
    """The deeds of one change under one id, by which telling them twice tells them once."""

    id: str
    at: datetime
    deeds: tuple[Deed, ...]


DraftNotice = Callable[[Draft | None, Draft], Notice | None]
ToldOf = str | Callable[[Draft | None, Draft], str | None]
PaymentNotice = Callable[[Payment, Sequence[Invoice]], Notice | None]


def notice_of(now: datetime, *deeds: Deed) -> Notice:
    """A notice under an id of its own."""
    return Notice(new_id(), now, deeds)


def deed_on_draft(actor: Actor, action: str, draft: Draft, why: str = "") -> Deed:
    """What was decided about a draft, or became of it."""
    facts: dict[str, DetailValue] = {
        "customer": draft.customer_id,
        "level": draft.level,
        "cycle": draft.cycle,
        "content": draft.content_hash,
    }
    if draft.facts is not None:
        owed = {"amount": str(draft.facts.total), "currency": draft.facts.currency}
        facts |= {**owed, "invoices": [fact.number for fact in draft.facts.invoices]}
    return Deed(actor, action, Subject(SUBJECT_KIND, draft.id), why, facts)


def payment_deeds(actor: Actor, payment: Payment, invoices: Sequence[Invoice]) -> tuple[Deed, ...]:
    """The payment, and each invoice that it has paid in full."""
    customer: Mapping[str, DetailValue] = {"customer": payment.customer_id}
    money = {"amount": str(payment.amount.amount), "currency": payment.amount.currency}
    paid = [one for one in invoices if one.number in payment.towards and one.state == "paid"]
    return (
        Deed(actor, PAYMENT, Subject("reminders.payment", payment.id), "", {**customer, **money}),
        *(Deed(actor, PAID, Subject("reminders.invoice", one.number), "", customer) for one in paid),
    )


@dataclass(slots=True)
class Telling:
    """What to tell of one change of a draft. The store keeps its notice with the change it makes; `kept` is that one.

    `action` may depend on the draft before and after; None tells nothing.
    """

    by: Principal
    action: ToldOf
    now: datetime
    why: str = ""
    kept: Notice | None = field(default=None, init=False)

    def __call__(self, before: Draft | None, after: Draft) -> Notice | None:
        """The notice of this attempt at the change; a change that changes nothing has none."""
        action = self.action if isinstance(self.action, str) else self.action(before, after)
        self.kept = None
        if action is not None and before != after:
            self.kept = notice_of(self.now, deed_on_draft(self.by.actor, action, after, self.why))
        return self.kept
