"""Why a customer is reminded or not, and what becomes of an invoice: the rules of the ladder as a trace."""

from collections.abc import Sequence

from almanac.desks.reminders import service
from almanac.desks.reminders.indexing import CUSTOMER_KIND, INVOICE_KIND
from almanac.desks.reminders.model.eligibility import Eligible, NotEligible, RuleCheck
from almanac.desks.reminders.model.labels import level_words
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.plan import PlanLine
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.errors import NotFound
from almanac.http.desk import desk_path
from almanac.kit.messages import gettext
from almanac.why import UNKNOWN_SUBJECT, TraceAction, TraceStep, WhyReader, WhySource, WhySubject, WhyTone, WhyTrace
from almanac.why.sentences import future_day, past_day

_NO_INVOICE = gettext("Without an invoice there is nothing to remind of.")
_WAITING_IS_NO_USE = gettext("This doesn't change by waiting.")


async def explain_customer(reader: WhyReader, customer_id: str) -> WhyTrace:
    """The ladder of a customer as of now, all currencies in one trace; what can go out comes first."""
    explanation = await service.explain_customer(reader.services, reader.principal, customer_id)
    return trace_customer(reader, explanation.customer, explanation.lines)


async def explain_invoice(reader: WhyReader, invoice_id: str) -> WhyTrace:
    """An open invoice is explained by its customer's ladder in its currency."""
    customer_id, _, number = invoice_id.rpartition("/")
    history = await service.read_history(reader.services, reader.principal, customer_id)
    invoice = next((other for other in history.invoices if other.number == number), None)
    if invoice is None:
        raise NotFound(UNKNOWN_SUBJECT)
    subject = WhySubject(
        kind=INVOICE_KIND.name,
        id=invoice_id,
        title=gettext("Invoice %(number)s", number=number),
        label=INVOICE_KIND.title,
    )
    href = desk_path("reminders", "customers", customer_id)
    if not invoice.is_open:
        state = gettext("Not reminded: invoice %(number)s is settled.", number=number)
        return WhyTrace(subject=subject, state=state, tone="done", href=href, actions=_open_customer(history.customer))
    explanation = await service.explain_history(reader.services, reader.principal, history)
    lines = [line for line in explanation.lines if line.currency == invoice.currency]
    trace = trace_customer(reader, history.customer, lines)
    due = TraceStep(sentence=gettext("%(total)s is open on this invoice.", total=invoice.outstanding), at=invoice.due)
    return WhyTrace(
        subject=subject,
        state=trace.state,
        tone=trace.tone,
        href=href,
        steps=(due, *trace.steps),
        next_step=trace.next_step,
        actions=trace.actions,
    )


def trace_customer(reader: WhyReader, customer: Customer, lines: Sequence[PlanLine]) -> WhyTrace:
    """One trace of all currencies; the state is that of the first that can go out, or else is under way."""
    traces = {line.currency: trace_line(reader, customer, line) for line in lines}
    if not traces:
        return WhyTrace(
            subject=_subject(customer), state=_NO_INVOICE, href=_path(customer), actions=_open_customer(customer)
        )
    chief = min(lines, key=lambda line: (not line.goes_out, not line.open_draft, line.currency))
    trace, several = traces[chief.currency], len(traces) > 1
    others = [traces[line.currency] for line in lines if line is not chief]
    return WhyTrace(
        subject=trace.subject,
        state=gettext("%(name)s: %(value)s", name=chief.currency, value=trace.state) if several else trace.state,
        tone=trace.tone,
        href=trace.href,
        steps=[step for currency in sorted(traces) for step in _grouped(traces[currency], currency if several else "")],
        next_step=trace.next_step,
        actions=(*(action for each in (trace, *others) for action in each.actions), *_open_customer(customer)),
    )


def trace_line(reader: WhyReader, customer: Customer, line: PlanLine) -> WhyTrace:
    """The rules that were checked for one currency, in their order, and where the check stopped."""
    return WhyTrace(
        subject=_subject(customer),
        state=_state(reader, line),
        tone=_tone(line),
        href=_path(customer),
        steps=[*_last_reminder(line), *(_step(check, line) for check in line.decision.trace)],
        next_step=_next_step(reader, line),
        actions=_actions(reader, customer, line),
    )


def _subject(customer: Customer) -> WhySubject:
    return WhySubject(kind=CUSTOMER_KIND.name, id=customer.id, title=customer.name, label=CUSTOMER_KIND.title)


def _path(customer: Customer) -> str:
    return desk_path("reminders", "customers", customer.id)


def _open_customer(customer: Customer) -> tuple[TraceAction, ...]:
    return (TraceAction(label=gettext("Open customer"), href=_path(customer)),)


def _grouped(trace: WhyTrace, currency: str) -> Sequence[TraceStep]:
    return [
        TraceStep(sentence=step.sentence, tone=step.tone, at=step.at, href=step.href, group=currency)
        for step in trace.steps
    ]


def _state(reader: WhyReader, line: PlanLine) -> str:
    decision = line.decision
    if isinstance(decision, Eligible):
        return gettext(
            "The %(level)s reminder over %(total)s may go out now.",
            level=level_words(decision.level),
            total=decision.debt.total,
        )
    if line.open_draft:
        return decision.why
    if decision.rule == "gap" and line.last_sent is not None:
        when = past_day(reader, line.last_sent)
        if line.last_kept:
            return gettext("Not reminded: the last one was kept here %(when)s; it reached nobody.", when=when)
        return gettext("Not reminded: the last one was sent %(when)s.", when=when)
    return gettext("Not reminded. %(reason)s", reason=decision.why)


def _tone(line: PlanLine) -> WhyTone:
    if line.goes_out:
        return "done"
    return "running" if line.open_draft else "waiting"


def _last_reminder(line: PlanLine) -> Sequence[TraceStep]:
    if line.last_sent is None:
        return ()
    if line.last_kept:
        words = gettext("The last reminder was kept here; it reached nobody.")
        return (TraceStep(sentence=words, tone="waiting", at=line.last_sent),)
    return (TraceStep(sentence=gettext("The last reminder was sent."), tone="done", at=line.last_sent),)


def _step(check: RuleCheck, line: PlanLine) -> TraceStep:
    href = desk_path("reminders", "drafts", line.open_draft) if check.rule == "claim" and line.open_draft else ""
    return TraceStep(sentence=check.sentence, tone="done" if check.passed else "waiting", href=href)


def _next_step(reader: WhyReader, line: PlanLine) -> str:
    if line.goes_out:
        return ""
    if line.next_date is None:
        return _WAITING_IS_NO_USE
    return gettext("Next possible %(day)s.", day=future_day(reader, line.next_date))


def _actions(reader: WhyReader, customer: Customer, line: PlanLine) -> tuple[TraceAction, ...]:
    path, decision = _path(customer), line.decision
    if line.open_draft:
        return (TraceAction(label=gettext("Open draft"), href=desk_path("reminders", "drafts", line.open_draft)),)
    if not reader.may(WRITE) or customer.erased_at is not None:
        return ()
    if isinstance(decision, NotEligible):
        is_address = decision.rule == "address"
        return (TraceAction(label=gettext("Change the address"), href=f"{path}/edit"),) if is_address else ()
    label = gettext("Draft the %(level)s reminder", level=level_words(decision.level))
    return (TraceAction(label=label, href=f"{path}/draft", posts=True, values={"currency": line.currency}),)


WHY = WhySource(
    permission=READ,
    traces={CUSTOMER_KIND.name: explain_customer, INVOICE_KIND.name: explain_invoice},
    documents=frozenset({CUSTOMER_KIND.name, INVOICE_KIND.name}),
    examples=((gettext("A customer"), gettext("Why is or isn't this customer reminded?")),),
)
