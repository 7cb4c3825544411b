"""Notifications of the person: kinds by channels, quiet hours, devices and addresses, with a test of each."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from almanac.accounts.model import Principal
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.conflicts import EditConflict, make_conflict
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, FormTexts, parse_form_version, redirect, render_page
from almanac.jobs.cron_words import WEEKDAYS
from almanac.kit.messages import gettext, join_texts
from almanac.mail.model import KEPT_HERE
from almanac.notifications import ADDRESSED, NotificationChannel, NotificationSettings
from almanac.notifications.audience import offered_kinds
from almanac.notifications.labels import ADDRESS_HELP, CHANNELS, KINDS
from almanac.notifications.model import parse_morning, parse_quiet_hours
from almanac.notifications.push_encryption import PushSubscription

pages = APIRouter(prefix="/account/notifications")
PATH = "/account/notifications"
STATES = {
    "waiting": (gettext("Waiting"), "waiting"),
    "sending": (gettext("Sending"), "running"),
    "sent": (gettext("Sent"), "done"),
    "kept": (gettext("Kept here"), "waiting"),
    "failed": (gettext("Failed"), "failed"),
    "unknown": (gettext("In doubt"), "waiting"),
    "dropped": (gettext("Not needed"), "plain"),
}

Myself = Annotated[Principal, require("account.own")]


class SubscriptionKeys(BaseModel):
    """The keys of a browser."""

    p256dh: str
    auth: str


class SubscriptionForm(BaseModel):
    """What a browser says about itself when it subscribes."""

    endpoint: str
    keys: SubscriptionKeys


@pages.get("")
async def show_notifications(request: Request, principal: Myself) -> Response:
    """Show what the person chose, their devices and addresses, and the latest messages."""
    return await _render(request, principal)


@pages.post("")
async def save_notifications(
    request: Request,
    principal: Myself,
    version: FormText = "0",
    choice: FormTexts = None,
    quiet_from: FormText = "",
    quiet_to: FormText = "",
    titles: FormText = "",
    morning_hour: FormText = "",
    morning_day: FormTexts = None,
    morning_when_empty: FormText = "",
) -> Response:
    """Keep what the person chose."""
    services = get_state(request).services
    profile = await services.notifications.get_profile(principal)
    settings = NotificationSettings(
        choices=profile.choose(offered_kinds(principal), choice or []),
        titles=bool(titles),
        morning=parse_morning(morning_hour, morning_day or [], when_empty=bool(morning_when_empty)),
        version=profile.version,
    )
    quiet = (quiet_from, quiet_to)
    try:
        begin, end = parse_quiet_hours(quiet_from, quiet_to)
        settings = replace(settings, quiet_from=begin, quiet_to=end)
        settings.morning.require_day()
        await services.notifications.save_settings(principal, settings, expected=parse_form_version(version))
    except FieldErrors as error:
        return await _render(request, principal, errors=error.fields, settings=settings, quiet=quiet)
    except StaleEdit:
        mine, saved = _in_words(principal, settings), _in_words(principal, profile.settings)
        rows = [(label, mine[label], saved[label]) for label in mine]
        conflict = await make_conflict(request, rows, profile.version, PATH)
        return await _render(request, principal, settings=settings, quiet=quiet, conflict=conflict)
    return redirect(request, PATH, Flash(gettext("Your notifications are saved.")))


@pages.post("/devices")
async def add_device(request: Request, principal: Myself, subscription: SubscriptionForm) -> Response:
    """Push to this browser."""
    keys = subscription.keys
    device_id = await get_state(request).services.notifications.add_device(
        principal,
        PushSubscription.parse(subscription.endpoint, keys.p256dh, keys.auth),
        request.headers.get("User-Agent", ""),
    )
    return JSONResponse({"id": device_id}, 201)


@pages.post("/devices/{device_id}/remove")
async def remove_device(request: Request, device_id: str, principal: Myself) -> Response:
    """Push to a browser no more."""
    await get_state(request).services.notifications.remove_device(principal, device_id)
    return redirect(request, PATH, Flash(gettext("This device gets no more notifications.")))


@pages.post("/addresses/{channel}")
async def set_address(
    request: Request, channel: NotificationChannel, principal: Myself, address: FormText = ""
) -> Response:
    """Set where a channel sends to; the secret of a webhook is shown once."""
    try:
        secret = await get_state(request).services.notifications.set_address(principal, channel, address)
    except FieldErrors as error:
        return await _render(request, principal, errors=error.fields)
    if secret:
        return await _render(request, principal, secret=secret)
    return redirect(request, PATH, Flash(gettext("The address is saved; send a test to see that it works.")))


@pages.post("/addresses/{channel}/remove")
async def remove_address(request: Request, channel: NotificationChannel, principal: Myself) -> Response:
    """Send nothing by a channel any more."""
    await get_state(request).services.notifications.remove_address(principal, channel)
    return redirect(request, PATH, Flash(gettext("The address is removed.")))


@pages.post("/test/{channel}")
async def send_test(
    request: Request, channel: NotificationChannel, principal: Myself, device: Annotated[str, Form()] = ""
) -> Response:
    """Send a test message and say how it went."""
    outcomes = await get_state(request).services.notifications.send_test(principal, channel, device or None)
    failed = next((outcome for outcome in outcomes if not outcome.sent), None)
    if failed is not None:
        return redirect(request, PATH, Flash(gettext("The test failed: %(reason)s", reason=failed.reason), "failed"))
    if any(outcome.kept for outcome in outcomes):
        return redirect(request, PATH, Flash(KEPT_HERE, "plain"))
    return redirect(request, PATH, Flash(gettext("The test message is on its way.")))


def _in_words(principal: Principal, settings: NotificationSettings) -> dict[str, str]:
    """What was chosen for each kind, the quiet hours and the morning mail, as a person compares them."""
    channels: dict[str, str] = {
        KINDS[kind][0]: join_texts(CHANNELS[channel] for channel in CHANNELS if settings.wants(kind, channel))
        for kind in offered_kinds(principal)
    }
    hours = " – ".join(text for text in settings.quiet_texts if text)
    morning = settings.morning
    days = (
        [f"{morning.hour:02}:00", *(WEEKDAYS[day - 1] for day in sorted(morning.days))]
        if morning.hour is not None
        else []
    )
    return {**channels, gettext("Quiet hours"): hours, gettext("Morning mail"): join_texts(days) if days else ""}


async def _render(
    request: Request,
    principal: Principal,
    *,
    errors: dict[str, str] | None = None,
    secret: str = "",
    settings: NotificationSettings | None = None,
    quiet: tuple[str, str] | None = None,
    conflict: EditConflict | None = None,
) -> Response:
    """`settings` and `quiet` are what was typed and isn't saved."""
    notifications = get_state(request).services.notifications
    profile = await notifications.get_profile(principal)
    shown = settings or profile.settings
    return await render_page(
        request,
        "account/notifications.html",
        status_code=412 if conflict else 422 if errors else 200,
        profile=profile,
        settings=shown,
        quiet=quiet or shown.quiet_texts,
        conflict=conflict,
        history=await notifications.list_sent(principal),
        public_key=notifications.public_key,
        kinds=KINDS,
        offered=offered_kinds(principal),
        channels=CHANNELS,
        addressed=ADDRESSED,
        address_help=ADDRESS_HELP,
        states=STATES,
        hours=[("", gettext("Never")), *((str(hour), f"{hour:02}:00") for hour in range(24))],
        weekdays=list(enumerate(WEEKDAYS, 1)),
        errors=errors or {},
        secret=secret,
    )
