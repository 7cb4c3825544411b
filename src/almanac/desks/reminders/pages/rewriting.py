"""A draft that the model writes: started from its page, which stays usable, followed, stopped, and used or not."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import rewriting
from almanac.desks.reminders.pages.layout import PREFIX, Author, Name, Reader, address
from almanac.desks.reminders.pages.long_work import JobId, LongWork, detail_of, outcome_of, stop
from almanac.desks.reminders.pages.preview import draft_part
from almanac.errors import AlmanacError, Conflict, FieldErrors
from almanac.http.forms import back_to
from almanac.http.live import ShownJobs
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX + "/drafts/{draft_id}/writing")
WRITING = LongWork(
    task=rewriting.WRITE_DRAFT, named_by="writing_id", label="The model writes", target="writing", can_be_stopped=True
)


@router.post("")
async def start(request: Request, draft_id: Name, principal: Author) -> Response:
    """Have the model write it on what is owed now; the draft can be read, edited and decided meanwhile."""
    try:
        started = await rewriting.start_writing(surface_of(request).services, principal, draft_id)
    except Conflict as error:
        return await draft_part(request, principal, draft_id, status_code=error.status, error=error.sentence)
    return back_to(request, f"{address('drafts', draft_id, 'writing', started.id)}?job={started.job_id}")


@router.get("/{writing_id}")
async def show(request: Request, draft_id: Name, writing_id: Name, principal: Reader, job: JobId = None) -> Response:
    """The draft, above it how far the model is, and then where its words are."""
    return await _page(request, principal, draft_id, writing_id, job=job)


@router.get("/{writing_id}/live")
async def follow(
    request: Request, draft_id: Name, writing_id: Name, principal: Reader, shown: ShownJobs = None
) -> Response:
    """The writing as it goes on."""
    if not shown:
        # Nothing is under way on the page: the model has ended, or there is no such writing, which this says.
        await rewriting.written(surface_of(request).services, principal, draft_id, writing_id)
    return await WRITING.follow(request, principal, writing_id, shown, _here(draft_id, writing_id))


@router.post("/{writing_id}/stop/{job}")
async def stop_writing(
    request: Request, draft_id: Name, writing_id: Name, job: Annotated[int, Path(ge=1, le=2**62)], _principal: Author
) -> Response:
    """Stop the model; the draft stays as it is."""
    await stop(surface_of(request).services, WRITING, writing_id, job)
    return back_to(request, address("drafts", draft_id), "The model is stopped. The draft is as it was.")


@router.post("/{writing_id}/use")
async def use(request: Request, draft_id: Name, writing_id: Name, principal: Author) -> Response:
    """Take the model's words after all."""
    try:
        await rewriting.use_writing(surface_of(request).services, principal, draft_id, writing_id)
    except (Conflict, FieldErrors) as error:
        return await _page(request, principal, draft_id, writing_id, error=error)
    return back_to(request, address("drafts", draft_id), "The model's words are in the draft.")


async def _page(
    request: Request,
    principal: Principal,
    draft_id: str,
    writing_id: str,
    *,
    job: int | None = None,
    error: AlmanacError | None = None,
) -> Response:
    services = surface_of(request).services
    here = _here(draft_id, writing_id)
    running = WRITING.running(await detail_of(services, job), writing_id, here)
    written = await outcome_of(running, rewriting.written(services, principal, draft_id, writing_id))
    return await draft_part(
        request,
        principal,
        draft_id,
        status_code=error.status if error else 200,
        running=running,
        written=None if running.is_running else written,
        writing_at=here,
        error=error.sentence if error else None,
    )


def _here(draft_id: str, writing_id: str) -> str:
    return address("drafts", draft_id, "writing", writing_id)
