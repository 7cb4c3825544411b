"""Imports: try one, run one here, and read what a finished one left.

The file itself is kept only until the import has ended; after that, its refused rows and its report remain for a while.
"""

from collections.abc import Awaitable, Callable

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders.importing.applying import Applying, Prepared, prepare, resumed
from almanac.desks.reminders.importing.entries import Reading
from almanac.desks.reminders.importing.report import ImportReport, refused_rows
from almanac.desks.reminders.indexing import index_customers, index_invoices
from almanac.desks.reminders.sending import reconsider
from almanac.desks.reminders.sending.deciding import READ, WRITE, rules_of
from almanac.desks.reminders.sending.erasing import IMPORTS
from almanac.desks.reminders.service.noting import note
from almanac.errors import NotFound
from almanac.services import Services

Report = Callable[[int, int, str], Awaitable[None]]


def part(import_id: str, name: str) -> str:
    """The key of one object of an import."""
    return f"{IMPORTS}/{import_id}/{name}"


async def try_import(services: Services, by: Principal, content: bytes, reading: Reading) -> ImportReport:
    """What an import would do with every row; the real one has the same numbers."""
    by.require(WRITE)
    return (await prepare(services.tables, content, reading)).report


async def refused_of(services: Services, by: Principal, content: bytes, reading: Reading) -> bytes:
    """The rows that would be refused, as a file with the reasons."""
    by.require(WRITE)
    prepared = await prepare(services.tables, content, reading)
    return refused_rows(prepared.sheet, prepared.report.rows)


async def import_here(
    services: Services, by: Principal, content: bytes, reading: Reading, report: Report, *, import_id: str
) -> ImportReport:
    """Import a file and keep the report. The same import again goes on where the last attempt was cut off."""
    by.require(WRITE)
    prepared = await prepare(services.tables, content, reading)
    first = await _first_plan(services, import_id, prepared)
    rules, now = await rules_of(services), services.clock.now()
    applying = Applying(services.tables, rules, now, prepared, report)
    ended = resumed(first, await applying.run())
    for customer_id in sorted(applying.in_transit):
        await reconsider(services, customer_id)
    await index_customers(services, prepared.matched.customers.values())
    await index_invoices(services, prepared.matched.invoices.values())
    await _keep(services, import_id, prepared, ended)
    counts = {str(outcome): number for outcome, number in ended.counts.items()}
    await note(services, by, "ledger.imported", "import", import_id, **counts)
    return ended


async def _first_plan(services: Services, import_id: str, prepared: Prepared) -> ImportReport:
    """What the first attempt meant to do; it decides what a repeated one reports as created."""
    key = part(import_id, "plan.json")
    try:
        return msgspec.json.decode(await services.objects.get(key), type=ImportReport)
    except NotFound:
        await services.objects.put(key, msgspec.json.encode(prepared.report))
        return prepared.report


async def _keep(services: Services, import_id: str, prepared: Prepared, report: ImportReport) -> None:
    await services.objects.put(part(import_id, "refused.csv"), refused_rows(prepared.sheet, report.rows))
    await services.objects.put(part(import_id, "report.json"), msgspec.json.encode(report))
    await services.objects.delete(part(import_id, "plan.json"))


async def import_report(services: Services, by: Principal, import_id: str) -> ImportReport:
    """What a finished import did."""
    by.require(READ)
    content = await _read(services, import_id, "report.json")
    return msgspec.json.decode(content, type=ImportReport)


async def refused_file(services: Services, by: Principal, import_id: str) -> bytes:
    """The refused rows of a finished import, with their reasons."""
    by.require(READ)
    return await _read(services, import_id, "refused.csv")


async def _read(services: Services, import_id: str, name: str) -> bytes:
    if not import_id or "/" in import_id:
        raise NotFound("There is no such import.")
    try:
        return await services.objects.get(part(import_id, name))
    except NotFound:
        raise NotFound("There is no such import, it has not ended yet, or it is over a month old.") from None
