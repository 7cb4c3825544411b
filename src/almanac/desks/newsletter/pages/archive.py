"""Putting an issue into the public archive, and taking it back."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.newsletter.pages.layout import Code, Sender
from almanac.desks.newsletter.service import archive as archive_service
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.errors import Conflict
from almanac.http.app_state import get_state
from almanac.http.cookies import Flash
from almanac.http.pages import redirect, redirect_with_message
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/{code}/archive")


@router.post("")
async def publish_issue(request: Request, code: Code, principal: Sender) -> Response:
    """Show the issue to everybody, as it is now."""
    here = newsletter_path(code, "export") + "#archive"
    try:
        await archive_service.publish_issue(get_state(request).services, principal, code)
    except Conflict as error:
        return redirect(request, here, Flash(error.sentence, "failed"))
    return redirect_with_message(request, here, gettext("Anyone can read it now."))


@router.post("/withdraw")
async def withdraw_issue(request: Request, code: Code, principal: Sender) -> Response:
    """Take the issue out of the archive."""
    await archive_service.withdraw_issue(get_state(request).services, principal, code)
    here = newsletter_path(code, "export") + "#archive"
    return redirect_with_message(request, here, gettext("It is withdrawn; caches forget it within minutes."))
