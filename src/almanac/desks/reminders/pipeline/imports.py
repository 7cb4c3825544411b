"""An import from file to ledger: read, match, write in small transactions, and report on every row.

It can be repeated after a crash: rows that are written already keep the outcome of the first attempt.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import record_change
from almanac.desks.reminders.formats.matcher import ImportPlan, LedgerIndex, match_rows
from almanac.desks.reminders.formats.report import (
    LedgerImportReport,
    RowOutcome,
    find_open_questions,
    write_refused_rows,
)
from almanac.desks.reminders.formats.rows import ImportOptions, RowReader
from almanac.desks.reminders.formats.sheet import Sheet, read_sheet
from almanac.desks.reminders.indexing import index_customers, index_invoices
from almanac.desks.reminders.model.ladder import LadderRules
from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.desks.reminders.permissions import WRITE
from almanac.desks.reminders.pipeline.context import IMPORTS_FOLDER, load_rules
from almanac.desks.reminders.pipeline.dispatch import withdraw_blocked_mails
from almanac.desks.reminders.store.ledger import MAX_INVOICES_PER_WRITE, refresh_open_drafts
from almanac.desks.reminders.store.ledger_queries import read_all_customers, read_invoices_by_number
from almanac.errors import AlmanacError, NotFound, Retryable
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.progress import Progress
from almanac.services import Services
from tablature.async_database import AsyncDatabase


@dataclass(frozen=True, slots=True)
class PreparedImport:
    """A file matched with the ledger: what would be written, and the report if all of it is."""

    sheet: Sheet
    matched: ImportPlan
    report: LedgerImportReport


async def check_readable(content: bytes, reading: ImportOptions) -> None:
    """InputError if the file isn't a table, FieldErrors if its columns aren't clear."""
    await asyncio.to_thread(lambda: RowReader(read_sheet(content), reading))


async def prepare_import(tables: AsyncDatabase, content: bytes, reading: ImportOptions) -> PreparedImport:
    """Read a file and decide every row; nothing is written."""
    ledger = LedgerIndex(await read_all_customers(tables), await read_invoices_by_number(tables))
    return await asyncio.to_thread(_prepare_file, content, reading, ledger)


def _prepare_file(content: bytes, reading: ImportOptions, ledger: LedgerIndex) -> PreparedImport:
    sheet = read_sheet(content)
    reader = RowReader(sheet, reading)
    matched = match_rows((reader.read(row) for row in sheet.rows), ledger)
    new = matched.new_customers
    report = LedgerImportReport(
        trial=True,
        encoding=sheet.encoding,
        separator=sheet.separator,
        columns={name: sheet.header[place] for name, place in reader.columns.items()},
        rows=tuple(matched.rows.values()),
        blank=sheet.blank,
        customers_created=new,
        customers_updated=len(matched.customers) - new,
        questions=find_open_questions(reader),
    )
    return PreparedImport(sheet, matched, report)


@dataclass(slots=True)
class ImportRun:
    """One attempt to write a prepared import. `in_transit` are customers with a reminder that is being sent."""

    tables: AsyncDatabase
    rules: LadderRules
    now: datetime
    prepared: PreparedImport
    report: Progress
    in_transit: set[str] = field(default_factory=set)

    async def run(self) -> LedgerImportReport:
        """Write customers, then invoices. A row that the ledger refuses is reported with the reason."""
        matched = self.prepared.matched
        total = len(matched.customers) + len(matched.invoices)
        done = 0
        for customer in matched.customers.values():
            await self.report(done, total, gettext("Saving customers"))
            await self._save_customer(customer)
            done += 1
        for lines in self._batches():
            await self.report(done, total, gettext("Saving invoices"))
            await self._save_invoices(lines)
            done += len(lines)
        await self.report(total, total, gettext("Done"))
        return msgspec.structs.replace(self.prepared.report, trial=False, rows=tuple(matched.rows.values()))

    def _batches(self) -> list[Sequence[int]]:
        """Lines whose invoices can be written in one transaction: one customer, one currency, not too many."""
        accounts: dict[tuple[str, str], list[int]] = defaultdict(list)
        for line, invoice in self.prepared.matched.invoices.items():
            accounts[invoice.customer_id, invoice.currency].append(line)
        return [
            lines[start : start + MAX_INVOICES_PER_WRITE]
            for lines in accounts.values()
            for start in range(0, len(lines), MAX_INVOICES_PER_WRITE)
        ]

    async def _save_customer(self, customer: Customer) -> None:
        try:
            if customer.version:
                await store.save_customer(self.tables, customer)
                await refresh_open_drafts(self.tables, customer.id, rules=self.rules, now=self.now)
            else:
                await store.create_customer(self.tables, customer, now=self.now)
        except Retryable:
            raise
        except AlmanacError as error:
            self._refuse_customer(customer.id, str(error.sentence))

    def _refuse_customer(self, customer_id: str, reason: str) -> None:
        """Refuse the rows that add or change this customer."""
        for line, row in self.prepared.matched.rows.items():
            if row.customer_id == customer_id and row.outcome in ("created", "updated"):
                self._refuse(line, reason)

    def _refuse(self, line: int, reason: str) -> None:
        matched = self.prepared.matched
        matched.invoices.pop(line, None)
        matched.rows[line] = msgspec.structs.replace(matched.rows[line], outcome="refused", reason=reason)

    async def _save_invoices(self, lines: Sequence[int]) -> None:
        """Write a batch; if one invoice is refused, write each alone, so that only that one is left out."""
        invoices = [self.prepared.matched.invoices[line] for line in lines]
        try:
            await self._save(invoices)
        except Retryable:
            raise
        except AlmanacError as error:
            if len(lines) == 1:
                self._refuse(lines[0], str(error.sentence))
                return
            for line in lines:
                await self._save_invoices([line])

    async def _save(self, invoices: Sequence[Invoice]) -> None:
        change = await store.save_invoices(self.tables, invoices, rules=self.rules, now=self.now)
        if change.case.ladder.open is not None and change.case.ladder.open.state == "sending":
            self.in_transit.add(invoices[0].customer_id)


def merge_reports(first: LedgerImportReport, now: LedgerImportReport) -> LedgerImportReport:
    """The report of a repeated import: rows written by an earlier attempt keep its outcome."""
    before = {row.line: row for row in first.rows}
    return msgspec.structs.replace(
        now,
        rows=tuple(_merge_rows(before.get(row.line), row) for row in now.rows),
        customers_created=first.customers_created,
        customers_updated=first.customers_updated,
    )


def _merge_rows(before: RowOutcome | None, now: RowOutcome) -> RowOutcome:
    return before if before is not None and now.outcome == "unchanged" else now


def import_object_key(import_id: str, name: str) -> str:
    """The object store key of one file of an import."""
    return f"{IMPORTS_FOLDER}/{import_id}/{name}"


async def run_import(
    services: Services, by: Principal, content: bytes, reading: ImportOptions, report: Progress, *, import_id: str
) -> LedgerImportReport:
    """Import a file and store the report. Repeating the same import continues after a crash."""
    by.require(WRITE)
    prepared = await prepare_import(services.tables, content, reading)
    first = await _load_first_report(services, import_id, prepared)
    rules, now = await load_rules(services), services.clock.now()
    import_run = ImportRun(services.tables, rules, now, prepared, report)
    ended = merge_reports(first, await import_run.run())
    for customer_id in sorted(import_run.in_transit):
        await withdraw_blocked_mails(services, customer_id)
    await index_customers(services, prepared.matched.customers.values())
    await index_invoices(services, prepared.matched.invoices.values())
    await _save_result(services, import_id, prepared, ended)
    counts = {str(outcome): number for outcome, number in ended.counts.items()}
    await record_change(services, by, "ledger.imported", "import", import_id, **counts)
    return ended


async def _load_first_report(services: Services, import_id: str, prepared: PreparedImport) -> LedgerImportReport:
    """What the first attempt planned; it decides which rows a repeated one reports as created."""
    key = import_object_key(import_id, "plan.json")
    try:
        return msgspec.json.decode(await services.objects.get(key), type=LedgerImportReport)
    except NotFound:
        await services.objects.put(key, encode_json(prepared.report))
        return prepared.report


async def _save_result(
    services: Services, import_id: str, prepared: PreparedImport, report: LedgerImportReport
) -> None:
    await services.objects.put(
        import_object_key(import_id, "refused.csv"), write_refused_rows(prepared.sheet, report.rows)
    )
    await services.objects.put(import_object_key(import_id, "report.json"), encode_json(report))
    await services.objects.delete(import_object_key(import_id, "plan.json"))
