"""The approval queue: drafts in one state next to the exact mail of the selected one."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.datastructures import URL
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import STATES
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.reminders.pages.preview import draft_context, make_preview
from almanac.desks.reminders.pages.queue_summary import load_summary
from almanac.desks.reminders.permissions import APPROVE
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, first_url, next_url
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
ROWS = 25
DraftQuery = Annotated[str, Query(max_length=200)]


@router.get("")
async def show_queue(
    request: Request,
    principal: Reader,
    state: str = "draft",
    draft: DraftQuery = "",
    edit: str = "",
    cursor: Cursor = None,
) -> Response:
    """List drafts in one state, oldest first, with the selected draft next to them."""
    services, shown = get_state(request).services, parse_state(state)
    listed = await service.list_drafts(services, principal, shown, limit=ROWS, cursor=cursor)
    chosen = await _find_selected(services, principal, draft, listed.items)
    return await desk_page(
        request,
        "queue",
        "queue",
        status_code=200,
        drafts=listed.items,
        state=shown,
        is_open=bool(draft and chosen),
        gone=bool(draft) and chosen is None,
        preview=make_preview(services, principal, chosen) if chosen else None,
        summary=await load_summary(services, shown, None if cursor or listed.next_cursor else listed.items),
        cursor=cursor,
        now=services.clock.now(),
        may_choose=shown == "draft" and principal.may(APPROVE),
        next_url=next_url(_without_selection(request), listed.next_cursor),
        first_url=first_url(_without_selection(request), cursor),
        **draft_context(edit=edit, listed=shown, following=find_following(listed.items, chosen)),
    )


def find_following(drafts: list[ReminderDraft], chosen: ReminderDraft | None) -> str:
    """The draft after the chosen one in the list; for the last one, the draft before it."""
    ids = [draft.id for draft in drafts]
    if chosen is None or chosen.id not in ids or len(ids) == 1:
        return ""
    position = ids.index(chosen.id)
    return ids[position + 1] if position + 1 < len(ids) else ids[position - 1]


async def _find_selected(
    services: Services, principal: Principal, draft_id: str, drafts: list[ReminderDraft]
) -> ReminderDraft | None:
    """The requested draft, even from another page of the list; by default the first."""
    if not draft_id:
        return drafts[0] if drafts else None
    try:
        return await service.get_draft(services, principal, draft_id)
    except NotFound:
        return None


def parse_state(name: str) -> DraftState:
    """The state of this name; drafts to decide by default."""
    return next((state for state in STATES if state == name), "draft")


def _without_selection(request: Request) -> URL:
    return request.url.remove_query_params(["draft", "edit"])
