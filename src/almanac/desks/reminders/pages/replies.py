"""Customers' replies, which pause reminders until somebody confirms their meaning, and the public opt-out page."""

from typing import Annotated, cast, get_args

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.pages.form_values import FieldErrorCollector, parse_optional_day
from almanac.desks.reminders.pages.layout import PREFIX, Name, Reader, Writer, desk_page
from almanac.desks.reminders.service.holds import ReplyMeaning
from almanac.desks.reminders.urls import OPT_OUT_PATH, parse_opt_out_token
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import public
from almanac.http.pages import FormText, redirect_with_message, render_page
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/replies")
opt_out_router = APIRouter(prefix=OPT_OUT_PATH)
MEANINGS = (
    ("nothing", gettext("Nothing: keep reminding")),
    ("promise", gettext("They promise to pay")),
    ("dispute", gettext("They dispute it")),
    ("pause", gettext("Pause for a while")),
    ("never", gettext("Never remind again")),
)
_CONFIRMATIONS = {
    "nothing": gettext("Reminders continue."),
    "promise": gettext("Reminders wait for the promised payment."),
    "dispute": gettext("Reminders wait until the dispute is resolved."),
    "pause": gettext("Reminders are paused."),
    "never": gettext("They won't be reminded again."),
}


@router.get("")
async def show_replies(request: Request, principal: Reader) -> Response:
    """List unconfirmed replies, oldest first."""
    return await _show(request, principal)


@router.post("/{customer_id}/{reply_id}")
async def confirm_reply(
    request: Request,
    customer_id: Name,
    reply_id: Name,
    principal: Writer,
    meaning: FormText = "",
    until: FormText = "",
    note: FormText = "",
) -> Response:
    """Record what a reply means."""
    read = FieldErrorCollector()
    if meaning not in get_args(ReplyMeaning):
        read.errors["meaning"] = gettext("Choose what the reply means.")
    chosen, day = cast("ReplyMeaning", meaning), read(lambda: parse_optional_day(until, "until"))
    try:
        read.raise_errors()
        await service.confirm_reply(
            get_state(request).services,
            principal,
            customer_id,
            reply_id,
            chosen,
            until=day,
            note=note,
        )
    except FieldErrors as error:
        typed = {"meaning": meaning, "until": until, "note": note}
        return await _show(request, principal, refused=reply_id, errors=error.fields, typed=typed)
    return redirect_with_message(request, f"{PREFIX}/replies", _CONFIRMATIONS[chosen])


async def _show(
    request: Request,
    principal: Principal,
    *,
    refused: str = "",
    errors: dict[str, str] | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    replies = await service.list_replies(get_state(request).services, principal)
    return await desk_page(
        request,
        "replies",
        "replies",
        status_code=422 if errors else 200,
        replies=replies,
        meanings=MEANINGS,
        refused=refused,
        errors=errors or {},
        typed=typed or {},
    )


@opt_out_router.get("/{token}")
async def show_opt_out(request: Request, token: str, _principal: Annotated[Principal | None, public()]) -> Response:
    """Ask for confirmation before opting out, because mail scanners follow links too."""
    parse_opt_out_token(get_state(request).services, token)
    return await render_page(request, "reminders/opt_out.html", action=f"{OPT_OUT_PATH}/{token}", done=False)


@opt_out_router.post("/{token}")
async def opt_out_customer(request: Request, token: str, _principal: Annotated[Principal | None, public()]) -> Response:
    """Opt out. Mail programs post here when a reader clicks their unsubscribe button."""
    await service.opt_out(get_state(request).services, token)
    return await render_page(request, "reminders/opt_out.html", action=f"{OPT_OUT_PATH}/{token}", done=True)
