"""API: import habits from a file, and export all of them."""

from typing import Annotated

from fastapi import File, Query, Request, UploadFile
from starlette.responses import Response

from almanac.desks.habits.api.dependencies import Reader, Writer, new_router
from almanac.desks.habits.api.schemas import HabitImportBody
from almanac.desks.habits.formats.registry import MEDIA_TYPES, ExportFormat
from almanac.desks.habits.service import transfer
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.responses import download_response

router = new_router()


@router.post("/import", openapi_extra=REPEATABLE)
async def import_habits(
    request: Request,
    principal: Writer,
    file: Annotated[
        UploadFile, File(description="Loop's CSV archive or database, Beaver's or Almanac's JSON, or CSV.")
    ],
    dry_run: Annotated[bool, Query(description="Only report what the import would add.")] = False,
) -> HabitImportBody:
    """Import habits and their days from a file. Importing it again adds nothing."""
    report = await transfer.import_habits(get_state(request).services, principal, await file.read(), dry_run=dry_run)
    return HabitImportBody.model_validate(report)


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
    """Export all your habits. JSON and Loop's archive can be imported again without loss."""
    export = await transfer.export_habits(get_state(request).services, principal, form)
    return download_response(export.data, export.name, export.content_type)
