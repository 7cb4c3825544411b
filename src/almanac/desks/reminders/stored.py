"""From stored items to the model and back. Items of other programs lack what is ours; it gets its meaning here."""

from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from almanac.approvals import Person
from almanac.desks.reminders import table
from almanac.desks.reminders.model.draft import Draft, Wording, Writing, draft_id
from almanac.desks.reminders.model.ladder import Ladder
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, Payment, folded
from almanac.desks.reminders.model.rules import LadderRules
from almanac.desks.reminders.model.sent import SentReminder
from almanac.kit.money import Money

_WRITING: dict[str | None, Writing] = {"template": "template", "model": "model", "person": "person"}


def customer_from(item: table.Customer) -> Customer:
    return Customer(
        id=item.customer_id,
        name=item.name,
        email=item.email,
        more_recipients=tuple(item.more_recipients),
        language=item.language,
        time_zone=item.time_zone,
        opted_out=item.opted_out,
        never_remind=item.never_remind,
        notes=item.notes or "",
        version=item.version,
        created_at=item.created_at,
        erased_at=item.erased_at,
    )


def stored_customer(customer: Customer) -> table.Customer:
    assert customer.created_at is not None
    return table.Customer(
        customer_id=customer.id,
        name=customer.name,
        sort_name=folded(customer.name),
        email=customer.email,
        more_recipients=list(customer.more_recipients),
        language=customer.language,
        time_zone=customer.time_zone,
        opted_out=customer.opted_out,
        never_remind=customer.never_remind,
        notes=customer.notes or None,
        created_at=customer.created_at,
        erased_at=customer.erased_at,
        version=customer.version,
    )


def invoice_from(item: table.Invoice) -> Invoice:
    return Invoice(
        customer_id=item.customer_id,
        number=item.number,
        amount=Money(item.amount, item.currency),
        issued=item.issued,
        due=item.due,
        paid=_money(item.paid, item.currency),
        credited=_money(item.credited, item.currency),
        disputed=item.disputed,
        dispute_note=item.dispute_note or "",
        settled_at=item.settled_at,
        version=item.version,
    )


def _money(amount: Decimal, currency: str) -> Money:
    """Most invoices have nothing paid and nothing credited, and nothing is the same for all of them."""
    return Money(amount, currency) if amount else _nothing(currency)


@lru_cache(maxsize=256)
def _nothing(currency: str) -> Money:
    return Money.zero(currency)


def stored_invoice(invoice: Invoice) -> table.Invoice:
    return table.Invoice(
        customer_id=invoice.customer_id,
        number=invoice.number,
        amount=invoice.amount.amount,
        currency=invoice.currency,
        issued=invoice.issued,
        due=invoice.due,
        paid=invoice.paid.amount,
        credited=invoice.credited.amount,
        disputed=invoice.disputed,
        dispute_note=invoice.dispute_note or None,
        state=invoice.state,
        settled_at=invoice.settled_at,
        version=invoice.version,
    )


def payment_from(item: table.Payment) -> Payment:
    return Payment(
        customer_id=item.customer_id,
        id=item.payment_id,
        amount=Money(item.amount, item.currency),
        received_at=item.received_at,
        towards=dict(item.towards),
        note=item.note or "",
        recorded_by=item.recorded_by or "",
    )


def stored_payment(payment: Payment) -> table.Payment:
    return table.Payment(
        customer_id=payment.customer_id,
        payment_id=payment.id,
        amount=payment.amount.amount,
        currency=payment.amount.currency,
        received_at=payment.received_at,
        towards=payment.towards,
        note=payment.note or None,
        recorded_by=payment.recorded_by or None,
    )


def hold_from(item: table.Hold) -> Hold:
    return Hold(
        customer_id=item.customer_id,
        id=item.hold_id,
        kind=item.kind,
        invoice=item.invoice,
        until=item.until,
        note=item.note or "",
        by=item.by or "",
        created_at=item.created_at,
        lifted_at=item.lifted_at,
        lifted_by=item.lifted_by or "",
    )


def stored_hold(hold: Hold) -> table.Hold:
    assert hold.created_at is not None
    return table.Hold(
        customer_id=hold.customer_id,
        hold_id=hold.id,
        kind=hold.kind,
        invoice=hold.invoice,
        until=hold.until,
        note=hold.note or None,
        by=hold.by or None,
        created_at=hold.created_at,
        lifted_at=hold.lifted_at,
        lifted_by=hold.lifted_by or None,
        state="lifted" if hold.lifted_at else "standing",
    )


def ladder_from(item: table.Ladder) -> Ladder:
    return Ladder(
        customer_id=item.customer_id,
        currency=item.currency,
        cycle=item.cycle,
        open=item.open,
        sent=dict(item.sent),
        declined=item.declined,
        version=item.version,
    )


def stored_ladder(ladder: Ladder) -> table.Ladder:
    return table.Ladder(
        customer_id=ladder.customer_id,
        currency=ladder.currency,
        cycle=ladder.cycle,
        open=ladder.open,
        sent=dict(ladder.sent),
        declined=ladder.declined,
        version=ladder.version,
    )


def rules_from(item: table.Rules, time_zone: str) -> LadderRules:
    return LadderRules(
        levels=tuple(item.levels),
        grace_days=item.grace_days,
        business_days_only=item.business_days_only,
        holidays=frozenset(item.holidays),
        time_zone=time_zone,
        version=item.version,
    )


def stored_rules(rules: LadderRules) -> table.Rules:
    return table.Rules(
        levels=list(rules.levels),
        grace_days=rules.grace_days,
        business_days_only=rules.business_days_only,
        holidays=sorted(rules.holidays),
        version=rules.version,
    )


def draft_from(item: table.EmailDraft) -> Draft:
    author = item.created_by or ""
    return Draft(
        id=draft_id(item.customer_id, item.timestamp),
        customer_id=item.customer_id,
        customer_name=item.customer_name or "",
        level=item.reminder_type,
        currency=item.currency,
        cycle=item.cycle or 0,
        state=item.status,
        wording=_wording(item),
        facts=item.facts,
        created_at=item.created_date,
        created_by=Person(author, item.created_by_name or author),
        authors=frozenset(item.authors or ()),
        approved=item.decided,
        reason=item.reason or "",
        outdated=item.outdated or "",
        snoozed_until=item.snoozed_until,
        send_at=item.send_at,
        mail_key=item.mail_key,
        mail_id=item.mail_id,
        expires_at=item.expires_at,
        version=item.revision or 0,
    )


def _wording(item: table.EmailDraft) -> Wording:
    known = item.recipients if item.recipients is not None else [item.customer_email] if item.customer_email else []
    return Wording(
        subject=item.email_subject,
        text=item.email_content,
        recipients=tuple(known),
        html=item.email_html,
        template_id=item.template_id,
        template_version=item.template_version,
        written_by=_WRITING.get(item.written_by, "template"),
    )


def draft_fields(draft: Draft) -> dict[str, Any]:
    """Everything of a draft that may change, by field; None removes it."""
    wording = draft.wording
    return {
        "status": draft.state,
        "email_subject": wording.subject,
        "email_content": wording.text,
        "email_html": wording.html,
        "recipients": list(wording.recipients),
        "customer_email": wording.recipients[0] if wording.recipients else None,
        "template_id": wording.template_id,
        "template_version": wording.template_version,
        "written_by": wording.written_by,
        "facts": draft.facts,
        "overdue_amount": draft.facts.total if draft.facts else None,
        "overdue_invoices": [fact.number for fact in draft.facts.invoices] if draft.facts else [],
        "authors": sorted(draft.authors),
        "decided": draft.approved,
        "reason": draft.reason or None,
        "outdated": draft.outdated or None,
        "snoozed_until": draft.snoozed_until,
        "send_at": draft.send_at,
        "mail_key": draft.mail_key,
        "mail_id": draft.mail_id,
        "expires_at": draft.expires_at,
        "revision": draft.version,
    }


def new_draft(draft: Draft, moment: datetime) -> table.EmailDraft:
    """The item of a draft that is not stored yet."""
    return table.EmailDraft(
        customer_id=draft.customer_id,
        timestamp=moment,
        customer_name=draft.customer_name,
        reminder_type=draft.level,
        created_date=draft.created_at,
        created_by=draft.created_by.id,
        created_by_name=draft.created_by.name,
        currency=draft.currency,
        cycle=draft.cycle,
        **draft_fields(draft),
    )


def sent_id(customer_id: str, moment: datetime, level: str) -> str:
    """The id by which people and programs name a sent mail."""
    return f"{moment:%Y%m%d_%H%M%S}_{level}@{customer_id}"


def sent_from(item: table.SentEmail) -> SentReminder:
    return SentReminder(
        id=sent_id(item.customer_id, item.timestamp, item.reminder_type),
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
