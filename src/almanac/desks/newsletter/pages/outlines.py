"""Step 3 as a page: the sections and items in order, one of them open for editing, and generating or pasting anew."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter import service
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import empty_outline
from almanac.desks.newsletter.pages.running import step_progress
from almanac.desks.newsletter.pages.wizard import PREFIX, Author, Code, Reader, address, opened, step_page
from almanac.desks.newsletter.service.undoing import undo_removal
from almanac.errors import InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, parse_form_version, redirect_with_message

router = APIRouter(prefix=PREFIX)


@router.get("/{code}/outline")
async def show_outline(
    request: Request, code: Code, principal: Reader, edit: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """The outline; `edit` names the section or item that is open."""
    return await _show(request, await opened(request, principal, code), edit=edit)


@router.post("/{code}/outline/generate")
async def generate(request: Request, code: Code, principal: Author) -> Response:
    """Make the outline from the included passages, in a job; what a person added or edited stays."""
    await service.start_step(get_state(request).services, principal, code, "outline")
    return redirect_with_message(request, address(code, "outline"))


@router.post("/{code}/outline/paste")
async def paste(
    request: Request, code: Code, principal: Author, version: FormText = "", text: FormText = ""
) -> Response:
    """Take a whole outline from text."""
    services = get_state(request).services
    try:
        await service.paste_outline(services, principal, code, text, expected=parse_form_version(version))
    except (InputError, StaleEdit) as error:
        return await refused(request, principal, code, error, pasted=text)
    return redirect_with_message(request, address(code, "outline"), "Your outline is in place.")


@router.post("/{code}/outline/undo")
async def undo(request: Request, code: Code, principal: Author) -> Response:
    """Put back what was removed last."""
    await undo_removal(get_state(request).services, principal, code)
    return redirect_with_message(request, address(code, "outline"), "It is back.")


async def refused(
    request: Request, principal: Principal, code: str, error: InputError | StaleEdit, *, pasted: str = ""
) -> Response:
    """The outline as it stands with the reason; what was pasted is kept in its field."""
    if request.headers.get("HX-Request"):
        raise error
    full = await opened(request, principal, code)
    return await _show(request, full, problem=error.sentence, pasted=pasted, status_code=error.status)


async def _show(
    request: Request,
    full: FullNewsletter,
    /,
    *,
    edit: str = "",
    problem: str = "",
    pasted: str = "",
    status_code: int = 200,
) -> Response:
    step = full.outline
    outline = step.outline if step.outline.sections else empty_outline()
    marks = outline.modifications
    return await step_page(
        request,
        "outline",
        full,
        status_code=status_code,
        step=step,
        outline=outline,
        edit=edit,
        problem=problem,
        pasted=pasted,
        added=set(marks.added),
        edited=set(marks.edited),
        included=full.topics.included,
        chunks={chunk.id: chunk for chunk in full.topics.chunks},
        is_begun=bool(step.outline.items),
        running=await step_progress(get_state(request).services, full, "outline"),
    )
