"""Many drafts at once: what would go out before it goes, what became of each, and batches that were drafted."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.reminders import bulk, store
from almanac.desks.reminders.approving import (
    UNDO_FOR,
    approve_many,
    parse_chosen,
    review,
    undo_many,
    verdicts_of,
)
from almanac.desks.reminders.pages.frame import PREFIX, Approver, Author, Name, Reader, address, desk_page
from almanac.desks.reminders.pages.long_work import JobId, LongWork, detail_of, outcome_of
from almanac.errors import NotFound
from almanac.http.forms import Word, Words, back_to
from almanac.http.live import ShownJobs
from almanac.http.surface import surface_of
from almanac.kit.text import counted

router = APIRouter(prefix=PREFIX)
DRAFTING = LongWork(task=bulk.DRAFT_MANY, named_by="batch_id", label="Drafting reminders", target="batch")


@router.post("/review")
async def show_review(request: Request, principal: Approver, chosen: Words = None) -> Response:
    """A summary of what approving the chosen drafts sends: how many, how much, which levels, to whom."""
    wanted = parse_chosen(chosen or ())
    found = await review(surface_of(request).services, principal, wanted)
    return await desk_page(request, "queue", "review", review=found, undo_for=UNDO_FOR)


@router.post("/review/approve")
async def approve_chosen(request: Request, principal: Approver, chosen: Words = None) -> Response:
    """Approve them, each as it was seen."""
    services = surface_of(request).services
    batch = await approve_many(services, principal, parse_chosen(chosen or ()))
    many = sum(verdict.approved for verdict in await verdicts_of(services, principal, batch))
    words = f"{counted(many, 'reminder')} approved."
    return back_to(request, address("approved", batch), words, undo=address("approved", batch, "undo"))


@router.get("/approved/{batch}")
async def show_approved(request: Request, batch: Name, principal: Reader) -> Response:
    """What became of each draft of a batch, as it stands now."""
    services = surface_of(request).services
    verdicts = await verdicts_of(services, principal, batch)
    standing = [(one, await store.find_draft(services.tables, one.draft_id)) for one in verdicts]
    undoable = sum(draft is not None and draft.state == "approved" for _, draft in standing)
    return await desk_page(request, "queue", "approved", batch=batch, standing=standing, undoable=undoable)


@router.post("/approved/{batch}/undo")
async def undo_approved(request: Request, batch: Name, principal: Approver) -> Response:
    """Take the batch back, as far as nothing of it is being sent."""
    back, gone = await undo_many(surface_of(request).services, principal, batch)
    words = f"{counted(back, 'reminder')} back in the queue."
    return back_to(request, PREFIX, f"{words} {counted(gone, 'other')} had left." if gone else words)


@router.post("/draft")
async def start_drafting(
    request: Request, principal: Author, customer: Words = None, how: Word = "template"
) -> Response:
    """Draft reminders for these customers, or for everybody whose turn it is."""
    started = await bulk.start_drafting(
        surface_of(request).services, principal, customer or None, how="model" if how == "model" else "template"
    )
    return back_to(request, f"{address('drafted', started.id)}?job={started.job_id}")


@router.get("/drafted/{batch}")
async def show_drafted(request: Request, batch: Name, principal: Reader, job: JobId = None) -> Response:
    """What a batch of drafting came to; while it runs, how far it is."""
    services = surface_of(request).services
    running = DRAFTING.running(await detail_of(services, job), batch, address("drafted", batch))
    outcomes = await outcome_of(running, bulk.drafted(services, principal, batch))
    return await desk_page(request, "plan", "drafted", running=running, outcomes=outcomes, batch=batch)


@router.get("/drafted/{batch}/live")
async def follow_drafting(request: Request, batch: Name, principal: Reader, shown: ShownJobs = None) -> Response:
    """The batch as it goes on."""
    if not shown:
        raise NotFound("No such batch is under way.")
    return await DRAFTING.follow(request, principal, batch, shown, address("drafted", batch))
