"""Changing a draft: a person's own words in place, writing it anew on what is owed now, or giving it up."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.reminders import sending, service
from almanac.desks.reminders.pages.layout import PREFIX, Author, Name
from almanac.desks.reminders.pages.preview import draft_part
from almanac.desks.reminders.urls import queue_at
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotFound, Retryable
from almanac.http.forms import Word, back_to, is_fragment, version_in
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX + "/drafts/{draft_id}")


@router.post("/edit")
async def edit_draft(
    request: Request, draft_id: Name, principal: Author, subject: Word = "", text: Word = "", version: Word = ""
) -> Response:
    """Save other words. Figures that the ledger doesn't have are refused; somebody else's edit is shown beside."""
    services, values = surface_of(request).services, {"subject": subject, "text": _lines(text)}
    try:
        await service.edit_draft(
            services, principal, draft_id, subject=subject, text=values["text"], expected=version_in(version)
        )
    except FieldErrors as error:
        return await draft_part(
            request,
            principal,
            draft_id,
            status_code=422,
            edit="yes",
            errors=error.fields,
            error=error.sentence,
            values=values,
        )
    except Conflict as error:
        return await draft_part(
            request, principal, draft_id, status_code=409, edit="yes", error=error.sentence, values=values
        )
    return await _saved(request, principal, draft_id, "Your words are saved. It waits for approval as it now reads.")


@router.post("/redraft")
async def redraft(request: Request, draft_id: Name, principal: Author) -> Response:
    """Write it anew from its template on what is owed now."""
    try:
        await service.redraft(surface_of(request).services, principal, draft_id)
    except (Retryable, NotFound):
        raise
    except AlmanacError as error:
        return await draft_part(request, principal, draft_id, status_code=error.status, error=error.sentence)
    return await _saved(request, principal, draft_id, "It is written anew on what is owed now.")


@router.post("/cancel")
async def cancel(request: Request, draft_id: Name, principal: Author, why: Word = "") -> Response:
    """Give it up: it is not sent at all, and its level is free again."""
    draft = await sending.cancel(
        surface_of(request).services, principal, draft_id, why=why.strip() or f"Given up by {principal.name}."
    )
    return back_to(request, PREFIX, f"The reminder to {draft.customer_name} is given up.")


async def _saved(request: Request, principal: Author, draft_id: str, words: str) -> Response:
    if is_fragment(request):
        return await draft_part(request, principal, draft_id, notice=words)
    return back_to(request, queue_at(draft_id), words)


def _lines(text: str) -> str:
    """Browsers send line ends of their own."""
    return text.replace("\r\n", "\n")
