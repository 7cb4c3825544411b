"""A draft as its exact mail with the possible actions, as a page or as a part of the queue."""

from dataclasses import dataclass
from email.utils import formataddr

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.ladder import UNSENT_STATES
from almanac.desks.reminders.pages.layout import PREFIX, WORDS, Name, Reader, desk_page
from almanac.desks.reminders.permissions import APPROVE, SEND, WRITE
from almanac.desks.reminders.pipeline.dispatch import build_message
from almanac.desks.reminders.service.decisions import UNDO_WINDOW
from almanac.desks.reminders.writer.letters import LETTER
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import identify
from almanac.http.middleware import sandboxed_html
from almanac.http.pages import is_htmx_request, render_fragment
from almanac.kit.messages import gettext
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/drafts/{draft_id}")
SNOOZES = (
    ("1", gettext("Until tomorrow")),
    ("3", gettext("For three days")),
    ("7", gettext("For a week")),
    ("30", gettext("For 30 days")),
)


@dataclass(frozen=True, slots=True)
class DraftPreview:
    """A draft as its exact mail, and what the person may do with it; `may_be_written` is about the model."""

    draft: ReminderDraft
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    has_html: bool
    may_decide: bool
    may_edit: bool
    may_send: bool
    may_undo: bool
    may_be_written: bool


def make_preview(services: Services, principal: Principal, draft: ReminderDraft) -> DraftPreview:
    """The exact mail: sender, recipients and content."""
    message = build_message(draft) if draft.wording.recipients else None
    unsent = draft.state in UNSENT_STATES and draft.currency is not None
    return DraftPreview(
        draft=draft,
        sender=services.settings.mail_from,
        to=tuple(formataddr((address.name, address.email)) for address in message.to) if message else (),
        cc=tuple(address.email for address in message.cc) if message else (),
        has_html=message is not None and message.html is not None,
        may_decide=draft.state == "draft" and draft.currency is not None and principal.may(APPROVE),
        may_edit=unsent and principal.may(WRITE),
        may_send=draft.state == "approved" and draft.send_at is None and principal.may(SEND),
        may_undo=draft.state in ("approved", "rejected", "snoozed") and principal.may(APPROVE),
        may_be_written=unsent and principal.may(WRITE) and services.models.config.for_step(LETTER.name) is not None,
    )


@router.get("")
async def show_draft(request: Request, draft_id: Name, principal: Reader, edit: str = "", listed: str = "") -> Response:
    """Show a draft as a page, or as a part of the queue for htmx; `listed` is the state that the queue shows."""
    try:
        return await render_draft(request, principal, draft_id, edit=edit, listed=listed)
    except NotFound:
        if not is_htmx_request(request):
            raise
        return HTMLResponse(await render_draft_fragment(request, "reminders/gone.html", gone=draft_id))


@router.get("/html")
async def show_html(request: Request, draft_id: Name, principal: Reader) -> Response:
    """Show only the HTML part, for the sandboxed frame."""
    draft = await service.get_draft(get_state(request).services, principal, draft_id)
    html = build_message(draft).html if draft.wording.recipients else None
    if html is None:
        raise NotFound(gettext("This reminder has no HTML part."))
    return sandboxed_html(html)


async def render_draft(
    request: Request,
    principal: Principal,
    draft_id: str,
    /,
    *,
    status_code: int = 200,
    edit: str = "",
    **extra: object,
) -> Response:
    """Render a draft with an error, a notice, or the values and errors of a form."""
    services = get_state(request).services
    draft = await service.get_draft(services, principal, draft_id)
    live, preview = is_htmx_request(request), make_preview(services, principal, draft)
    values = draft_context(preview=preview, state=draft.state, live=live, edit=edit, **extra)
    if live:
        return HTMLResponse(await render_draft_fragment(request, "reminders/preview.html", **values))
    return await desk_page(request, "queue", "draft", status_code=status_code, **values)


async def render_draft_fragment(request: Request, template: str, /, **values: object) -> str:
    """Render a part of the queue with the values that a full page would have."""
    identity = await identify(request)
    person = identity.principal
    zone = (person.preferences.time_zone if person else None) or get_state(request).services.settings.time_zone
    return render_fragment(request, template, csrf=identity.csrf(), zone=zone, principal=person, **WORDS, **values)


def draft_context(**values: object) -> dict[str, object]:
    """The values that templates of one draft expect, with empty defaults."""
    return {
        "edit": "",
        "listed": "",
        "is_update": False,
        "error": None,
        "errors": {},
        "values": None,
        "conflict": None,
        "notice": "",
        "following": "",
        "live": True,
        "snoozes": SNOOZES,
        "undo_for": UNDO_WINDOW,
        "running": None,
        "written": None,
        "writing_at": "",
        **values,
    }
