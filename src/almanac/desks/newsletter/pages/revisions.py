"""The draft's revisions: the list, differences, and restoring one."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter.pages.draft_view import number_references, shorten_diff
from almanac.desks.newsletter.pages.layout import Code, Reader, Writer, load_newsletter, step_page
from almanac.desks.newsletter.service import drafts as draft_service
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, parse_form_version, redirect_with_message
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/{code}/revisions")
Number = Annotated[int, Path(ge=1, le=999_999)]


@router.get("")
async def show_revisions(request: Request, code: Code, principal: Reader) -> Response:
    """The saved revisions, the latest first."""
    services = get_state(request).services
    full = await load_newsletter(request, principal, code)
    revisions = await draft_service.list_revisions(services, principal, code)
    exported = {record.revision: name for name, record in full.draft.exports.items()}
    return await step_page(
        request, "draft", full, template="newsletter/revisions.html", revisions=revisions, exported=exported
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
    full = await load_newsletter(request, principal, code)
    sections = await draft_service.compare_revisions(services, principal, code, number, against=against)
    revisions = await draft_service.list_revisions(services, principal, code)
    numbering = number_references(full)
    return await step_page(
        request,
        "draft",
        full,
        template="newsletter/revision.html",
        number=number,
        against=against,
        sections=[(item.name, shorten_diff(item.lines, numbering)) for item in sections if item.is_changed],
        draft=full.draft.draft,
        revision=next((item for item in revisions if item.number == number), None),
        revisions=revisions,
    )


@router.post("/{number}/restore")
async def restore_revision(
    request: Request, code: Code, number: Number, principal: Writer, version: FormText = ""
) -> Response:
    """Restore the texts of a revision as a new one."""
    await draft_service.restore_revision(
        get_state(request).services, principal, code, number, expected=parse_form_version(version)
    )
    return redirect_with_message(
        request,
        newsletter_path(code, "draft"),
        gettext("Revision %(number)s restored; the previous text is kept as a revision.", number=number),
    )
