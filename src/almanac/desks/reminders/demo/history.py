"""Reminders of the past: written as they would stand now, because no mail of a demo may ever leave."""

from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.draft import Facts, Wording, draft_id
from almanac.desks.reminders.model.ladder import SentMark
from almanac.desks.reminders.model.sent import overall
from almanac.desks.reminders.sending.deciding import rules_of
from almanac.desks.reminders.service.templates import keep_template, sender_name, template_for
from almanac.desks.reminders.store.guarding import ladder_write
from almanac.desks.reminders.table import SentCopy, SentEmail
from almanac.desks.reminders.writer.composing import from_template
from almanac.services import Services
from tablature import create


async def write_sent(
    services: Services, approver: Principal, customer_id: str, currency: str, level: str, at: datetime, news: str
) -> None:
    """One reminder that went out at a moment in the past, what became of it, and its mark on the ladder."""
    case = await store.read_case(services.tables, customer_id, currency)
    facts = Facts.of(case.debt(await rules_of(services), at))
    template = await template_for(services, level, case.customer.language)
    template = await keep_template(services, template) if template.created_at is None else template
    wording = from_template(template, case.customer, facts, level=level, sender_name=sender_name(services))
    record = _record(case, facts, wording, level, at, news, approver)
    copy = SentCopy(customer_id=customer_id, timestamp=at, reminder_type=level, mail=_mail(services, wording, at))
    mark = SentMark(draft_id(customer_id, at), case.ladder.cycle, at)
    await services.tables.transact(ladder_write(case.ladder.with_sent(level, mark)), create(record), create(copy))


def _record(
    case: Case, facts: Facts, wording: Wording, level: str, at: datetime, news: str, approver: Principal
) -> SentEmail:
    delivery = dict.fromkeys(wording.recipients, news)
    return SentEmail(
        customer_id=case.customer.id,
        timestamp=at,
        reminder_type=level,
        email_subject=wording.subject,
        email_content=wording.text,
        sent_date=at,
        approved_by=approver.user_id,
        delivery=delivery,
        delivery_status=overall(delivery),
        currency=case.currency,
        cycle=case.ladder.cycle,
        draft_id=draft_id(case.customer.id, at),
        template_id=wording.template_id,
        template_version=wording.template_version,
        overdue_amount=facts.total,
        overdue_invoices=[fact.number for fact in facts.invoices],
    )


def _mail(services: Services, wording: Wording, at: datetime) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"] = services.settings.mail_from, ", ".join(wording.recipients)
    mail["Subject"], mail["Date"] = wording.subject, format_datetime(at)
    mail.set_content(wording.text)
    return mail.as_bytes()
