"""API: bring habits from a file, and take them away in one."""

from typing import Annotated

from fastapi import File, Query, Request, UploadFile
from starlette.responses import Response

from almanac.desks.habits.api.dependencies import Reader, Writer, new_router
from almanac.desks.habits.service import transfer
from almanac.desks.habits.service.transfer import MEDIA_TYPES, ExportFormat
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.responses import download_response

router = new_router()


class ImportedHabitBody(ApiModel):
    """What becomes, or became, of one habit of a file."""

    name: str
    is_new: bool
    entries: int
    entries_known: int
    skips: int
    notes: int


class ImportBody(ApiModel):
    """What a file brings; after a dry run nothing has changed. `days_off` are vacations and rest days, and `refused`
    tells what could not be read."""

    dry_run: bool
    entries: int
    days_off: int
    habits: list[ImportedHabitBody]
    refused: list[str]


@router.post("/import")
async def import_habits(
    request: Request,
    principal: Writer,
    file: Annotated[UploadFile, File(description="Loop's CSV archive or database, Beaver's or our JSON, or CSV.")],
    dry_run: Annotated[bool, Query(description="Only tell what the file would bring.")] = False,
) -> ImportBody:
    """Bring habits and their days from a file; the same file again brings nothing."""
    report = await transfer.import_habits(get_state(request).services, principal, await file.read(), dry_run=dry_run)
    return ImportBody.model_validate(report)


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {media_type: {} for media_type in MEDIA_TYPES}, "description": "The file."}},
)
async def export_habits(
    request: Request,
    principal: Reader,
    form: Annotated[ExportFormat, Query(description="json, csv, loop (its CSV archive) or loop-db.")] = "json",
) -> Response:
    """All one's habits in a file. JSON and Loop's archive lose nothing on the way back."""
    made = await transfer.export_habits(get_state(request).services, principal, form)
    return download_response(made.data, made.name, made.content_type)
