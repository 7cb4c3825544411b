"""Decisions on one draft: approve, reject, snooze, undo, send, settle. Each shows the next draft."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import cast, get_args

from fastapi import APIRouter, Request
from starlette.datastructures import URL, QueryParams
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import state_words
from almanac.desks.reminders.pages.form_values import parse_count_field
from almanac.desks.reminders.pages.layout import PREFIX, Approver, Name, Sender, address
from almanac.desks.reminders.pages.preview import draft_context, make_preview, render_draft, render_draft_fragment
from almanac.desks.reminders.pages.queue import parse_state
from almanac.desks.reminders.pages.queue_summary import load_summary
from almanac.desks.reminders.service.decisions import get_undo_window
from almanac.desks.reminders.urls import queue_url
from almanac.errors import AlmanacError, InputError, NotFound, Retryable
from almanac.http.app_state import get_state
from almanac.http.cookies import Flash
from almanac.http.counts import render_counts
from almanac.http.pages import FormText, is_htmx_request, redirect, redirect_with_message
from almanac.kit.messages import gettext, join_sentences, ngettext
from almanac.mail.model import MailSettlement

router = APIRouter(prefix=PREFIX + "/drafts/{draft_id}")
Decide = Callable[[], Awaitable[ReminderDraft]]


@router.post("/approve")
async def approve_draft(
    request: Request, draft_id: Name, principal: Approver, seen: FormText = "", following: FormText = ""
) -> Response:
    """Approve the reviewed content; it is sent when the undo window is over."""
    services = get_state(request).services
    wait = get_undo_window(principal)
    return await _decide_and_show_next(
        request,
        principal,
        draft_id,
        lambda: service.approve_draft(services, principal, draft_id, seen=seen, send_after=wait),
        lambda name: _approved(name, wait.seconds if wait else 0, mail_leaves=services.mail_leaves),
        following,
    )


@router.post("/reject")
async def reject_draft(
    request: Request,
    draft_id: Name,
    principal: Approver,
    seen: FormText = "",
    note: FormText = "",
    following: FormText = "",
) -> Response:
    """Reject the draft with a note for its author."""
    services = get_state(request).services
    return await _decide_and_show_next(
        request,
        principal,
        draft_id,
        lambda: service.reject_draft(services, principal, draft_id, seen=seen, note=note),
        lambda name: gettext("The reminder to %(name)s is rejected.", name=name),
        following,
    )


@router.post("/snooze")
async def snooze_draft(
    request: Request, draft_id: Name, principal: Approver, days: FormText = "", following: FormText = ""
) -> Response:
    """Snooze the draft for some days."""
    services = get_state(request).services

    async def act() -> ReminderDraft:
        until = services.clock.now() + timedelta(days=parse_count_field(days, "days"))
        return await service.snooze_draft(services, principal, draft_id, until=until)

    return await _decide_and_show_next(
        request,
        principal,
        draft_id,
        act,
        lambda name: gettext("The reminder to %(name)s is snoozed.", name=name),
        following,
    )


@router.post("/undo")
async def undo_decision(request: Request, draft_id: Name, principal: Approver) -> Response:
    """Undo an approval, a rejection or a snooze while nothing is being sent."""
    services = get_state(request).services
    try:
        draft = await service.reopen_draft(services, principal, draft_id)
    except Retryable:
        raise
    except NotFound:
        words = gettext("It has been sent already and can't be undone.")
        if is_htmx_request(request):
            raise NotFound(words) from None
        return redirect(request, PREFIX, Flash(words, "failed"))
    except AlmanacError as error:
        return await _render_error(request, principal, draft_id, error)
    message = gettext("The reminder to %(customer_name)s is back in the queue.", customer_name=draft.customer_name)
    if is_htmx_request(request):
        preview = make_preview(services, principal, draft)
        return HTMLResponse(
            await _render_update(request, principal, "returned", preview=preview, told=message, may_choose=True)
        )
    return redirect_with_message(request, queue_url(draft_id), message)


@router.post("/send")
async def send_draft(request: Request, draft_id: Name, principal: Sender) -> Response:
    """Send an approved draft now."""
    status = await service.send_draft(get_state(request).services, principal, draft_id)
    words: str = gettext("The reminder is %(state)s.", state=state_words(status.state))
    words = join_sentences([words, status.reason]) if status.reason else words
    return redirect_with_message(request, queue_url(state="approved"), words)


@router.post("/settle")
async def settle_draft(
    request: Request, draft_id: Name, principal: Sender, outcome: FormText = "", why: FormText = ""
) -> Response:
    """Record whether a reminder in doubt was sent, and how you know."""
    try:
        if outcome not in get_args(MailSettlement):
            raise InputError(gettext("Choose whether the mail was sent or not."))
        status = await service.settle_draft(
            get_state(request).services, principal, draft_id, cast("MailSettlement", outcome), why=why
        )
    except Retryable:
        raise
    except AlmanacError as error:
        return await _render_error(request, principal, draft_id, error)
    return redirect_with_message(
        request,
        queue_url(state="unknown"),
        gettext("Saved; the reminder is %(state)s.", state=state_words(status.state)),
    )


def _approved(name: str, seconds: int, *, mail_leaves: bool) -> str:
    if not seconds:
        return gettext("The reminder to %(name)s is approved.", name=name)
    if mail_leaves:
        return ngettext(
            "The reminder to %(name)s goes out in %(num)s second.",
            "The reminder to %(name)s goes out in %(num)s seconds.",
            seconds,
            name=name,
        )
    return ngettext(
        "The reminder to %(name)s is kept here in %(num)s second.",
        "The reminder to %(name)s is kept here in %(num)s seconds.",
        seconds,
        name=name,
    )


async def _decide_and_show_next(
    request: Request, principal: Principal, draft_id: str, act: Decide, describe: Callable[[str], str], following: str
) -> Response:
    """Decide and show the next draft; on a conflict show the current draft with the reason."""
    try:
        draft = await act()
    except Retryable:
        raise
    except AlmanacError as error:
        return await _render_error(request, principal, draft_id, error)
    message, undo_at = describe(draft.customer_name), address("drafts", draft_id, "undo")
    if is_htmx_request(request):
        return HTMLResponse(await _render_next(request, principal, draft_id, following, message, undo_at))
    return redirect_with_message(request, queue_url(following), message, undo=undo_at)


async def _render_next(
    request: Request, principal: Principal, decided: str, following: str, message: str, undo_at: str
) -> str:
    """Replace the decided draft by the next one and remove its row, with a message that offers to undo."""
    services, preview = get_state(request).services, None
    if following:
        try:
            preview = make_preview(services, principal, await service.get_draft(services, principal, following))
        except NotFound:
            # Somebody else decided the next one first; the queue's script selects the row after it.
            preview = None
    values = {"preview": preview, "decided": decided, "told": message, "undo": undo_at}
    return await _render_update(request, principal, "decided", **values)


async def _render_update(request: Request, principal: Principal, template: str, **values: object) -> str:
    """A part of the queue after a decision; with it go the counts of the page and of the navigation."""
    listed = parse_state(QueryParams(URL(request.headers.get("HX-Current-URL", "")).query).get("state", ""))
    services = get_state(request).services
    summary, now = await load_summary(services, listed), services.clock.now()
    context = draft_context(state=listed, listed=listed, summary=summary, now=now, is_update=True, **values)
    part = await render_draft_fragment(request, f"reminders/{template}.html", **context)
    return part + await render_counts(request, principal, "reminders")


async def _render_error(request: Request, principal: Principal, draft_id: str, error: AlmanacError) -> Response:
    if isinstance(error, NotFound):
        raise error
    return await render_draft(request, principal, draft_id, status_code=error.status, error=error.sentence)
