"""The approval queue: drafts in one state next to the exact mail of the selected one."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.datastructures import URL
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service, store
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import STATES
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.pages.layout import PREFIX, Facet, Reader, desk_page
from almanac.desks.reminders.pages.preview import draft_context, make_preview
from almanac.desks.reminders.permissions import APPROVE
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.desk import MAX_COUNTED
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.paging import Page
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
ROWS = 25
NEED_A_PERSON: tuple[DraftState, ...] = ("unknown", "failed")
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
    services, shown = get_state(request).services, _state(state)
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
        facets=await _facets(services, shown, listed, is_first=cursor is None),
        cursor=cursor,
        may_choose=shown == "draft" and principal.may(APPROVE),
        next_url=next_url(_without_selection(request), listed.next_cursor),
        first_url=first_url(_without_selection(request), cursor),
        **draft_context(edit=edit, following=find_following(listed.items, chosen)),
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


def _state(name: str) -> DraftState:
    return next((state for state in STATES if state == name), "draft")


def _without_selection(request: Request) -> URL:
    return request.url.remove_query_params(["draft", "edit"])


async def _facets(services: Services, shown: DraftState, listed: Page[ReminderDraft], *, is_first: bool) -> list[Facet]:
    """The states. Counts are shown if the list gives them, or if somebody must act on them."""
    counts: dict[DraftState, int] = {}
    if is_first and listed.next_cursor is None:
        counts[shown] = len(listed.items)
    uncounted = [state for state in NEED_A_PERSON if state not in counts and state != shown]
    numbers = await asyncio.gather(
        *(store.count_drafts(services.tables, state, upto=MAX_COUNTED) for state in uncounted)
    )
    counts.update({state: count for state, count in zip(uncounted, numbers, strict=True) if count < MAX_COUNTED})
    return [
        (words, counts.get(state), PREFIX if state == "draft" else f"{PREFIX}?state={state}", state == shown)
        for state, words in STATES.items()
    ]
