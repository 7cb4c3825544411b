"""The approval queue: drafts in one state beside the exact mail of the one that is looked at."""

import asyncio
from dataclasses import dataclass
from email.utils import formataddr
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.datastructures import URL
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service, store
from almanac.desks.reminders.approving import UNDO_FOR
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import UNSENT_STATES, DraftState
from almanac.desks.reminders.pages.frame import PREFIX, STATES, WORDS, Name, Reader, desk_page
from almanac.desks.reminders.sending.deciding import APPROVE, SEND, WRITE
from almanac.desks.reminders.sending.following import message_of
from almanac.desks.reminders.writing.letter import LETTER
from almanac.errors import NotFound
from almanac.http.forms import is_fragment
from almanac.http.identity import identify
from almanac.http.pages import fragment
from almanac.http.paging import Cursor, first_url, next_url
from almanac.http.security_headers import FOREIGN_HTML_POLICY
from almanac.http.surface import surface_of
from almanac.kit.paging import Page
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
ROWS = 25
NEED_A_PERSON: tuple[DraftState, ...] = ("unknown", "failed")
_COUNTED = 10
Facet = tuple[str, int | None, str, bool]
SNOOZES = (("1", "Until tomorrow"), ("3", "For three days"), ("7", "For a week"), ("30", "For 30 days"))
Chosen = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class Preview:
    """A draft as its mail will be, and what the person may do with it; `may_be_written` by a model."""

    draft: Draft
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    has_html: bool
    may_decide: bool
    may_edit: bool
    may_send: bool
    may_undo: bool
    may_be_written: bool


def preview_of(services: Services, principal: Principal, draft: Draft) -> Preview:
    """The exact mail: who it is from, to whom, and what it says."""
    message = message_of(draft) if draft.wording.recipients else None
    unsent = draft.state in UNSENT_STATES and draft.currency is not None
    return Preview(
        draft=draft,
        sender=services.settings.mail_from,
        to=tuple(formataddr((one.name, one.email)) for one in message.to) if message else (),
        cc=tuple(one.email for one in message.cc) if message else (),
        has_html=message is not None and message.html is not None,
        may_decide=draft.state == "draft" and draft.currency is not None and principal.may(APPROVE),
        may_edit=unsent and principal.may(WRITE),
        may_send=draft.state == "approved" and draft.send_at is None and principal.may(SEND),
        may_undo=draft.state in ("approved", "rejected", "snoozed") and principal.may(APPROVE),
        may_be_written=unsent and principal.may(WRITE) and services.models.choices.for_step(LETTER.name) is not None,
    )


@router.get("")
async def show_queue(
    request: Request, principal: Reader, state: str = "draft", draft: Chosen = "", edit: str = "",
    cursor: Cursor = None,
) -> Response:  # fmt: skip
    """Drafts in one state, the oldest first, beside the one that is looked at."""
    services, shown = surface_of(request).services, _state(state)
    listed = await service.list_drafts(services, principal, shown, limit=ROWS, cursor=cursor)
    chosen = await _chosen(services, principal, draft, listed.items)
    return await desk_page(
        request, "queue", "queue", drafts=listed.items, state=shown, is_open=bool(draft and chosen),
        gone=bool(draft) and chosen is None, preview=preview_of(services, principal, chosen) if chosen else None,
        facets=await _facets(services, shown, listed, is_first=cursor is None), cursor=cursor,
        may_choose=shown == "draft" and principal.may(APPROVE), edit=edit, snoozes=SNOOZES, undo_for=UNDO_FOR,
        live=True, following=following(listed.items, chosen), error=None, notice="", errors={}, values=None,
        next_url=next_url(_plain(request), listed.next_cursor), first_url=first_url(_plain(request), cursor),
    )  # fmt: skip


@router.get("/drafts/{draft_id}")
async def show_draft(request: Request, draft_id: Name, principal: Reader, edit: str = "") -> Response:
    """One draft: a page of its own, or its part of the queue for the queue's script."""
    return await draft_part(request, principal, draft_id, edit=edit)


@router.get("/drafts/{draft_id}/html")
async def show_html(request: Request, draft_id: Name, principal: Reader) -> Response:
    """The HTML part alone, for the sandboxed frame that shows it."""
    draft = await service.get_draft(surface_of(request).services, principal, draft_id)
    html = message_of(draft).html if draft.wording.recipients else None
    if html is None:
        raise NotFound("This reminder has no HTML part.")
    return HTMLResponse(html, headers={"Content-Security-Policy": FOREIGN_HTML_POLICY, "X-Frame-Options": "SAMEORIGIN"})


async def draft_part(
    request: Request, principal: Principal, draft_id: str, /, *, status_code: int = 200, edit: str = "",
    **told: object,
) -> Response:  # fmt: skip
    """A draft with what is to be told about it: an error, a notice, or a form's values with their errors."""
    services = surface_of(request).services
    draft = await service.get_draft(services, principal, draft_id)
    values: dict[str, object] = {
        "preview": preview_of(services, principal, draft), "edit": edit, "snoozes": SNOOZES, "following": "",
        "undo_for": UNDO_FOR, "state": draft.state, "error": None, "notice": "", "errors": {}, "values": None,
        "live": is_fragment(request), **told,
    }  # fmt: skip
    if is_fragment(request):
        return HTMLResponse(await draft_fragment(request, "reminders/preview.html", **values))
    return await desk_page(request, "queue", "draft", status_code=status_code, **values)


async def draft_fragment(request: Request, template: str, /, **values: object) -> str:
    """A part of the queue with what a whole page would have beside it."""
    identity = await identify(request)
    person = identity.principal
    zone = (person.preferences.time_zone if person else None) or surface_of(request).services.settings.time_zone
    return fragment(request, template, csrf=identity.csrf(), zone=zone, principal=person, **WORDS, **values)


def following(drafts: list[Draft], chosen: Draft | None) -> str:
    """The draft that comes after one in a list, or the one before the last."""
    ids = [draft.id for draft in drafts]
    if chosen is None or chosen.id not in ids or len(ids) == 1:
        return ""
    at = ids.index(chosen.id)
    return ids[at + 1] if at + 1 < len(ids) else ids[at - 1]


async def _chosen(services: Services, principal: Principal, wanted: str, drafts: list[Draft]) -> Draft | None:
    """The draft that was asked for, also from another page of the list; without a wish the first."""
    if not wanted:
        return drafts[0] if drafts else None
    try:
        return await service.get_draft(services, principal, wanted)
    except NotFound:
        return None


def _state(name: str) -> DraftState:
    return next((known for known in STATES if known == name), "draft")


def _plain(request: Request) -> URL:
    return request.url.remove_query_params(["draft", "edit"])


async def _facets(services: Services, shown: DraftState, listed: Page[Draft], *, is_first: bool) -> list[Facet]:
    """The states; with a number where it is known from what was read, or where somebody must look after them."""
    counts: dict[DraftState, int] = {}
    if is_first and listed.next_cursor is None:
        counts[shown] = len(listed.items)
    wanted = [state for state in NEED_A_PERSON if state not in counts and state != shown]
    found = await asyncio.gather(*(store.count_drafts(services.tables, state, upto=_COUNTED) for state in wanted))
    counts.update({state: count for state, count in zip(wanted, found, strict=True) if count < _COUNTED})
    return [
        (words, counts.get(state), PREFIX if state == "draft" else f"{PREFIX}?state={state}", state == shown)
        for state, words in STATES.items()
    ]
