"""One's choices: clocks, the hour at which the day begins, vacations and rest days; and files in and out."""

from fastapi import APIRouter, Request, UploadFile
from starlette.responses import Response

from almanac.desks.habits import service
from almanac.desks.habits.pages.entering import day_in
from almanac.desks.habits.pages.layout import PREFIX, Id, Keeper, Reader, address, desk_page
from almanac.desks.habits.service import Form, ImportReport
from almanac.errors import FieldErrors, InputError
from almanac.http.downloads import download
from almanac.http.forms import Word, back_to
from almanac.http.surface import surface_of
from almanac.kit.zones import zone_names

router = APIRouter(prefix=PREFIX)
FORMS: tuple[tuple[Form, str, str], ...] = (
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
    principal: Keeper,
    time_zone: Word = "",
    day_start: Word = "0",
    weekly_report: Word = "",
    shown_zone: Word = "",
    shown_start: Word = "",
    shown_report: Word = "",
) -> Response:
    """Live by other clocks from now on; be told about each week by mail, or not.

    What is as the form showed it stays as it is, so that an old tab takes back nothing that was changed in another.
    """
    if not day_start.isdecimal() or len(day_start) > 2:
        return await _settings(request, principal, {"day_start": "Choose an hour from 0 to 12."}, status=422)
    try:
        await service.change_settings(
            surface_of(request).services,
            principal,
            time_zone=None if time_zone == shown_zone else time_zone,
            day_start=None if day_start == shown_start else int(day_start),
            weekly_report=None if (weekly_report or "no") == shown_report else weekly_report == "yes",
        )
    except FieldErrors as error:
        return await _settings(request, principal, error.fields, status=422)
    return back_to(request, address("settings"), "Saved. Days that are logged stay the days they were.")


@router.post("/vacations")
async def plan_vacation(request: Request, principal: Keeper, first: Word = "", last: Word = "") -> Response:
    """Days on which nothing breaks."""
    services = surface_of(request).services
    begin, end = day_in(first), day_in(last)
    if begin is None or end is None:
        return await _settings(request, principal, {"first": "Choose the first and the last day."}, status=422)
    try:
        await service.plan_vacation(services, principal, begin, end)
    except FieldErrors as error:
        return await _settings(request, principal, error.fields, status=422)
    return back_to(request, address("settings"), "The vacation is planned; it protects every streak.")


@router.post("/vacations/{vacation_id}/cancel")
async def cancel_vacation(request: Request, vacation_id: Id, principal: Keeper) -> Response:
    """Take a vacation back."""
    await service.cancel_vacation(surface_of(request).services, principal, vacation_id)
    return back_to(request, address("settings"), "The vacation is taken back.")


@router.post("/rest-days")
async def rest(request: Request, principal: Keeper, day: Word = "") -> Response:
    """A day off from everything."""
    try:
        on = await service.take_rest_day(surface_of(request).services, principal, day_in(day))
    except FieldErrors as error:
        return await _settings(request, principal, {"day": next(iter(error.fields.values()))}, status=422)
    return back_to(request, address("settings"), f"{on:%-d %B} is a rest day.")


@router.post("/rest-days/{day}/cancel")
async def cancel_rest(request: Request, day: Id, principal: Keeper) -> Response:
    """Take a rest day back."""
    on = day_in(day)
    if on is not None:
        await service.cancel_rest_day(surface_of(request).services, principal, on)
    return back_to(request, address("settings"), "The rest day is taken back.")


@router.get("/files")
async def show_files(request: Request, _principal: Reader) -> Response:
    """Bring habits from another program, or take all of one's own away."""
    return await _files(request)


@router.post("/files")
async def bring(request: Request, principal: Keeper, file: UploadFile | None = None, for_good: Word = "") -> Response:
    """What a file would bring; with `for_good`, bring it."""
    if file is None or not file.filename:
        return await _files(request, error="Choose a file first.")
    services = surface_of(request).services
    try:
        report = await service.import_file(services, principal, await file.read(), dry_run=for_good != "yes")
    except InputError as error:
        said = next(iter(error.fields.values())) if isinstance(error, FieldErrors) else error.sentence
        return await _files(request, error=said)
    return await _files(request, report)


async def _files(request: Request, report: ImportReport | None = None, error: str = "") -> Response:
    status = 422 if error else 200
    return await desk_page(request, "files", "files", status_code=status, forms=FORMS, report=report, error=error)


@router.get("/files/{form}")
async def take_away(request: Request, form: Form, principal: Reader) -> Response:
    """All one's habits in a file."""
    made = await service.export_file(surface_of(request).services, principal, form)
    return download(made.data, made.name, made.content_type)


async def _settings(
    request: Request, principal: Reader, errors: dict[str, str] | None = None, *, status: int = 200
) -> Response:
    services = surface_of(request).services
    return await desk_page(
        request,
        "settings",
        "settings",
        status_code=status,
        errors=errors or {},
        settings=await service.get_settings(services, principal),
        vacations=await service.vacations(services, principal),
        rest_days=await service.rest_days(services, principal),
        zones=[(zone, zone) for zone in zone_names()],
        hours=[(hour, f"{hour:02}:00") for hour in range(13)],
    )
