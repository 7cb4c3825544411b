"""Importing a file: upload it, map its columns, preview every row, then run the import."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams, UploadFile
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.formats.amounts import DecimalMark
from almanac.desks.reminders.formats.columns import IMPORT_FIELDS, guess_columns
from almanac.desks.reminders.formats.dates import DayOrder
from almanac.desks.reminders.formats.report import LedgerImportReport
from almanac.desks.reminders.formats.rows import ImportOptions
from almanac.desks.reminders.formats.sheet import read_sheet
from almanac.desks.reminders.jobs import IMPORT
from almanac.desks.reminders.pages.job_progress import JobId, JobPage, get_job_detail, get_outcome
from almanac.desks.reminders.pages.layout import PREFIX, Name, Reader, Writer, address, desk_page
from almanac.desks.reminders.pipeline.imports import import_object_key
from almanac.errors import AlmanacError, FieldErrors, NotFound, Retryable
from almanac.http.app_state import get_state
from almanac.http.live import ShownJobs
from almanac.http.pages import redirect_with_message
from almanac.http.responses import download_response
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/import")
IMPORTING = JobPage(task=IMPORT, named_by="import_id", label=gettext("Importing"), target="import")
MAX_ROWS_SHOWN = 200
FIELD_WORDS = {
    "customer_id": gettext("Customer's id"),
    "customer_name": gettext("Customer's name"),
    "customer_email": "E-mail addresses",
    "language": gettext("Language"),
    "time_zone": gettext("Time zone"),
    "notes": gettext("Notes"),
    "invoice_number": gettext("Invoice number"),
    "amount": gettext("Amount"),
    "currency": gettext("Currency"),
    "issued": gettext("Issued on"),
    "due": gettext("Due on"),
    "paid": gettext("Paid already"),
}
CHOICE_WORDS = {
    "dmy": gettext("The day comes first"),
    "mdy": gettext("The month comes first"),
    ".": gettext("A point is the decimal mark"),
    ",": gettext("A comma is the decimal mark"),
}
_MARKS, _ORDERS = (".", ","), ("dmy", "mdy")


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """A file with its columns, the options, and a preview of the import, or why there is none yet."""

    header: tuple[str, ...]
    reading: ImportOptions
    chosen: Mapping[str, str]
    report: LedgerImportReport | None
    errors: Mapping[str, str]


@router.get("")
async def show_import(request: Request, _principal: Writer) -> Response:
    """Show the upload form."""
    return await desk_page(request, "customers", "import", error="")


@router.post("")
async def upload_file(request: Request, principal: Writer) -> Response:
    """Store the file and continue with its columns."""
    async with request.form() as form:
        file = form.get("file")
        content = await file.read() if isinstance(file, UploadFile) and file.filename else b""
    try:
        await _check_file(content)
    except Retryable:
        raise
    except AlmanacError as error:
        status = error.status
        return await desk_page(request, "customers", "import", status_code=status, error=error.sentence)
    upload_id = f"{new_id()}-{principal.user_id[-8:]}"
    objects = get_state(request).services.objects
    await objects.put(import_object_key(upload_id, "upload.csv"), content, content_type="text/csv")
    return redirect_with_message(request, address("import", upload_id))


@router.get("/{upload_id}")
async def show_mapping(request: Request, upload_id: Name, principal: Writer) -> Response:
    """Show columns and open questions with a preview of every row; nothing is written."""
    services = get_state(request).services
    content = await _load_upload(services, upload_id)
    mapped = await _map_columns(services, principal, content, _parse_options(request.query_params))
    return await desk_page(
        request,
        "customers",
        "import_mapping",
        mapped=mapped,
        upload_id=upload_id,
        field_words=FIELD_WORDS,
        choice_words=CHOICE_WORDS,
        query=str(request.url.query),
        most=MAX_ROWS_SHOWN,
    )


@router.get("/{upload_id}/refused.csv")
async def download_refused(request: Request, upload_id: Name, principal: Writer) -> Response:
    """Download the rows that would be refused, with their reasons, to correct and import again."""
    services = get_state(request).services
    content = await _load_upload(services, upload_id)
    return _csv(await service.preview_refused_rows(services, principal, content, _parse_options(request.query_params)))


@router.post("/{upload_id}")
async def start_upload(request: Request, upload_id: Name, principal: Writer) -> Response:
    """Import the file in a job, with the options of the preview."""
    services = get_state(request).services
    content = await _load_upload(services, upload_id)
    try:
        started = await service.start_import(services, principal, content, _parse_options(request.query_params))
    except FieldErrors:
        # The file stays here; its page shows what is wrong beside each field.
        return redirect_with_message(request, f"{address('import', upload_id)}?{request.url.query}")
    await services.objects.delete(import_object_key(upload_id, "upload.csv"))
    return redirect_with_message(request, f"{address('imported', started.id)}?job={started.job_id}")


imported_router = APIRouter(prefix=PREFIX + "/imported/{import_id}")


@imported_router.get("")
async def show_imported(request: Request, import_id: Name, principal: Reader, job: JobId = None) -> Response:
    """The result of every row; while the import runs, its progress."""
    services = get_state(request).services
    running = IMPORTING.running(await get_job_detail(services, job), import_id, address("imported", import_id))
    report = await get_outcome(running, service.get_import_report(services, principal, import_id))
    return await desk_page(
        request, "customers", "imported", running=running, report=report, import_id=import_id, most=MAX_ROWS_SHOWN
    )


@imported_router.get("/refused.csv")
async def download_refused_of_import(request: Request, import_id: Name, principal: Reader) -> Response:
    """Download the refused rows of a finished import, with their reasons."""
    return _csv(await service.get_refused_rows(get_state(request).services, principal, import_id))


@imported_router.get("/live")
async def follow_import(request: Request, import_id: Name, principal: Reader, shown: ShownJobs = None) -> Response:
    """Stream the progress of an import."""
    if not shown:
        # No job is running: the import has ended, or it doesn't exist, which raises NotFound.
        await service.get_import_report(get_state(request).services, principal, import_id)
    return await IMPORTING.follow(request, principal, import_id, shown, address("imported", import_id))


async def _check_file(content: bytes) -> None:
    if not content:
        raise FieldErrors({"file": gettext("Choose a file.")}, gettext("Choose a CSV file; spreadsheets save as one."))
    await asyncio.to_thread(read_sheet, content)


async def _load_upload(services: Services, upload_id: str) -> bytes:
    if "/" in upload_id:
        raise NotFound(gettext("This file doesn't exist."))
    try:
        return await services.objects.get(import_object_key(upload_id, "upload.csv"))
    except NotFound:
        raise NotFound(gettext("That file was imported already, or it is over a month old; choose it again.")) from None


async def _map_columns(
    services: Services, principal: Principal, content: bytes, reading: ImportOptions
) -> ColumnMapping:
    header = (await asyncio.to_thread(read_sheet, content)).header
    chosen: dict[str, str] = {field: header[place] for field, place in guess_columns(header).items()}
    chosen.update(reading.columns)
    try:
        report = await service.preview_import(services, principal, content, reading)
    except FieldErrors as error:
        return ColumnMapping(header, reading, chosen, None, error.fields)
    return ColumnMapping(header, reading, chosen, report, {})


def _parse_options(query: QueryParams) -> ImportOptions:
    """The import options in the query string; invalid ones are ignored."""
    columns: dict[str, str] = {field: query[f"column_{field}"] for field in IMPORT_FIELDS if f"column_{field}" in query}
    mark, order, terms = query.get("decimal_mark", ""), query.get("day_order", ""), query.get("terms_days", "")
    return ImportOptions(
        columns=columns,
        decimal_mark=cast("DecimalMark", mark) if mark in _MARKS else None,
        day_order=cast("DayOrder", order) if order in _ORDERS else None,
        currency=query.get("currency", "").strip().upper() or None,
        terms_days=int(terms) if terms.isdecimal() and len(terms) <= 4 else None,
    )


def _csv(content: bytes) -> Response:
    return download_response(content, "refused.csv", "text/csv; charset=utf-8")
