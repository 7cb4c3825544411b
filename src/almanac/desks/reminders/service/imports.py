"""Imports of customers and invoices: preview one, start one, and read the report of a finished one.

The file is kept only until the import has ended; its refused rows and its report remain for a month.
"""

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders.formats.report import LedgerImportReport, write_refused_rows
from almanac.desks.reminders.formats.rows import ImportOptions
from almanac.desks.reminders.jobs import IMPORT, StartedJob
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.desks.reminders.pipeline.imports import (
    check_readable,
    import_object_key,
    prepare_import,
)
from almanac.errors import NotFound
from almanac.kit.ids import new_id
from almanac.kit.json_text import to_builtins
from almanac.kit.messages import gettext
from almanac.services import Services


async def preview_import(
    services: Services, by: Principal, content: bytes, options: ImportOptions
) -> LedgerImportReport:
    """What an import would do with every row; the import itself has the same totals."""
    by.require(WRITE)
    return (await prepare_import(services.tables, content, options)).report


async def preview_refused_rows(services: Services, by: Principal, content: bytes, options: ImportOptions) -> bytes:
    """The rows that would be refused, as a file with the reasons."""
    by.require(WRITE)
    prepared = await prepare_import(services.tables, content, options)
    return write_refused_rows(prepared.sheet, prepared.report.rows)


async def get_import_report(services: Services, by: Principal, import_id: str) -> LedgerImportReport:
    """The report of a finished import. NotFound until it has finished, and after a month."""
    by.require(READ)
    content = await _read_import_file(services, import_id, "report.json")
    return msgspec.json.decode(content, type=LedgerImportReport)


async def get_refused_rows(services: Services, by: Principal, import_id: str) -> bytes:
    """The refused rows of a finished import, with their reasons."""
    by.require(READ)
    return await _read_import_file(services, import_id, "refused.csv")


async def _read_import_file(services: Services, import_id: str, name: str) -> bytes:
    if not import_id or "/" in import_id:
        raise NotFound(gettext("This import doesn't exist."))
    try:
        return await services.objects.get(import_object_key(import_id, name))
    except NotFound:
        raise NotFound(gettext("This import doesn't exist, hasn't finished, or is over a month old.")) from None


async def start_import(services: Services, by: Principal, content: bytes, options: ImportOptions) -> StartedJob:
    """Queue a job that imports the file; its report exists when the job has ended."""
    by.require(WRITE)
    await check_readable(content, options)
    import_id = new_id()
    await services.objects.put(import_object_key(import_id, "file.csv"), content, content_type="text/csv")
    args = {"import_id": import_id, "user_id": by.user_id, "reading": to_builtins(options)}
    return StartedJob(import_id, await services.jobs.defer(IMPORT, args))
