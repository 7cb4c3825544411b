"""Editing a draft: change its text, rewrite it from the template or with the model, or cancel it."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.jobs import WRITE_DRAFT
from almanac.desks.reminders.pages.job_progress import JobId, JobPage, get_job_detail, get_outcome, stop_job
from almanac.desks.reminders.pages.layout import PREFIX, Name, Reader, Writer, address
from almanac.desks.reminders.pages.preview import render_draft
from almanac.desks.reminders.urls import queue_url
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotFound, Retryable, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import compare_fields, make_conflict
from almanac.http.live import ShownJobs
from almanac.http.pages import FormText, is_htmx_request, parse_form_version, redirect_with_message
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/drafts/{draft_id}")
_COMPARED = {"subject": gettext("Subject"), "text": gettext("Text")}


@router.post("/edit")
async def edit_draft(
    request: Request,
    draft_id: Name,
    principal: Writer,
    subject: FormText = "",
    text: FormText = "",
    version: FormText = "",
) -> Response:
    """Save the person's text. Figures that the ledger doesn't have are refused; another person's edit is shown for
    comparison.
    """
    services, values = get_state(request).services, {"subject": subject, "text": _normalize_newlines(text)}
    try:
        await service.edit_draft(
            services, principal, draft_id, subject=subject, text=values["text"], expected=parse_form_version(version)
        )
    except FieldErrors as error:
        return await render_draft(
            request,
            principal,
            draft_id,
            status_code=422,
            edit="yes",
            errors=error.fields,
            error=error.sentence,
            values=values,
        )
    except StaleEdit:
        return await _show_both(request, principal, draft_id, values)
    except Conflict as error:
        return await render_draft(
            request, principal, draft_id, status_code=409, edit="yes", error=error.sentence, values=values
        )
    return await _show_saved(
        request, principal, draft_id, gettext("Your changes are saved. The draft waits for approval.")
    )


@router.post("/redraft")
async def redraft(request: Request, draft_id: Name, principal: Writer) -> Response:
    """Rewrite a draft from its template and the current debt."""
    try:
        await service.redraft(get_state(request).services, principal, draft_id)
    except (Retryable, NotFound):
        raise
    except AlmanacError as error:
        return await render_draft(request, principal, draft_id, status_code=error.status, error=error.sentence)
    return await _show_saved(request, principal, draft_id, gettext("The draft was rewritten with the current debt."))


@router.post("/cancel")
async def cancel_draft(request: Request, draft_id: Name, principal: Writer, why: FormText = "") -> Response:
    """Cancel a draft permanently; its level can be drafted again."""
    draft = await service.cancel_draft(
        get_state(request).services,
        principal,
        draft_id,
        why=why.strip() or str(gettext("Cancelled by %(name)s.", name=principal.name)),
    )
    return redirect_with_message(
        request, PREFIX, gettext("The reminder to %(customer_name)s is cancelled.", customer_name=draft.customer_name)
    )


async def _show_both(request: Request, principal: Principal, draft_id: str, values: dict[str, str]) -> Response:
    """What was typed beside what somebody else saved meanwhile."""
    draft = await service.get_draft(get_state(request).services, principal, draft_id)
    saved = {"subject": draft.wording.subject, "text": draft.wording.text}
    conflict = await make_conflict(
        request, compare_fields(_COMPARED, values, saved), draft.version, f"{address('drafts', draft_id)}?edit=yes"
    )
    return await render_draft(
        request, principal, draft_id, status_code=412, edit="yes", values=values, conflict=conflict
    )


async def _show_saved(request: Request, principal: Writer, draft_id: str, words: str) -> Response:
    if is_htmx_request(request):
        return await render_draft(request, principal, draft_id, notice=words)
    return redirect_with_message(request, queue_url(draft_id), words)


def _normalize_newlines(text: str) -> str:
    """Browsers send CRLF line ends."""
    return text.replace("\r\n", "\n")


WRITING = JobPage(
    task=WRITE_DRAFT, named_by="writing_id", label=gettext("The model writes"), target="writing", can_be_stopped=True
)


@router.post("/writing")
async def start_model_writing(request: Request, draft_id: Name, principal: Writer) -> Response:
    """Start a job in which the model rewrites the draft; the draft can be edited and decided meanwhile."""
    try:
        started = await service.start_model_writing(get_state(request).services, principal, draft_id)
    except Conflict as error:
        return await render_draft(request, principal, draft_id, status_code=error.status, error=error.sentence)
    return redirect_with_message(request, f"{address('drafts', draft_id, 'writing', started.id)}?job={started.job_id}")


@router.get("/writing/{writing_id}")
async def show_model_writing(
    request: Request, draft_id: Name, writing_id: Name, principal: Reader, job: JobId = None
) -> Response:
    """Show the draft with the progress of the model, then with its text."""
    return await _render_writing(request, principal, draft_id, writing_id, job=job)


@router.get("/writing/{writing_id}/live")
async def follow_model_writing(
    request: Request, draft_id: Name, writing_id: Name, principal: Reader, shown: ShownJobs = None
) -> Response:
    """Stream the progress of the model's job."""
    if not shown:
        # No job is running: it has ended, or the writing doesn't exist, which raises NotFound.
        await service.get_model_writing(get_state(request).services, principal, draft_id, writing_id)
    return await WRITING.follow(request, principal, writing_id, shown, _writing_url(draft_id, writing_id))


@router.post("/writing/{writing_id}/stop/{job}")
async def stop_writing(
    request: Request, draft_id: Name, writing_id: Name, job: Annotated[int, Path(ge=1, le=2**62)], _principal: Writer
) -> Response:
    """Stop the model's job; the draft stays unchanged."""
    await stop_job(get_state(request).services, WRITING, writing_id, job)
    return redirect_with_message(
        request, address("drafts", draft_id), gettext("The model was stopped. The draft is unchanged.")
    )


@router.post("/writing/{writing_id}/use")
async def use_model_writing(request: Request, draft_id: Name, writing_id: Name, principal: Writer) -> Response:
    """Replace the draft's text by the model's."""
    try:
        await service.use_model_writing(get_state(request).services, principal, draft_id, writing_id)
    except (Conflict, FieldErrors) as error:
        return await _render_writing(request, principal, draft_id, writing_id, error=error)
    return redirect_with_message(request, address("drafts", draft_id), gettext("The model's text is in the draft."))


async def _render_writing(
    request: Request,
    principal: Principal,
    draft_id: str,
    writing_id: str,
    *,
    job: int | None = None,
    error: AlmanacError | None = None,
) -> Response:
    services = get_state(request).services
    page_url = _writing_url(draft_id, writing_id)
    running = WRITING.running(await get_job_detail(services, job), writing_id, page_url)
    written = await get_outcome(running, service.get_model_writing(services, principal, draft_id, writing_id))
    return await render_draft(
        request,
        principal,
        draft_id,
        status_code=error.status if error else 200,
        running=running,
        written=None if running.is_running else written,
        writing_at=page_url,
        error=error.sentence if error else None,
    )


def _writing_url(draft_id: str, writing_id: str) -> str:
    return address("drafts", draft_id, "writing", writing_id)
