"""The API's answers about customers, invoices, drafts and what was sent; documented fields keep their names."""

from datetime import date, datetime

from pydantic import AliasChoices, Field

from almanac.desks.reminders.api.dependencies import Moment, MoneyBody
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.eligibility import Eligible
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.ledger import Customer, Debt, Hold, HoldKind, Invoice, InvoiceState, Payment
from almanac.desks.reminders.model.plan import PlanLine
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.model.timeline import CustomerTimelineEntry, TimelineKind
from almanac.http.api_models import ApiModel


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
    def of(cls, customer: Customer) -> "CustomerBody":
        return cls.model_validate(customer)


class InvoiceBody(ApiModel):
    """An invoice; amounts are text."""

    customer_id: str
    number: str
    amount: str
    currency: str
    issued: date | None
    due: date
    paid: str
    credited: str
    outstanding: str
    state: InvoiceState
    disputed: bool
    dispute_note: str
    settled_at: datetime | None
    version: int

    @classmethod
    def of(cls, invoice: Invoice) -> "InvoiceBody":
        return cls(
            customer_id=invoice.customer_id,
            number=invoice.number,
            amount=str(invoice.amount.amount),
            currency=invoice.currency,
            issued=invoice.issued,
            due=invoice.due,
            paid=str(invoice.paid.amount),
            credited=str(invoice.credited.amount),
            outstanding=str(invoice.outstanding.amount),
            state=invoice.state,
            disputed=invoice.disputed,
            dispute_note=invoice.dispute_note,
            settled_at=invoice.settled_at,
            version=invoice.version,
        )


class PaymentBody(ApiModel):
    """Money that came in, and how much of it went to which invoice."""

    customer_id: str
    reference: str
    amount: str
    currency: str
    received_at: datetime
    towards: dict[str, str]
    note: str

    @classmethod
    def of(cls, payment: Payment) -> "PaymentBody":
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
    """A reason not to remind: of one invoice, or without a number of everything."""

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
    def of(cls, hold: Hold) -> "HoldBody":
        return cls.model_validate(hold)


class InvoiceFactBody(ApiModel):
    """One invoice as a draft states it."""

    number: str
    outstanding: str
    due: date
    days_overdue: int


class RecordedDecisionBody(ApiModel):
    """Who approved or rejected a draft, and when."""

    by: str
    at: datetime
    note: str


class ReminderDraftBody(ApiModel):
    """A reminder that was not sent yet, or whose sending is under way or in doubt. Approve it by its `content_hash`."""

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
    def of(cls, draft: ReminderDraft) -> "ReminderDraftBody":
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
            overdue_invoices=_facts(draft),
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


def _facts(draft: ReminderDraft) -> list[InvoiceFactBody]:
    facts = draft.facts.invoices if draft.facts else ()
    return [
        InvoiceFactBody(
            number=fact.number, outstanding=str(fact.outstanding), due=fact.due, days_overdue=fact.days_overdue
        )
        for fact in facts
    ]


class SentBody(ApiModel):
    """A reminder that was handed over, with what became of it by recipient. Its bytes are at `/sent/{id}/mail`."""

    id: str
    customer_id: str
    reminder_type: str
    email_subject: str
    email_content: str
    status: str
    sent_date: datetime
    approved_by: str | None
    ses_message_id: str | None
    delivery_status: str | None
    delivery: dict[str, str]
    currency: str | None
    overdue_amount: str | None
    overdue_invoices: list[str]
    template_id: str | None
    template_version: int | None

    @classmethod
    def of(cls, sent: SentReminder) -> "SentBody":
        return cls(
            id=sent.id,
            customer_id=sent.customer_id,
            reminder_type=sent.level,
            email_subject=sent.subject,
            email_content=sent.text,
            status=sent.status,
            sent_date=sent.sent_at,
            approved_by=sent.approved_by,
            ses_message_id=sent.message_id,
            delivery_status=sent.delivery_status,
            delivery=dict(sent.delivery),
            currency=sent.currency,
            overdue_amount=None if sent.amount is None else str(sent.amount),
            overdue_invoices=list(sent.invoices),
            template_id=sent.template_id,
            template_version=sent.template_version,
        )


class RuleCheckBody(ApiModel):
    """One rule that was looked at."""

    rule: str
    passed: bool
    sentence: str


class PlanLineBody(ApiModel):
    """What happens with one customer and currency at a moment, and why. Without a next date, something must happen."""

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
    def of(cls, line: PlanLine) -> "PlanLineBody":
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
            owed=MoneyBody.of(debt.total),
            invoices=list(debt.numbers),
            open_draft=line.open_draft,
            trace=[RuleCheckBody.model_validate(step) for step in decision.trace],
        )


def _going_out(decision: Eligible, debt: Debt) -> str:
    return f"The {decision.level} reminder is next; {debt.total} is overdue."


class PlannedAmount(ApiModel):
    """What would be asked for at one level, in one currency."""

    reminder_type: str
    owed: MoneyBody


class PlanBody(ApiModel):
    """The plan of a moment: those who would be reminded first, then the others with the rule that holds them back."""

    at: Moment
    going_out: int
    held_back: dict[str, int]
    amounts: list[PlannedAmount]
    items: list[PlanLineBody]
    next_cursor: str | None


class CustomerTimelineBody(ApiModel):
    """One moment with a customer; `of` is the id of the invoice, payment, hold, draft or sent reminder."""

    at: datetime
    kind: TimelineKind
    of: str
    sentence: str
    amount: MoneyBody | None
    state: str
    by: str
    note: str

    @classmethod
    def about(cls, entry: CustomerTimelineEntry) -> "CustomerTimelineBody":
        return cls(
            at=entry.at,
            kind=entry.kind,
            of=entry.of,
            sentence=entry.sentence,
            amount=MoneyBody.of(entry.amount) if entry.amount else None,
            state=entry.state,
            by=entry.by,
            note=entry.note,
        )
