"""Response bodies for customers, invoices, drafts and sent reminders, under their documented names."""

from datetime import date, datetime

from pydantic import AliasChoices, Field

from almanac.desks.reminders.api.dependencies import AmountText, Moment, MoneyBody
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.eligibility import Eligible
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.ledger import Customer, Debt, Hold, HoldKind, Invoice, InvoiceState, Payment
from almanac.desks.reminders.model.plan import PlanLine
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.model.timeline import CustomerTimelineEntry, TimelineKind
from almanac.http.api_models import ApiModel
from almanac.kit.messages import gettext


class CustomerBody(ApiModel):
    """A customer."""

    customer_id: str = Field(validation_alias=AliasChoices("customer_id", "id"))
    name: str
    email: str | None
    more_recipients: list[str]
    language: str
    time_zone: str | None
    opted_out: bool
    never_remind: bool
    notes: str
    version: int
    created_at: datetime | None
    erased_at: datetime | None

    @classmethod
    def from_model(cls, customer: Customer) -> "CustomerBody":
        return cls.model_validate(customer)


class InvoiceBody(ApiModel):
    """An invoice; amounts are text."""

    customer_id: str
    number: str
    amount: AmountText
    currency: str
    issued: date | None
    due: date
    paid: AmountText
    credited: AmountText
    outstanding: AmountText
    state: InvoiceState
    disputed: bool
    dispute_note: str
    settled_at: datetime | None
    version: int

    @classmethod
    def from_model(cls, invoice: Invoice) -> "InvoiceBody":
        return cls.model_validate(invoice)


class PaymentBody(ApiModel):
    """A received payment, and how much of it went to which invoice."""

    customer_id: str
    reference: str
    amount: str
    currency: str
    received_at: datetime
    towards: dict[str, str]
    note: str

    @classmethod
    def from_model(cls, payment: Payment) -> "PaymentBody":
        return cls(
            customer_id=payment.customer_id,
            reference=payment.id,
            amount=str(payment.amount.amount),
            currency=payment.amount.currency,
            received_at=payment.received_at,
            towards={number: str(part) for number, part in payment.towards.items()},
            note=payment.note,
        )


class HoldBody(ApiModel):
    """Stops reminders of one invoice, or of everything without a number."""

    id: str
    customer_id: str
    kind: HoldKind
    invoice: str | None
    until: date | None
    note: str
    by: str
    created_at: datetime | None
    lifted_at: datetime | None
    lifted_by: str

    @classmethod
    def from_model(cls, hold: Hold) -> "HoldBody":
        return cls.model_validate(hold)


class InvoiceFactBody(ApiModel):
    """An invoice as a draft states it."""

    number: str
    outstanding: AmountText
    due: date
    days_overdue: int


class RecordedDecisionBody(ApiModel):
    """Who approved or rejected a draft, and when."""

    by: str
    at: datetime
    note: str


class ReminderDraftBody(ApiModel):
    """A reminder that isn't sent yet, is being sent, or whose outcome is unknown. Approve it by its `content_hash`."""

    id: str
    customer_id: str
    customer_name: str
    reminder_type: str
    status: DraftState
    email_subject: str
    email_content: str
    email_html: str | None
    recipients: list[str]
    currency: str | None
    overdue_amount: str | None
    overdue_invoices: list[InvoiceFactBody]
    content_hash: str
    template_id: str | None
    template_version: int | None
    written_by: str
    created_date: datetime
    created_by: str
    decided: RecordedDecisionBody | None
    reason: str
    outdated: str
    snoozed_until: datetime | None
    send_at: datetime | None
    version: int

    @classmethod
    def from_model(cls, draft: ReminderDraft) -> "ReminderDraftBody":
        verdict = draft.approved
        return cls(
            id=draft.id,
            customer_id=draft.customer_id,
            customer_name=draft.customer_name,
            reminder_type=draft.level,
            status=draft.state,
            email_subject=draft.wording.subject,
            email_content=draft.wording.text,
            email_html=draft.wording.html,
            recipients=list(draft.wording.recipients),
            currency=draft.currency,
            overdue_amount=str(draft.facts.total) if draft.facts else None,
            overdue_invoices=[InvoiceFactBody.model_validate(f) for f in (draft.facts.invoices if draft.facts else ())],
            content_hash=draft.content_hash,
            template_id=draft.wording.template_id,
            template_version=draft.wording.template_version,
            written_by=draft.wording.written_by,
            created_date=draft.created_at,
            created_by=draft.created_by.id,
            decided=RecordedDecisionBody(by=verdict.by.id, at=verdict.at, note=verdict.note) if verdict else None,
            reason=draft.reason,
            outdated=draft.outdated,
            snoozed_until=draft.snoozed_until,
            send_at=draft.send_at,
            version=draft.version,
        )


class SentBody(ApiModel):
    """A sent reminder with the delivery status by recipient. Its exact bytes are at `/sent/{id}/mail`."""

    id: str
    customer_id: str
    reminder_type: str = Field(validation_alias="level")
    email_subject: str = Field(validation_alias="subject")
    email_content: str = Field(validation_alias="text")
    status: str
    sent_date: datetime = Field(validation_alias="sent_at")
    approved_by: str | None
    ses_message_id: str | None = Field(validation_alias="message_id")
    delivery_status: str | None
    delivery: dict[str, str]
    currency: str | None
    overdue_amount: AmountText | None = Field(validation_alias="amount")
    overdue_invoices: list[str] = Field(validation_alias="invoices")
    template_id: str | None
    template_version: int | None

    @classmethod
    def from_model(cls, sent: SentReminder) -> "SentBody":
        return cls.model_validate(sent)


class RuleCheckBody(ApiModel):
    """A rule that was checked."""

    rule: str
    passed: bool
    sentence: str


class PlanLineBody(ApiModel):
    """What happens for one customer and currency at a given time, and why. Without a next date, something must happen
    first.
    """

    customer_id: str
    customer_name: str
    currency: str
    goes_out: bool
    reminder_type: str | None
    rule: str | None
    why: str
    next_date: datetime | None
    owed: MoneyBody
    invoices: list[str]
    open_draft: str | None
    trace: list[RuleCheckBody]

    @classmethod
    def from_model(cls, line: PlanLine) -> "PlanLineBody":
        decision, debt = line.decision, line.decision.debt
        goes_out = isinstance(decision, Eligible)
        return cls(
            customer_id=line.customer_id,
            customer_name=line.customer_name,
            currency=line.currency,
            goes_out=goes_out,
            reminder_type=line.level,
            rule=None if isinstance(decision, Eligible) else decision.rule,
            why=_going_out(decision, debt) if isinstance(decision, Eligible) else decision.why,
            next_date=line.next_date,
            owed=MoneyBody.from_model(debt.total),
            invoices=list(debt.numbers),
            open_draft=line.open_draft,
            trace=[RuleCheckBody.model_validate(step) for step in decision.trace],
        )


def _going_out(decision: Eligible, debt: Debt) -> str:
    return gettext("The %(level)s reminder is next; %(total)s is overdue.", level=decision.level, total=debt.total)


class PlannedAmount(ApiModel):
    """The total to be reminded of at one level, in one currency."""

    reminder_type: str
    owed: MoneyBody


class PlanBody(ApiModel):
    """The plan as of a given time: customers to be reminded first, then the others with the rule that blocks them."""

    at: Moment
    going_out: int
    held_back: dict[str, int]
    amounts: list[PlannedAmount]
    items: list[PlanLineBody]
    next_cursor: str | None


class CustomerTimelineBody(ApiModel):
    """An entry of a customer's timeline; `of` is the id of the invoice, payment, hold, draft or sent reminder."""

    at: datetime
    kind: TimelineKind
    of: str
    sentence: str
    amount: MoneyBody | None
    state: str
    by: str
    note: str

    @classmethod
    def from_model(cls, entry: CustomerTimelineEntry) -> "CustomerTimelineBody":
        return cls(
            at=entry.at,
            kind=entry.kind,
            of=entry.of,
            sentence=entry.sentence,
            amount=MoneyBody.from_model(entry.amount) if entry.amount else None,
            state=entry.state,
            by=entry.by,
            note=entry.note,
        )
