"""The page to import habits from a file, and to export all of them."""

from fastapi import APIRouter, Request, UploadFile
from starlette.responses import Response

from almanac.desks.habits.formats.registry import ExportFormat
from almanac.desks.habits.pages.layout import PREFIX, Reader, Writer, desk_page
from almanac.desks.habits.service import transfer
from almanac.desks.habits.service.transfer import HabitImportReport
from almanac.errors import FieldErrors, InputError
from almanac.http.app_state import get_state
from almanac.http.pages import FormText
from almanac.http.responses import download_response
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX)
FORMATS: tuple[tuple[ExportFormat, str, str], ...] = (
    (
        "json",
        gettext("Everything"),
        gettext("JSON with rules, log, notes and days off. You can import it again without loss."),
    ),
    ("csv", gettext("Spreadsheet"), gettext("CSV with one line per day.")),
    ("loop", gettext("Loop Habit Tracker"), gettext("The CSV archive that Loop exports and imports.")),
    ("loop-db", gettext("Loop backup"), gettext("The database file that Loop restores.")),
)


@router.get("/files")
async def show_files(request: Request, _principal: Reader) -> Response:
    """The import form and the export formats."""
    return await _files_page(request)


@router.post("/files")
async def import_file(
    request: Request, principal: Writer, file: UploadFile | None = None, for_good: FormText = ""
) -> Response:
    """Preview what an import would add; with `for_good`, import the file."""
    if file is None or not file.filename:
        return await _files_page(request, error=gettext("Choose a file first."))
    services = get_state(request).services
    try:
        report = await transfer.import_habits(services, principal, await file.read(), dry_run=for_good != "yes")
    except FieldErrors as error:
        return await _files_page(request, error=next(iter(error.fields.values())))
    except InputError as error:
        return await _files_page(request, error=error.sentence)
    return await _files_page(request, report)


@router.get("/files/{form}")
async def export_file(request: Request, form: ExportFormat, principal: Reader) -> Response:
    """Download all habits in a format."""
    export = await transfer.export_habits(get_state(request).services, principal, form)
    return download_response(export.data, export.name, export.content_type)


async def _files_page(request: Request, report: HabitImportReport | None = None, error: str = "") -> Response:
    status = 422 if error else 200
    return await desk_page(request, "files", "files", status_code=status, formats=FORMATS, report=report, error=error)
