"""The draft's revisions as pages: the list, what changed since one or between two, and taking one back."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter import service
from almanac.desks.newsletter.pages.numbering import numbering_of, shown_lines
from almanac.desks.newsletter.pages.wizard import PREFIX, Author, Code, Reader, address, opened, step_page
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, parse_form_version, redirect_with_message

router = APIRouter(prefix=PREFIX + "/{code}/revisions")
Number = Annotated[int, Path(ge=1, le=999_999)]


@router.get("")
async def show_revisions(request: Request, code: Code, principal: Reader) -> Response:
    """Every revision that is kept, the latest first."""
    services = get_state(request).services
    full = await opened(request, principal, code)
    found = await service.revisions(services, principal, code)
    exported = {record.revision: name for name, record in full.draft.exports.items()}
    return await step_page(
        request, "draft", full, template="newsletter/revisions.html", revisions=found, exported=exported
    )


@router.get("/{number}")
async def show_revision(
    request: Request,
    code: Code,
    number: Number,
    principal: Reader,
    against: Annotated[int | None, Query(ge=1, le=999_999)] = None,
) -> Response:
    """What changed since a revision, section by section."""
    services = get_state(request).services
    full = await opened(request, principal, code)
    sections = await service.compare_revisions(services, principal, code, number, against=against)
    found = await service.revisions(services, principal, code)
    numbering = numbering_of(full)
    return await step_page(
        request,
        "draft",
        full,
        template="newsletter/revision.html",
        number=number,
        against=against,
        sections=[(one.name, shown_lines(one.lines, numbering)) for one in sections if one.is_changed],
        draft=full.draft.draft,
        revision=next((one for one in found if one.number == number), None),
        revisions=found,
    )


@router.post("/{number}/restore")
async def restore(request: Request, code: Code, number: Number, principal: Author, version: FormText = "") -> Response:
    """Take the texts of a revision, as a new one."""
    await service.restore_revision(
        get_state(request).services, principal, code, number, expected=parse_form_version(version)
    )
    return redirect_with_message(
        request, address(code, "draft"), f"Revision {number} is back; what was there is kept among the revisions."
    )
