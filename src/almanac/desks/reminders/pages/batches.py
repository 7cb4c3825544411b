"""Batches of drafts: review before approval, decisions with the outcome of each, undo, and drafting for many."""

from datetime import timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.approvals.rules import check_note
from almanac.desks.reminders import service, store
from almanac.desks.reminders.jobs import DRAFT_MANY
from almanac.desks.reminders.pages.form_values import parse_count_field
from almanac.desks.reminders.pages.job_progress import JobId, JobPage, get_job_detail, get_outcome
from almanac.desks.reminders.pages.layout import (
    PREFIX,
    Approver,
    Name,
    Reader,
    Writer,
    address,
    desk_page,
)
from almanac.desks.reminders.service.batches import (
    BatchDecision,
    DecisionOutcome,
    SeenDraft,
    approve_many,
    get_batch,
    load_selection,
    parse_selection,
    reject_many,
    review_batch,
    save_batch,
    snooze_many,
    undo_batch,
)
from almanac.desks.reminders.service.decisions import UNDO_WINDOW, get_undo_window
from almanac.errors import InputError, NotFound
from almanac.http.app_state import get_state
from almanac.http.live import ShownJobs
from almanac.http.pages import FormText, FormTexts, redirect_with_message
from almanac.kit.messages import gettext, join_sentences, ngettext

router = APIRouter(prefix=PREFIX)
DRAFTING = JobPage(task=DRAFT_MANY, named_by="batch_id", label=gettext("Drafting reminders"), target="batch")


@router.post("/review")
async def show_review(request: Request, principal: Approver, chosen: FormTexts = None) -> Response:
    """Summarize what approving the selected drafts would send: number, amounts, levels and recipients."""
    selection = parse_selection(chosen or ())
    review = await review_batch(get_state(request).services, principal, selection)
    return await desk_page(request, "queue", "review", review=review, undo_for=UNDO_WINDOW)


@router.post("/review/approve")
async def approve_selection(request: Request, principal: Approver, chosen: FormTexts = None) -> Response:
    """Approve the selected drafts, each as reviewed."""
    verdicts = await approve_many(
        get_state(request).services,
        principal,
        parse_selection(chosen or ()),
        send_after=get_undo_window(principal),
    )
    return await _show_summary(request, "approved", verdicts)


@router.post("/review/reject")
async def reject_selection(
    request: Request, principal: Approver, chosen: FormTexts = None, note: FormText = ""
) -> Response:
    """Reject the selected drafts with one note; if it is missing, ask for it and keep the selection."""
    selection = parse_selection(chosen or ())
    try:
        check_note("rejected", note)
    except InputError as error:
        return await _ask_for_note(request, principal, selection, note, error)
    verdicts = await reject_many(get_state(request).services, principal, selection, note=note)
    return await _show_summary(request, "rejected", verdicts)


@router.post("/review/snooze")
async def snooze_selection(
    request: Request, principal: Approver, chosen: FormTexts = None, days: FormText = ""
) -> Response:
    """Snooze the selected drafts for some days."""
    services, selection = get_state(request).services, parse_selection(chosen or ())
    until = services.clock.now() + timedelta(days=parse_count_field(days, "days"))
    return await _show_summary(request, "snoozed", await snooze_many(services, principal, selection, until=until))


async def _ask_for_note(
    request: Request, principal: Principal, selection: list[SeenDraft], note: str, error: InputError
) -> Response:
    """Ask for the missing note and keep the selection."""
    drafts = await load_selection(get_state(request).services, principal, selection)
    return await desk_page(
        request, "queue", "ask", status_code=error.status, looked=drafts, note=note, error=error.sentence
    )


async def _show_summary(request: Request, decision: BatchDecision, verdicts: list[DecisionOutcome]) -> Response:
    """Redirect to the page of the batch, with a message that counts decided and skipped drafts."""
    batch = await save_batch(get_state(request).services, decision, verdicts)
    decided = sum(verdict.decided for verdict in verdicts)
    words, skipped = _count_decided(decision, decided), len(verdicts) - decided
    others = ngettext("%(num)s other left as it was.", "%(num)s others left as they were.", skipped)
    message = join_sentences([words, others]) if skipped else words
    return redirect_with_message(
        request, address("together", batch), message, undo=address("together", batch, "undo") if decided else ""
    )


def _count_decided(decision: BatchDecision, count: int) -> str:
    if decision == "approved":
        return ngettext("%(num)s reminder approved.", "%(num)s reminders approved.", count)
    if decision == "rejected":
        return ngettext("%(num)s reminder rejected.", "%(num)s reminders rejected.", count)
    return ngettext("%(num)s reminder snoozed.", "%(num)s reminders snoozed.", count)


@router.get("/together/{batch}")
async def show_batch(request: Request, batch: Name, principal: Reader) -> Response:
    """Show the outcome and the current state of each draft of a batch."""
    services = get_state(request).services
    decided = await get_batch(services, principal, batch)
    drafts = await store.find_drafts(services.tables, [outcome.draft_id for outcome in decided.verdicts])
    rows = [(outcome, drafts.get(outcome.draft_id)) for outcome in decided.verdicts]
    gone = [outcome.customer_id for outcome, draft in rows if draft is None and outcome.customer_id]
    return await desk_page(
        request,
        "queue",
        "together",
        batch=batch,
        decision=decided.decision,
        standing=rows,
        undoable=sum(
            outcome.decided and draft is not None and draft.state == decided.decision for outcome, draft in rows
        ),
        customers=await store.find_customers(services.tables, gone),
    )


@router.post("/together/{batch}/undo")
async def undo_decided_batch(request: Request, batch: Name, principal: Approver) -> Response:
    """Undo the batch for those drafts that are still as it left them."""
    back, gone = await undo_batch(get_state(request).services, principal, batch)
    words = ngettext("%(num)s reminder back in the queue.", "%(num)s reminders back in the queue.", back)
    changed = ngettext("%(num)s other had changed.", "%(num)s others had changed.", gone)
    return redirect_with_message(request, PREFIX, join_sentences([words, changed]) if gone else words)


@router.post("/draft")
async def start_drafting(
    request: Request, principal: Writer, customer: FormTexts = None, how: FormText = "template"
) -> Response:
    """Draft reminders for these customers, or for everybody who is due."""
    started = await service.start_drafting(
        get_state(request).services, principal, customer or None, how="model" if how == "model" else "template"
    )
    return redirect_with_message(request, f"{address('drafted', started.id)}?job={started.job_id}")


@router.get("/drafted/{batch}")
async def show_drafted(request: Request, batch: Name, principal: Reader, job: JobId = None) -> Response:
    """Show the progress of a drafting job, then its outcomes."""
    services = get_state(request).services
    running = DRAFTING.running(await get_job_detail(services, job), batch, address("drafted", batch))
    outcomes = await get_outcome(running, service.get_draft_batch(services, principal, batch))
    ids = [outcome.customer_id for outcome in outcomes or ()]
    customers = await store.find_customers(services.tables, ids)
    return await desk_page(
        request, "plan", "drafted", running=running, outcomes=outcomes, batch=batch, customers=customers
    )


@router.get("/drafted/{batch}/live")
async def follow_drafting(request: Request, batch: Name, principal: Reader, shown: ShownJobs = None) -> Response:
    """Stream the progress of a drafting job."""
    if not shown:
        raise NotFound(gettext("This batch isn't running."))
    return await DRAFTING.follow(request, principal, batch, shown, address("drafted", batch))
