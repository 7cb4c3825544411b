"""Drafting: the letter of a case, its draft, and drafts for many customers in one batch."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import publish_events
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.draft import DebtFacts, LetterWording, ReminderDraft
from almanac.desks.reminders.model.eligibility import (
    Case,
    EligibilityDecision,
    Eligible,
    NotEligible,
    check_eligibility,
)
from almanac.desks.reminders.model.outbox import DraftEventRecorder
from almanac.desks.reminders.permissions import WRITE
from almanac.desks.reminders.pipeline.context import DecisionContext, load_rules, update_draft
from almanac.desks.reminders.pipeline.plan import with_suppressed
from almanac.desks.reminders.writer.letters import write_by_model, write_from_template
from almanac.desks.reminders.writer.templates import (
    get_sender_name,
    select_template,
    store_shipped_template,
)
from almanac.errors import AlmanacError, Conflict, FieldErrors, InputError, NotFound, Retryable
from almanac.kit.messages import gettext
from almanac.kit.progress import Progress
from almanac.services import Services

MAX_BATCH_SIZE = 100
WritingMethod = Literal["template", "model"]


class DraftOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one customer and currency of a batch: a draft, or the reason why there is none."""

    customer_id: str
    currency: str = ""
    draft_id: str | None = None
    reason: str = ""


async def draft_many(
    services: Services,
    by: Principal,
    customer_ids: Sequence[str],
    progress: Progress,
    *,
    how: WritingMethod = "template",
    automatic: bool = False,
) -> list[DraftOutcome]:
    """A draft for each customer and currency that is eligible now, and the reason for each that isn't.

    It can be repeated after a crash: existing drafts are found and the rest is drafted. With `automatic`, a debt whose
    draft a person rejected isn't drafted again until it changes.
    """
    by.require(WRITE)
    if len(customer_ids) > MAX_BATCH_SIZE:
        raise InputError(gettext("Draft for at most %(limit)s customers at once.", limit=MAX_BATCH_SIZE))
    outcomes: list[DraftOutcome] = []
    for done, customer_id in enumerate(dict.fromkeys(customer_ids)):
        await progress(done, len(customer_ids), gettext("Drafting for %(customer_id)s", customer_id=customer_id))
        outcomes += await _draft_customer(services, by, customer_id, how, automatic=automatic)
    await progress(len(customer_ids), len(customer_ids), gettext("Done"))
    return outcomes


async def _draft_customer(
    services: Services, by: Principal, customer_id: str, how: WritingMethod, *, automatic: bool
) -> list[DraftOutcome]:
    try:
        decisions = await check_customer_eligibility(services, customer_id, automatic=automatic)
    except NotFound as error:
        return [DraftOutcome(customer_id=customer_id, reason=str(error.sentence))]
    return [await _draft_case(services, by, case, decision, how) for case, decision in decisions]


async def _draft_case(
    services: Services, by: Principal, case: Case, decision: EligibilityDecision, how: WritingMethod
) -> DraftOutcome:
    """A failure becomes this case's reason, so that others go on; only a Retryable one stops the batch."""
    outcome = DraftOutcome(customer_id=case.customer.id, currency=case.currency)
    if isinstance(decision, NotEligible):
        return msgspec.structs.replace(outcome, reason=decision.why)
    try:
        draft = await create_draft_for(services, by, case, decision, how)
    except Retryable:
        raise
    except FieldErrors as error:
        return msgspec.structs.replace(outcome, reason=" ".join([str(error.sentence), *error.fields.values()]))
    except AlmanacError as error:
        return msgspec.structs.replace(outcome, reason=str(error.sentence))
    return msgspec.structs.replace(outcome, draft_id=draft.id)


async def check_customer_eligibility(
    services: Services, customer_id: str, *, automatic: bool = False
) -> list[tuple[Case, EligibilityDecision]]:
    """The customer's cases, one per currency, each with whether it is eligible now."""
    rules, now = await load_rules(services), services.clock.now()
    cases = await with_suppressed(services, await store.read_cases(services.tables, customer_id))
    return [(case, check_eligibility(case, rules, now, automatic=automatic)) for case in cases]


async def create_draft_for(
    services: Services, by: Principal, case: Case, eligible: Eligible, how: WritingMethod
) -> ReminderDraft:
    """Write the letter of an eligible case and store it as a draft. Conflict if the debt changed meanwhile."""
    wording = await _write_letter(services, case, DebtFacts.from_debt(eligible.debt), eligible.level, how)
    rules, now = await load_rules(services), services.clock.now()
    recorder = DraftEventRecorder(by, "reminder.drafted", now)
    draft = await store.create_draft(
        services.tables, eligible, wording, rules=rules, by=by, now=now, record_event=recorder
    )
    await publish_events(services, recorder.entry)
    return draft


async def _write_letter(
    services: Services, case: Case, facts: DebtFacts, level: str, how: WritingMethod, instruction: str = ""
) -> LetterWording:
    template = await select_template(services, level, case.customer.language)
    if template.created_at is None:
        template = await store_shipped_template(services, template)
    name = get_sender_name(services)
    if how == "template":
        return write_from_template(template, case.customer, facts, level=level, sender_name=name)
    return await write_by_model(
        services.writer, template, case.customer, facts, level=level, sender_name=name, instruction=instruction
    )


async def reword_draft(
    services: Services, draft_id: str, *, how: WritingMethod = "template", instruction: str = ""
) -> tuple[LetterWording, DebtFacts]:
    """A new letter for a draft from what is owed now, and the facts it states."""
    draft = await store.get_draft(services.tables, draft_id)
    case, facts = await require_current_debt(services, draft)
    return await _write_letter(services, case, facts, draft.level, how, instruction), facts


async def require_current_debt(services: Services, draft: ReminderDraft) -> tuple[Case, DebtFacts]:
    """The case and facts to rewrite a draft from. Conflict if nothing is owed, or another program wrote it."""
    if draft.currency is None:
        raise Conflict(gettext("Another program wrote this draft; draft the reminder here."))
    case = await store.read_case(services.tables, draft.customer_id, draft.currency)
    facts = DebtFacts.from_debt(case.debt(await load_rules(services), services.clock.now()))
    if not facts.invoices:
        raise Conflict(gettext("Nothing is owed any more; cancel the draft."))
    return case, facts


async def replace_wording(
    services: Services,
    by: Principal,
    draft_id: str,
    wording: LetterWording,
    *,
    facts: DebtFacts | None = None,
    expected: int | None = None,
) -> ReminderDraft:
    """Replace the text of a draft, with `facts` also what it is based on. An earlier approval no longer counts."""
    by.require(WRITE)

    def change(draft: ReminderDraft, case: Case, _: DecisionContext) -> ReminderDraft:
        return transitions.rewrite(draft, case, wording, by, facts)

    return await update_draft(services, by, draft_id, change, "reminder.edited", expected=expected)
