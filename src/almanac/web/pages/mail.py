"""Outgoing mail: every message with its parts and history, unknown outcomes to settle, and the suppression list."""

from typing import Annotated, Literal, cast, get_args

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.fields import clean_email
from almanac.accounts.model import Principal
from almanac.errors import FieldErrors, InputError, NotFound, check_all
from almanac.http.app_state import get_state
from almanac.http.auth import public, require
from almanac.http.cookies import Flash
from almanac.http.middleware import sandboxed_html
from almanac.http.pages import FormText, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.http.visibility import get_visible_mail, hidden_areas
from almanac.kit.messages import gettext
from almanac.mail.model import MailOutcome, MailSettlement, MessageFilter, Suppression
from almanac.web import operator_actions
from almanac.web.labels import MAIL_TONES, label_mail_status, mail_timeline

pages = APIRouter()
OUTCOMES: tuple[MailOutcome, ...] = get_args(MailOutcome)
Part = Literal["text", "html", "source"]

Reader = Annotated[Principal, require("mail.read")]
Settler = Annotated[Principal, require("mail.settle")]


@pages.get("/mail")
async def show_messages(
    request: Request, principal: Reader, status: str = "", q: str = "", cursor: Cursor = None
) -> Response:
    """List messages, newest first, without those of desks that the person may not read."""
    services = get_state(request).services
    outcome = status if status in OUTCOMES else None
    filters = MessageFilter(outcome=outcome, text=q or None, hidden=hidden_areas(principal))
    listed = await services.mailbox.list(filters, cursor=cursor)
    counts = await services.mailbox.counts()
    facets: list[tuple[str, int, str, bool]] = [
        (gettext("All"), sum(counts.values()), with_query(request.url, status=None, cursor=None), not status)
    ]
    for name in OUTCOMES:
        target = with_query(request.url, status=name, cursor=None)
        facets.append((label_mail_status(name), counts.get(name, 0), target, status == name))
    return await render_page(
        request,
        "mail/list.html",
        messages=listed.items,
        facets=facets,
        status=status,
        q=q,
        tones=MAIL_TONES,
        word=label_mail_status,
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.get("/mail/suppressions")
async def show_suppressions(request: Request, _principal: Reader, q: str = "", cursor: Cursor = None) -> Response:
    """List suppressed addresses with their reasons."""
    listed = await get_state(request).services.suppressions.list(text=q or None, cursor=cursor)
    return await _render_suppressions(request, listed.items, listed.next_cursor, cursor, q)


@pages.post("/mail/suppressions")
async def suppress(request: Request, principal: Settler, email: FormText = "", reason: FormText = "") -> Response:
    """Add an address to the suppression list."""
    services = get_state(request).services
    try:
        check_all(lambda: clean_email(email), lambda: _check_reason(reason))
        added = await operator_actions.suppress_address(services, principal, email, reason)
    except FieldErrors as error:
        listed = await services.suppressions.list()
        values = {"email": email, "reason": reason}
        return await _render_suppressions(request, listed.items, listed.next_cursor, None, "", values, error.fields)
    words = gettext("Mail to this address is blocked.") if added else gettext("This address is already on the list.")
    return redirect(request, "/mail/suppressions", Flash(words))


@pages.post("/mail/suppressions/lift")
async def lift_suppression(
    request: Request, principal: Settler, email: FormText = "", topic: FormText = "", why: FormText = ""
) -> Response:
    """Remove an address from the suppression list."""
    await operator_actions.lift_suppression(get_state(request).services, principal, email, topic, why)
    return redirect(request, "/mail/suppressions", Flash(gettext("Mail to this address is allowed again.")))


@pages.get("/mail/{mail_id}")
async def show_message(request: Request, mail_id: str, principal: Reader, part: Part = "text") -> Response:
    """Show a message as text, HTML or source, with its recipients and history."""
    message = await get_visible_mail(get_state(request).services, principal, mail_id)
    source = message.raw.decode("utf-8", "replace") if message.raw else ""
    return await render_page(
        request,
        "mail/message.html",
        message=message,
        line=message.line,
        part=part,
        source=source,
        timeline=mail_timeline(message.events, message.line.outcome),
        tones=MAIL_TONES,
        word=label_mail_status,
    )


@pages.get("/mail/{mail_id}/html")
async def show_html(request: Request, mail_id: str, principal: Reader) -> Response:
    """Show only the HTML part, for the sandboxed frame."""
    html = (await get_visible_mail(get_state(request).services, principal, mail_id)).content.html
    if html is None:
        raise NotFound(gettext("This mail has no HTML part."))
    return sandboxed_html(html)


@pages.post("/mail/{mail_id}/settle")
async def settle(
    request: Request, mail_id: str, principal: Settler, outcome: FormText = "", why: FormText = ""
) -> Response:
    """Record whether a mail in doubt was sent."""
    if outcome not in get_args(MailSettlement):
        raise InputError(gettext("Choose whether the mail was sent or not."))
    await operator_actions.settle_mail(
        get_state(request).services, principal, mail_id, cast("MailSettlement", outcome), why
    )
    return redirect(request, f"/mail/{mail_id}", Flash(gettext("Saved.")))


@pages.post("/mail/{mail_id}/retry")
async def retry(request: Request, mail_id: str, principal: Settler) -> Response:
    """Queue a failed message again."""
    await operator_actions.retry_mail(get_state(request).services, principal, mail_id)
    return redirect(request, f"/mail/{mail_id}", Flash(gettext("The mail is queued again.")))


@pages.get("/unsubscribe/{token}")
async def show_unsubscribe(request: Request, token: str, _principal: Annotated[Principal | None, public()]) -> Response:
    """Ask for confirmation before unsubscribing, because mail scanners follow links too."""
    return await render_page(request, "mail/unsubscribe.html", token=token, wish=None)


@pages.post("/unsubscribe/{token}")
async def unsubscribe(request: Request, token: str, _principal: Annotated[Principal | None, public()]) -> Response:
    """Unsubscribe. Mail programs post here when a reader clicks their unsubscribe button."""
    services = get_state(request).services
    unsubscription = await services.suppressions.unsubscribe(token)
    await services.alerts.unsubscribed(unsubscription.topic)
    return await render_page(request, "mail/unsubscribe.html", token=token, wish=unsubscription)


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise FieldErrors({"reason": gettext("Give a reason for blocking this address.")})


async def _render_suppressions(
    request: Request,
    items: list[Suppression],
    next_cursor: str | None,
    cursor: str | None,
    q: str,
    values: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    return await render_page(
        request,
        "mail/suppressions.html",
        status_code=422 if errors else 200,
        suppressions=items,
        q=q,
        values=values or {"email": "", "reason": ""},
        errors=errors or {},
        next_url=next_url(request.url, next_cursor),
        first_url=first_url(request.url, cursor),
    )
