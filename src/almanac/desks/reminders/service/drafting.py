"""Drafting reminders: one for a customer, many in a batch, again when the debt changed, and edits by people."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Literal

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders import sending, store
from almanac.desks.reminders.events import tell
from almanac.desks.reminders.model.deciding import Case, Decision, Eligible, NotYet, decide
from almanac.desks.reminders.model.draft import Draft, Facts, Wording
from almanac.desks.reminders.model.notice import Telling
from almanac.desks.reminders.sending.deciding import WRITE, rules_of
from almanac.desks.reminders.service.reaching import with_reach
from almanac.desks.reminders.service.templates import get_template, keep_template, sender_name, template_for
from almanac.desks.reminders.writer.checking import require_stated
from almanac.desks.reminders.writer.composing import by_model, from_template, own_words
from almanac.desks.reminders.writer.html import letter_html
from almanac.desks.reminders.writer.templating import LONGEST_BODY, LONGEST_SUBJECT
from almanac.errors import AlmanacError, Conflict, FieldErrors, InputError, NotFound, Retryable
from almanac.kit.text import one_line
from almanac.services import Services

MOST_AT_ONCE = 100
How = Literal["template", "model"]
Report = Callable[[int, int, str], Awaitable[None]]


class DraftOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one customer and currency in a batch: a draft, or the reason why there is none."""

    customer_id: str
    currency: str = ""
    draft_id: str | None = None
    reason: str = ""


async def draft_reminder(
    services: Services,
    by: Principal,
    customer_id: str,
    *,
    currency: str | None = None,
    level: str | None = None,
    how: How = "template",
) -> Draft:
    """The next reminder of a customer in one currency, with all that is overdue in it.

    A level other than the one whose turn it is, is a Conflict; so is a customer with two currencies and none chosen.
    """
    by.require(WRITE)
    case, eligible = _chosen(await _decisions(services, customer_id), currency)
    if level is not None and level != eligible.level:
        raise Conflict(f"The {eligible.level} reminder is next, not {level[:40]}.", level=eligible.level)
    return await _draft(services, by, case, eligible, how)


async def _decisions(services: Services, customer_id: str, *, automatic: bool = False) -> list[tuple[Case, Decision]]:
    rules, now = await rules_of(services), services.clock.now()
    cases = await with_reach(services, await store.read_cases(services.tables, customer_id))
    return [(case, decide(case, rules, now, automatic=automatic)) for case in cases]


def _chosen(decisions: Sequence[tuple[Case, Decision]], currency: str | None) -> tuple[Case, Eligible]:
    wanted = [(case, decision) for case, decision in decisions if currency in (None, case.currency)]
    eligible = [(case, decision) for case, decision in wanted if isinstance(decision, Eligible)]
    if len(eligible) > 1:
        raise Conflict("This customer owes in several currencies; choose one.", currencies=_currencies(eligible))
    if eligible:
        return eligible[0]
    reasons = [decision.why for _, decision in wanted if isinstance(decision, NotYet)]
    raise Conflict(f"No reminder can be drafted: {reasons[0] if reasons else 'nothing is owed.'}")


def _currencies(decisions: Sequence[tuple[Case, Decision]]) -> list[str]:
    return [case.currency for case, _ in decisions]


async def _draft(services: Services, by: Principal, case: Case, eligible: Eligible, how: How) -> Draft:
    wording = await _worded(services, case, Facts.of(eligible.debt), eligible.level, how)
    rules, now = await rules_of(services), services.clock.now()
    telling = Telling(by, "reminder.drafted", now)
    draft = await store.create_draft(services.tables, eligible, wording, rules=rules, by=by, now=now, tell=telling)
    await tell(services, telling.kept)
    return draft


async def _worded(services: Services, case: Case, facts: Facts, level: str, how: How, instruction: str = "") -> Wording:
    template = await template_for(services, level, case.customer.language)
    if template.created_at is None:
        template = await keep_template(services, template)
    name = sender_name(services)
    if how == "template":
        return from_template(template, case.customer, facts, level=level, sender_name=name)
    return await by_model(
        services.writer, template, case.customer, facts, level=level, sender_name=name, instruction=instruction
    )


async def redraft(services: Services, by: Principal, draft_id: str, *, how: How = "template") -> Draft:
    """Write a draft anew on what is owed now; an approval of what it said before is void."""
    by.require(WRITE)
    wording, facts = await worded_anew(services, draft_id, how=how)
    return await sending.rewrite(services, by, draft_id, wording, facts=facts)


async def worded_anew(
    services: Services, draft_id: str, *, how: How = "template", instruction: str = ""
) -> tuple[Wording, Facts]:
    """The letter of a draft on what is owed now, and what it states."""
    draft = await store.get_draft(services.tables, draft_id)
    case, facts = await require_debt(services, draft)
    return await _worded(services, case, facts, draft.level, how, instruction), facts


async def require_debt(services: Services, draft: Draft) -> tuple[Case, Facts]:
    """What a draft can be written anew on, or why it can't."""
    if draft.currency is None:
        raise Conflict("Another program wrote this draft; draft the reminder here.")
    case = await store.read_case(services.tables, draft.customer_id, draft.currency)
    facts = Facts.of(case.debt(await rules_of(services), services.clock.now()))
    if not facts.invoices:
        raise Conflict("Nothing that may be reminded of is owed any more; cancel the draft.")
    return case, facts


async def edit_draft(
    services: Services, by: Principal, draft_id: str, *, subject: str, text: str, expected: int | None = None
) -> Draft:
    """A person's own words. Amounts, dates and invoice numbers stay those of the ledger, or the edit is refused."""
    by.require(WRITE)
    draft = await store.get_draft(services.tables, draft_id)
    subject = one_line(subject)
    _check_lengths(subject, text)
    html = None
    if draft.facts is not None:
        also = await _own_words_of(services, by, draft)
        require_stated(subject, text, draft.facts, customer_name=draft.customer_name, also=also)
        html = letter_html(text, (await store.get_customer(services.tables, draft.customer_id)).language)
    written = draft.wording.written_by if (subject, text) == (draft.wording.subject, draft.wording.text) else "person"
    wording = replace(draft.wording, subject=subject, text=text, html=html, written_by=written)
    return await sending.rewrite(services, by, draft_id, wording, expected=expected)


def _check_lengths(subject: str, text: str) -> None:
    wrong = {}
    if not 1 <= len(subject) <= LONGEST_SUBJECT:
        wrong["subject"] = f"A subject has 1 to {LONGEST_SUBJECT} characters."
    if not text.strip() or len(text) > LONGEST_BODY:
        wrong["text"] = f"A reminder has 1 to {LONGEST_BODY:,} characters."
    if wrong:
        raise FieldErrors(wrong)


async def _own_words_of(services: Services, by: Principal, draft: Draft) -> Sequence[str]:
    """What the draft's template states by itself; a template that is gone states nothing."""
    if draft.wording.template_id is None:
        return (sender_name(services),)
    try:
        template = await get_template(services, by, draft.wording.template_id, draft.wording.template_version)
    except NotFound:
        return (sender_name(services),)
    return own_words(template, sender_name(services))


async def draft_many(
    services: Services,
    by: Principal,
    customer_ids: Sequence[str],
    report: Report,
    *,
    how: How = "template",
    automatic: bool = False,
) -> list[DraftOutcome]:
    """A draft for each customer and currency that may be reminded now; the others with the reason why not.

    Cut off and repeated, it finds the drafts that are there and makes the rest. With `automatic`, what a person
    rejected isn't drafted again until the debt changes.
    """
    by.require(WRITE)
    if len(customer_ids) > MOST_AT_ONCE:
        raise InputError(f"Draft at most {MOST_AT_ONCE} customers at once.")
    outcomes: list[DraftOutcome] = []
    for done, customer_id in enumerate(dict.fromkeys(customer_ids)):
        await report(done, len(customer_ids), f"Drafting for {customer_id}")
        outcomes += await _draft_all(services, by, customer_id, how, automatic=automatic)
    await report(len(customer_ids), len(customer_ids), "Done")
    return outcomes


async def _draft_all(
    services: Services, by: Principal, customer_id: str, how: How, *, automatic: bool
) -> list[DraftOutcome]:
    try:
        decisions = await _decisions(services, customer_id, automatic=automatic)
    except NotFound as error:
        return [DraftOutcome(customer_id=customer_id, reason=error.sentence)]
    return [await _outcome(services, by, case, decision, how) for case, decision in decisions]


async def _outcome(services: Services, by: Principal, case: Case, decision: Decision, how: How) -> DraftOutcome:
    """An obstacle to one is no obstacle to the others; what may pass later lets the whole batch be tried again."""
    made = DraftOutcome(customer_id=case.customer.id, currency=case.currency)
    if isinstance(decision, NotYet):
        return msgspec.structs.replace(made, reason=decision.why)
    try:
        draft = await _draft(services, by, case, decision, how)
    except Retryable:
        raise
    except FieldErrors as error:
        return msgspec.structs.replace(made, reason=" ".join([error.sentence, *error.fields.values()]))
    except AlmanacError as error:
        return msgspec.structs.replace(made, reason=error.sentence)
    return msgspec.structs.replace(made, draft_id=draft.id)
