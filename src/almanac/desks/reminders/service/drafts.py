"""Drafts: list them, draft and redraft reminders, edit them, and have the model write them."""

from collections.abc import Sequence
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.jobs import WRITE_DRAFT, StartedJob
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.eligibility import (
    Case,
    EligibilityDecision,
    Eligible,
    NotEligible,
)
from almanac.desks.reminders.model.labels import level_words
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.permissions import APPROVE, READ, SEND, WRITE
from almanac.desks.reminders.pipeline.drafts import (
    WritingMethod,
    check_customer_eligibility,
    create_draft_for,
    replace_wording,
    require_current_debt,
    reword_draft,
)
from almanac.desks.reminders.pipeline.model_letters import ModelWriting, load_writing, save_writing
from almanac.desks.reminders.service.templates import get_template
from almanac.desks.reminders.writer.checks import require_stated
from almanac.desks.reminders.writer.letters import letter_html, template_words
from almanac.desks.reminders.writer.templates import (
    MAX_BODY,
    MAX_SUBJECT,
    get_sender_name,
)
from almanac.errors import Conflict, FieldErrors, NotFound
from almanac.http.desk import MAX_COUNTED
from almanac.kit.ids import Seed, new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.kit.text import one_line
from almanac.services import Services

MOST_APPROVALS = 1000


async def list_drafts(
    services: Services, by: Principal, state: DraftState = "draft", *, limit: int = 25, cursor: str | None = None
) -> Page[ReminderDraft]:
    """Drafts in one state, the oldest first. `unknown` ones may or may not have been sent."""
    by.require(READ)
    return await store.list_drafts(services.tables, state, limit=limit, cursor=cursor)


async def get_draft(services: Services, by: Principal, draft_id: str) -> ReminderDraft:
    """One draft. NotFound after it was sent, because a sent reminder isn't a draft any more."""
    by.require(READ)
    return await store.get_draft(services.tables, draft_id)


async def count_waiting(services: Services, by: Principal) -> int:
    """How many reminders this person can approve or settle now."""
    waiting = await store.count_drafts(services.tables, "draft", upto=MAX_COUNTED) if by.may(APPROVE) else 0
    return waiting + (await store.count_drafts(services.tables, "unknown", upto=MAX_COUNTED) if by.may(SEND) else 0)


async def count_approvals(services: Services, by: Principal) -> int:
    """How many reminders are in this person's queue of approvals."""
    return await store.count_drafts(services.tables, "draft", upto=MOST_APPROVALS) if by.may(APPROVE) else 0


async def draft_reminder(
    services: Services,
    by: Principal,
    customer_id: str,
    *,
    currency: str | None = None,
    level: str | None = None,
    how: WritingMethod = "template",
    seed: Seed | None = None,
) -> ReminderDraft:
    """Draft the customer's next reminder in one currency, with everything overdue in it.

    Conflict if `level` isn't the next one, or if the customer owes in several currencies and none is chosen. A draft
    that an earlier try of the request made is returned.
    """
    by.require(WRITE)
    cases = await check_customer_eligibility(services, customer_id)
    if seed and seed.is_repeated:
        for case, _ in cases:
            drafted = case.ladder.open
            if drafted and drafted.since >= seed.at.replace(microsecond=0) and currency in (None, case.currency):
                return await store.get_draft(services.tables, drafted.draft_id)
    case, eligible = _choose_case(cases, currency)
    if level is not None and level != eligible.level:
        raise Conflict(
            gettext(
                "The %(level)s reminder is next, not %(other)s.",
                level=level_words(eligible.level),
                other=level_words(level[:40]),
            ),
            level=eligible.level,
        )
    return await create_draft_for(services, by, case, eligible, how)


def _choose_case(decisions: Sequence[tuple[Case, EligibilityDecision]], currency: str | None) -> tuple[Case, Eligible]:
    matching = [(case, decision) for case, decision in decisions if currency in (None, case.currency)]
    eligible = [(case, decision) for case, decision in matching if isinstance(decision, Eligible)]
    if len(eligible) > 1:
        raise Conflict(
            gettext("This customer owes in several currencies; choose one."), currencies=_currencies(eligible)
        )
    if eligible:
        return eligible[0]
    reasons = [decision.why for _, decision in matching if isinstance(decision, NotEligible)]
    raise Conflict(
        gettext("No reminder can be drafted: %(why)s", why=reasons[0] if reasons else gettext("nothing is owed."))
    )


def _currencies(decisions: Sequence[tuple[Case, EligibilityDecision]]) -> list[str]:
    return [case.currency for case, _ in decisions]


async def redraft(
    services: Services, by: Principal, draft_id: str, *, how: WritingMethod = "template"
) -> ReminderDraft:
    """Rewrite a draft from what is owed now. An earlier approval no longer counts."""
    by.require(WRITE)
    wording, facts = await reword_draft(services, draft_id, how=how)
    return await replace_wording(services, by, draft_id, wording, facts=facts)


async def edit_draft(
    services: Services, by: Principal, draft_id: str, *, subject: str, text: str, expected: int | None = None
) -> ReminderDraft:
    """Save a person's own text. FieldErrors if it states amounts, dates or invoice numbers the ledger doesn't have."""
    by.require(WRITE)
    draft = await store.get_draft(services.tables, draft_id)
    subject = one_line(subject)
    _check_lengths(subject, text)
    html = None
    if draft.facts is not None:
        also = await _template_words(services, by, draft)
        require_stated(subject, text, draft.facts, customer_name=draft.customer_name, also=also)
        html = letter_html(text, (await store.get_customer(services.tables, draft.customer_id)).language)
    written = draft.wording.written_by if (subject, text) == (draft.wording.subject, draft.wording.text) else "person"
    wording = replace(draft.wording, subject=subject, text=text, html=html, written_by=written)
    return await replace_wording(services, by, draft_id, wording, expected=expected)


def _check_lengths(subject: str, text: str) -> None:
    errors = {}
    if not 1 <= len(subject) <= MAX_SUBJECT:
        errors["subject"] = gettext("A subject has 1 to %(limit)s characters.", limit=MAX_SUBJECT)
    if not text.strip() or len(text) > MAX_BODY:
        errors["text"] = gettext("A reminder has 1 to %(limit)s characters.", limit=f"{MAX_BODY:,}")
    if errors:
        raise FieldErrors(errors)


async def _template_words(services: Services, by: Principal, draft: ReminderDraft) -> Sequence[str]:
    """Figures that the draft's template states itself, which an edit may keep; only the sender's name if it is gone."""
    if draft.wording.template_id is None:
        return (get_sender_name(services),)
    try:
        template = await get_template(services, by, draft.wording.template_id, draft.wording.template_version)
    except NotFound:
        return (get_sender_name(services),)
    return template_words(template, get_sender_name(services))


async def start_model_writing(
    services: Services, by: Principal, draft_id: str, *, instruction: str = "", seed: Seed | None = None
) -> StartedJob:
    """Queue a job in which the model rewrites a draft from what is owed now; `instruction` goes to the model.

    With the same seed it is the same writing, and at most one job waits for it.
    """
    by.require(WRITE)
    draft = await store.get_draft(services.tables, draft_id)
    await require_current_debt(services, draft)
    writing_id = seed.id("writing") if seed else new_id()
    args = {
        "writing_id": writing_id,
        "draft_id": draft_id,
        "user_id": by.user_id,
        "version": draft.version,
        "instruction": instruction,
    }
    return StartedJob(
        writing_id, await services.jobs.defer(WRITE_DRAFT, args, queueing_lock=f"reminders.writing:{writing_id}")
    )


async def get_model_writing(services: Services, by: Principal, draft_id: str, writing_id: str) -> ModelWriting:
    """What the model wrote, and whether it is in the draft. NotFound until it has finished."""
    by.require(READ)
    writing = await load_writing(services, draft_id, writing_id) if "/" not in f"{draft_id}{writing_id}" else None
    if writing is None:
        raise NotFound(gettext("This text doesn't exist, the model is still writing it, or it is over a month old."))
    return writing


async def use_model_writing(services: Services, by: Principal, draft_id: str, writing_id: str) -> ReminderDraft:
    """Replace the draft's text by the model's text that was kept aside."""
    by.require(WRITE)
    writing = await get_model_writing(services, by, draft_id, writing_id)
    wording = writing.wording
    draft = await edit_draft(services, by, writing.draft_id, subject=wording.subject, text=wording.text)
    await save_writing(services, writing_id, replace(writing, aside=""))
    return draft
