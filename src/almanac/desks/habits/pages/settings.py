"""One's choices: clocks, the hour at which the day begins, vacations and rest days; and files in and out."""

from fastapi import APIRouter, Request, UploadFile
from starlette.responses import Response

from almanac.desks.habits.pages.entries import parse_form_day
from almanac.desks.habits.pages.layout import PREFIX, Id, Reader, Writer, address, desk_page
from almanac.desks.habits.service import days_off, settings, transfer
from almanac.desks.habits.service.transfer import ExportFormat, HabitImportReport
from almanac.errors import FieldErrors, InputError
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.responses import download_response
from almanac.kit.dates import time_zone_names

router = APIRouter(prefix=PREFIX)
FORMS: tuple[tuple[ExportFormat, str, str], ...] = (
    ("json", "Everything", "JSON with rules, log, notes and days off; nothing is lost on the way back."),
    ("csv", "A table", "CSV with a line for each day, for a spreadsheet."),
    ("loop", "For Loop Habit Tracker", "The archive of CSV files that Loop exports and imports."),
    ("loop-db", "For Loop, as a backup", "The database file that Loop restores."),
)


@router.get("/settings")
async def show_settings(request: Request, principal: Reader) -> Response:
    """Clocks and days off."""
    return await _settings(request, principal)


@router.post("/settings")
async def change_settings(
    request: Request,
    principal: Writer,
    time_zone: FormText = "",
    day_start: FormText = "0",
    weekly_report: FormText = "",
    shown_zone: FormText = "",
    shown_start: FormText = "",
    shown_report: FormText = "",
) -> Response:
    """Live by other clocks from now on; be told about each week by mail, or not.

    What is as the form showed it stays as it is, so that an old tab takes back nothing that was changed in another.
    """
    if not day_start.isdecimal() or len(day_start) > 2:
        return await _settings(request, principal, {"day_start": "Choose an hour from 0 to 12."}, status=422)
    try:
        await settings.change_settings(
            get_state(request).services,
            principal,
            time_zone=None if time_zone == shown_zone else time_zone,
            day_start=None if day_start == shown_start else int(day_start),
            weekly_report=None if (weekly_report or "no") == shown_report else weekly_report == "yes",
        )
    except FieldErrors as error:
        return await _settings(request, principal, error.fields, status=422)
    return redirect_with_message(request, address("settings"), "Saved. Days that are logged stay the days they were.")


@router.post("/vacations")
async def plan_vacation(request: Request, principal: Writer, first: FormText = "", last: FormText = "") -> Response:
    """Days on which nothing breaks."""
    services = get_state(request).services
    begin, end = parse_form_day(first), parse_form_day(last)
    if begin is None or end is None:
        return await _settings(request, principal, {"first": "Choose the first and the last day."}, status=422)
    try:
        await days_off.plan_vacation(services, principal, begin, end)
    except FieldErrors as error:
        return await _settings(request, principal, error.fields, status=422)
    return redirect_with_message(request, address("settings"), "The vacation is planned; it protects every streak.")


@router.post("/vacations/{vacation_id}/cancel")
async def cancel_vacation(request: Request, vacation_id: Id, principal: Writer) -> Response:
    """Take a vacation back."""
    await days_off.cancel_vacation(get_state(request).services, principal, vacation_id)
    return redirect_with_message(request, address("settings"), "The vacation is taken back.")


@router.post("/rest-days")
async def rest(request: Request, principal: Writer, day: FormText = "") -> Response:
    """A day off from everything."""
    try:
        on = await days_off.take_rest_day(get_state(request).services, principal, parse_form_day(day))
    except FieldErrors as error:
        return await _settings(request, principal, {"day": next(iter(error.fields.values()))}, status=422)
    return redirect_with_message(request, address("settings"), f"{on:%-d %B} is a rest day.")


@router.post("/rest-days/{day}/cancel")
async def cancel_rest(request: Request, day: Id, principal: Writer) -> Response:
    """Take a rest day back."""
    on = parse_form_day(day)
    if on is not None:
        await days_off.cancel_rest_day(get_state(request).services, principal, on)
    return redirect_with_message(request, address("settings"), "The rest day is taken back.")


@router.get("/files")
async def show_files(request: Request, _principal: Reader) -> Response:
    """Bring habits from another program, or take all of one's own away."""
    return await _files(request)


@router.post("/files")
async def bring(
    request: Request, principal: Writer, file: UploadFile | None = None, for_good: FormText = ""
) -> Response:
    """What a file would bring; with `for_good`, bring it."""
    if file is None or not file.filename:
        return await _files(request, error="Choose a file first.")
    services = get_state(request).services
    try:
        report = await transfer.import_habits(services, principal, await file.read(), dry_run=for_good != "yes")
    except InputError as error:
        said = next(iter(error.fields.values())) if isinstance(error, FieldErrors) else error.sentence
        return await _files(request, error=said)
    return await _files(request, report)


async def _files(request: Request, report: HabitImportReport | None = None, error: str = "") -> Response:
    status = 422 if error else 200
    return await desk_page(request, "files", "files", status_code=status, forms=FORMS, report=report, error=error)


@router.get("/files/{form}")
async def take_away(request: Request, form: ExportFormat, principal: Reader) -> Response:
    """All one's habits in a file."""
    made = await transfer.export_habits(get_state(request).services, principal, form)
    return download_response(made.data, made.name, made.content_type)


async def _settings(
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
        zones=[(zone, zone) for zone in time_zone_names()],
        hours=[(hour, f"{hour:02}:00") for hour in range(13)],
    )
