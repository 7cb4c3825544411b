"""Demo reminders that were sent in the past, refused or lost. No mail server is ever contacted."""

from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.draft import DebtFacts, LetterWording, ReminderDraft, make_draft_id, make_mail_key
from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.ladder import SentMark
from almanac.desks.reminders.model.sent import worst_delivery_status
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.pipeline.dispatch import build_message, follow_delivery
from almanac.desks.reminders.store.table import SentCopy, SentEmail
from almanac.desks.reminders.store.transactions import ladder_write
from almanac.desks.reminders.writer.letters import write_from_template
from almanac.desks.reminders.writer.templates import get_sender_name, select_template, store_shipped_template
from almanac.errors import AlmanacError
from almanac.kit.clock import FixedClock
from almanac.mail.message import Address
from almanac.mail.port import Envelope, Lookup, MailTransport, Receipt
from almanac.mail.service import Mailer
from almanac.mail.suppression import UnsubscribeLinks
from almanac.services import Services
from tablature import create

# Due in the future, so that no worker sends it; this module does, with its clock set ahead.
_LATER = timedelta(minutes=1)


class FailingTransport(MailTransport):
    """Fails every mail in the same way."""

    name = "demo"

    def __init__(self, failure: AlmanacError) -> None:
        self._failure = failure

    async def send(self, envelope: Envelope) -> Receipt:  # noqa: ARG002 - whatever the mail, it fails
        raise self._failure

    async def find(self, message_id: str) -> Lookup:  # noqa: ARG002 - no mail can be looked up
        return Lookup.CANNOT_TELL

    async def check(self) -> None:
        """Always available."""


async def fail_sending(services: Services, draft: ReminderDraft, failure: AlmanacError) -> None:
    """Let the mail of an approved draft fail first, then mark the draft as being sent."""
    now = services.clock.now()
    mailer = Mailer(
        services.database,
        FailingTransport(failure),
        clock=FixedClock(now + _LATER),
        sender=Address.parse(services.settings.mail_from),
        links=UnsubscribeLinks(services.key("unsubscribe"), services.settings.public_url),
    )
    async with services.database.unit() as unit:
        queued = await mailer.queue(build_message(draft), key=make_mail_key(draft), unit=unit, due_at=now + _LATER)
    await mailer.deliver(queued.id)
    rules = await load_rules(services)
    await store.change_draft(
        services.tables,
        draft.id,
        lambda current, case: transitions.begin_sending(current, case, rules, now),
        rules=rules,
        now=now,
    )
    await follow_delivery(replace(services, mailer=mailer), draft.id)


async def write_sent(
    services: Services, approver: Principal, customer_id: str, currency: str, level: str, at: datetime, status: str
) -> None:
    """Store a reminder that was sent in the past, with its delivery status and its mark on the ladder."""
    case = await store.read_case(services.tables, customer_id, currency)
    facts = DebtFacts.from_debt(case.debt(await load_rules(services), at))
    template = await select_template(services, level, case.customer.language)
    template = await store_shipped_template(services, template) if template.created_at is None else template
    wording = write_from_template(template, case.customer, facts, level=level, sender_name=get_sender_name(services))
    record = _record(case, facts, wording, level, at, status, approver)
    copy = SentCopy(customer_id=customer_id, timestamp=at, reminder_type=level, mail=_mail(services, wording, at))
    mark = SentMark(make_draft_id(customer_id, at), case.ladder.cycle, at)
    await services.tables.transact(ladder_write(case.ladder.with_sent(level, mark)), create(record), create(copy))


def _record(
    case: Case, facts: DebtFacts, wording: LetterWording, level: str, at: datetime, status: str, approver: Principal
) -> SentEmail:
    delivery = dict.fromkeys(wording.recipients, status)
    return SentEmail(
        customer_id=case.customer.id,
        timestamp=at,
        reminder_type=level,
        email_subject=wording.subject,
        email_content=wording.text,
        sent_date=at,
        approved_by=approver.user_id,
        delivery=delivery,
        delivery_status=worst_delivery_status(delivery),
        currency=case.currency,
        cycle=case.ladder.cycle,
        draft_id=make_draft_id(case.customer.id, at),
        template_id=wording.template_id,
        template_version=wording.template_version,
        overdue_amount=facts.total,
        overdue_invoices=[fact.number for fact in facts.invoices],
    )


def _mail(services: Services, wording: LetterWording, at: datetime) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"] = services.settings.mail_from, ", ".join(wording.recipients)
    mail["Subject"], mail["Date"] = wording.subject, format_datetime(at)
    mail.set_content(wording.text)
    return mail.as_bytes()
