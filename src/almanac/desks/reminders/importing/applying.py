"""An import from file to ledger: read, match, write in small transactions, and report on every row.

It can be cut off and repeated: what is written already is found unchanged, and keeps the outcome of the first attempt.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from almanac.desks.reminders import store
from almanac.desks.reminders.importing.entries import Reading, RowReader
from almanac.desks.reminders.importing.matching import Known, Matched, match_rows
from almanac.desks.reminders.importing.questions import open_questions
from almanac.desks.reminders.importing.report import ImportReport, RowOutcome
from almanac.desks.reminders.importing.sheet import Sheet, read_sheet
from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.desks.reminders.model.rules import LadderRules
from almanac.desks.reminders.store.ledger import INVOICES_AT_ONCE, follow_holds
from almanac.desks.reminders.store.whole import all_customers, invoices_by_number
from almanac.errors import AlmanacError, Retryable
from tablature.async_database import AsyncDatabase

Report = Callable[[int, int, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file matched with the ledger: what would be written, and the report if all of it is."""

    sheet: Sheet
    matched: Matched
    report: ImportReport


async def check_readable(content: bytes, reading: Reading) -> None:
    """Refuse a file that is no table, or whose columns nobody can tell, before anything is begun."""
    await asyncio.to_thread(lambda: RowReader(read_sheet(content), reading))


async def prepare(tables: AsyncDatabase, content: bytes, reading: Reading) -> Prepared:
    """Read a file and decide every row; nothing is written."""
    known = Known(await all_customers(tables), await invoices_by_number(tables))
    return await asyncio.to_thread(_prepared, content, reading, known)


def _prepared(content: bytes, reading: Reading, known: Known) -> Prepared:
    sheet = read_sheet(content)
    reader = RowReader(sheet, reading)
    matched = match_rows((reader.read(row) for row in sheet.rows), known)
    new = matched.new_customers
    report = ImportReport(
        trial=True,
        encoding=sheet.encoding,
        separator=sheet.separator,
        columns={name: sheet.header[place] for name, place in reader.columns.items()},
        rows=tuple(matched.rows.values()),
        blank=sheet.blank,
        customers_created=new,
        customers_updated=len(matched.customers) - new,
        questions=open_questions(reader),
    )
    return Prepared(sheet, matched, report)


@dataclass(slots=True)
class Applying:
    """One attempt at writing what was prepared. `in_transit` are customers to whom a reminder is just being sent."""

    tables: AsyncDatabase
    rules: LadderRules
    now: datetime
    prepared: Prepared
    report: Report
    in_transit: set[str] = field(default_factory=set)

    async def run(self) -> ImportReport:
        """Write customers, then invoices; a row that the ledger refuses meanwhile is refused with the reason."""
        matched = self.prepared.matched
        total = len(matched.customers) + len(matched.invoices)
        done = 0
        for customer in matched.customers.values():
            await self.report(done, total, "Saving customers")
            await self._save_customer(customer)
            done += 1
        for lines in self._batches():
            await self.report(done, total, "Saving invoices")
            await self._save_invoices(lines)
            done += len(lines)
        await self.report(total, total, "Done")
        return msgspec.structs.replace(self.prepared.report, trial=False, rows=tuple(matched.rows.values()))

    def _batches(self) -> list[Sequence[int]]:
        """Lines whose invoices can be written together: one customer, one currency, not too many."""
        accounts: dict[tuple[str, str], list[int]] = defaultdict(list)
        for line, invoice in self.prepared.matched.invoices.items():
            accounts[invoice.customer_id, invoice.currency].append(line)
        return [
            lines[start : start + INVOICES_AT_ONCE]
            for lines in accounts.values()
            for start in range(0, len(lines), INVOICES_AT_ONCE)
        ]

    async def _save_customer(self, customer: Customer) -> None:
        try:
            if customer.version:
                await store.save_customer(self.tables, customer)
                await follow_holds(self.tables, customer.id, rules=self.rules, now=self.now)
            else:
                await store.create_customer(self.tables, customer, now=self.now)
        except Retryable:
            raise
        except AlmanacError as error:
            self._refuse_customer(customer.id, error.sentence)

    def _refuse_customer(self, customer_id: str, reason: str) -> None:
        """The rows that bring or change this customer fail with it."""
        for line, row in self.prepared.matched.rows.items():
            if row.customer_id == customer_id and row.outcome in ("created", "updated"):
                self._refuse(line, reason)

    def _refuse(self, line: int, reason: str) -> None:
        matched = self.prepared.matched
        matched.invoices.pop(line, None)
        matched.rows[line] = msgspec.structs.replace(matched.rows[line], outcome="refused", reason=reason)

    async def _save_invoices(self, lines: Sequence[int]) -> None:
        """All of a batch, or where one of them is refused each by itself, so that only that one is left out."""
        invoices = [self.prepared.matched.invoices[line] for line in lines]
        try:
            await self._save(invoices)
        except Retryable:
            raise
        except AlmanacError as error:
            if len(lines) == 1:
                self._refuse(lines[0], error.sentence)
                return
            for line in lines:
                await self._save_invoices([line])

    async def _save(self, invoices: Sequence[Invoice]) -> None:
        change = await store.save_invoices(self.tables, invoices, rules=self.rules, now=self.now)
        if change.case.ladder.open is not None and change.case.ladder.open.state == "sending":
            self.in_transit.add(invoices[0].customer_id)


def resumed(first: ImportReport, now: ImportReport) -> ImportReport:
    """The report of a repeated import: what an attempt before has written counts as it did then."""
    before = {row.line: row for row in first.rows}
    return msgspec.structs.replace(
        now,
        rows=tuple(_resumed(before.get(row.line), row) for row in now.rows),
        customers_created=first.customers_created,
        customers_updated=first.customers_updated,
    )


def _resumed(before: RowOutcome | None, now: RowOutcome) -> RowOutcome:
    return before if before is not None and now.outcome == "unchanged" else now
