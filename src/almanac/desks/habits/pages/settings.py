"""The settings page: time zone, start of day, weekly report, vacations and rest days."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.habits.pages.layout import PREFIX, Id, Reader, Writer, address, desk_page, parse_form_day
from almanac.desks.habits.service import days_off, settings
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, FormZone, redirect_with_message
from almanac.kit.messages import day_text, gettext

router = APIRouter(prefix=PREFIX)


@router.get("/settings")
async def show_settings(request: Request, principal: Reader) -> Response:
    """Settings and days off."""
    return await _settings_page(request, principal)


@router.post("/settings")
async def change_settings(
    request: Request,
    principal: Writer,
    time_zone: FormZone = "",
    day_start: FormText = "0",
    weekly_report: FormText = "",
    shown_zone: FormText = "",
    shown_start: FormText = "",
    shown_report: FormText = "",
) -> Response:
    """Save the settings that differ from what the form showed, so that an old tab doesn't revert later changes."""
    if not day_start.isdecimal() or len(day_start) > 2:
        return await _settings_page(
            request, principal, {"day_start": gettext("Choose an hour from 0 to 12.")}, status=422
        )
    try:
        await settings.change_settings(
            get_state(request).services,
            principal,
            time_zone=None if time_zone == shown_zone else time_zone,
            day_start=None if day_start == shown_start else int(day_start),
            weekly_report=None if (weekly_report or "no") == shown_report else weekly_report == "yes",
        )
    except FieldErrors as error:
        return await _settings_page(request, principal, error.fields, status=422)
    return redirect_with_message(request, address("settings"), gettext("Saved. Days already logged don't move."))


@router.post("/vacations")
async def plan_vacation(request: Request, principal: Writer, first: FormText = "", last: FormText = "") -> Response:
    """Plan a vacation."""
    services = get_state(request).services
    begin, end = parse_form_day(first), parse_form_day(last)
    if begin is None or end is None:
        missing = [name for name, day in (("first", begin), ("last", end)) if day is None]
        errors: dict[str, str] = dict.fromkeys(missing, gettext("Choose the first and the last day."))
        return await _settings_page(request, principal, errors, status=422)
    try:
        await days_off.plan_vacation(services, principal, begin, end)
    except FieldErrors as error:
        # The API calls them `first_day` and `last_day`.
        errors = {name.removesuffix("_day"): words for name, words in error.fields.items()}
        return await _settings_page(request, principal, errors, status=422)
    return redirect_with_message(request, address("settings"), gettext("Vacation planned; it protects every streak."))


@router.post("/vacations/{vacation_id}/cancel")
async def cancel_vacation(request: Request, vacation_id: Id, principal: Writer) -> Response:
    """Delete a vacation."""
    services = get_state(request).services
    planned = await days_off.list_vacations(services, principal)
    await days_off.cancel_vacation(services, principal, vacation_id)
    days = next((vacation for vacation in planned if vacation.id == vacation_id), None)
    again = {"first": days.first_day.isoformat(), "last": days.last_day.isoformat()} if days else {}
    return redirect_with_message(
        request,
        address("settings"),
        gettext("Vacation deleted."),
        undo=address("vacations") if days else "",
        fields=again,
    )


@router.post("/rest-days")
async def take_rest_day(request: Request, principal: Writer, day: FormText = "") -> Response:
    """Take a rest day."""
    try:
        on = await days_off.take_rest_day(get_state(request).services, principal, parse_form_day(day))
    except FieldErrors as error:
        return await _settings_page(request, principal, {"day": next(iter(error.fields.values()))}, status=422)
    return redirect_with_message(
        request,
        address("settings"),
        gettext("%(day)s is a rest day.", day=day_text(on, "day")),
        undo=address("rest-days", on.isoformat(), "cancel"),
    )


@router.post("/rest-days/{day}/cancel")
async def cancel_rest_day(request: Request, day: Id, principal: Writer) -> Response:
    """Delete a rest day."""
    on = parse_form_day(day)
    if on is not None:
        await days_off.cancel_rest_day(get_state(request).services, principal, on)
    return redirect_with_message(
        request, address("settings"), gettext("Rest day deleted."), undo=address("rest-days"), fields={"day": day}
    )


async def _settings_page(
    request: Request, principal: Reader, errors: dict[str, str] | None = None, *, status: int = 200
) -> Response:
    services = get_state(request).services
    return await desk_page(
        request,
        "settings",
        "settings",
        status_code=status,
        errors=errors or {},
        settings=await settings.get_settings(services, principal),
        vacations=await days_off.list_vacations(services, principal),
        rest_days=await days_off.list_rest_days(services, principal),
        hours=[(hour, f"{hour:02}:00") for hour in range(13)],
    )
