"""My sessions: every browser I am signed in with, and how to end one."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import redirect, render_page
from almanac.kit.text import counted

pages = APIRouter(prefix="/account/sessions")

Myself = Annotated[Principal, require("account.own")]


@pages.get("")
async def show_sessions(request: Request, principal: Myself) -> Response:
    """The browsers I am signed in with, the latest used first."""
    sessions = await accounts.list_sessions(get_state(request).services.accounts, principal)
    return await render_page(request, "account/sessions.html", sessions=sessions)


@pages.post("/others/end")
async def end_others(request: Request, principal: Myself) -> Response:
    """Sign out everywhere but here."""
    ended = await accounts.end_other_sessions(get_state(request).services.accounts, principal)
    return redirect(request, "/account/sessions", Flash(f"Ended {counted(ended, 'other session')}."))


@pages.post("/{session_id}/end")
async def end_session(request: Request, session_id: str, principal: Myself) -> Response:
    """Sign one browser out."""
    await accounts.end_session(get_state(request).services.accounts, principal, session_id)
    return redirect(request, "/account/sessions", Flash("Session ended."))
