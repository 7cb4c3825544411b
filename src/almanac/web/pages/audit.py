"""The audit log: who did what, when and why, with filters in the URL."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditEntry, AuditFilter
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.pages import render_page
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.services import Services

pages = APIRouter(prefix="/audit")

Reader = Annotated[Principal, require("audit.read")]


@pages.get("")
async def show_entries(
    request: Request, principal: Reader, action: str = "", actor: str = "", about: str = "", cursor: Cursor = None
) -> Response:
    """List entries, newest first."""
    services = get_state(request).services
    filters = AuditFilter(action=action or None, actor_id=actor or None, object_id=about or None)
    listed = await audit.list_entries(services.database, filters, key=services.key("cursors"), cursor=cursor)
    names = {"action": ("Action", action), "actor": ("Actor", actor), "about": ("About", about)}
    chips = [
        (f"{label}: {value}", with_query(request.url, **{name: None, "cursor": None}))
        for name, (label, value) in names.items()
        if value
    ]
    return await render_page(
        request,
        "audit.html",
        entries=listed.items,
        actions=[(name, name) for name in await audit.list_actions(services.database)],
        action=action,
        actor=actor,
        about=about,
        chips=chips,
        names=await _names(services, principal, listed.items),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.get("/check")
async def check_chain(request: Request, _principal: Reader) -> Response:
    """Check that no entry was changed or removed since it was written."""
    report = await audit.verify_chain(get_state(request).services.database)
    return await render_page(request, "audit_check.html", report=report)


async def _names(services: Services, principal: Principal, entries: list[AuditEntry]) -> dict[str, str]:
    """Display names for the ids on the page: names of people, and the last part of other ids."""
    ids = {entry.actor_id for entry in entries} | {entry.object_id for entry in entries}
    names = {user_id: user_id if len(user_id) < 20 else "…" + user_id[-8:] for user_id in ids}
    for person in {e.actor_id for e in entries} | {e.object_id for e in entries if e.object_type == "user"}:
        with suppress(NotFound):
            names[person] = (await accounts.get_user(services.accounts, principal, person)).name
    return names
