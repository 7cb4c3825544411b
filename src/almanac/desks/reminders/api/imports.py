"""API: import customers and invoices from a CSV file, optionally as a dry run."""

from typing import Annotated, Literal

from fastapi import Body, Query, Request, Response
from pydantic import Field

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import PREFIX, Currency, Reader, Writer, new_router
from almanac.desks.reminders.formats.report import LedgerImportReport
from almanac.desks.reminders.formats.rows import ImportOptions
from almanac.desks.reminders.service.imports import start_import
from almanac.errors import InputError
from almanac.http.api_models import ApiModel, Id
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.problems import documented_problems
from almanac.kit.messages import gettext

router = new_router()

_CSV = {"text/csv": {"schema": {"type": "string"}}}
File = Annotated[bytes, Body(media_type="text/csv", description="The CSV file.")]


class ImportRowBody(ApiModel):
    """The outcome of the row on a line, with the reason if it was refused."""

    line: int
    outcome: str
    customer_id: str
    number: str
    reason: str


class ImportQuestionBody(ApiModel):
    """Something that the file leaves open, and the possible answers."""

    field: str
    sentence: str
    choices: list[str]
    example: str


class LedgerImportBody(ApiModel):
    """The outcome of every row. With `trial`, nothing was written."""

    trial: bool
    encoding: str
    separator: str
    columns: dict[str, str]
    counts: dict[str, int]
    blank: int
    customers_created: int
    customers_updated: int
    questions: list[ImportQuestionBody]
    rows: list[ImportRowBody]

    @classmethod
    def from_model(cls, report: LedgerImportReport) -> "LedgerImportBody":
        return cls(
            trial=report.trial,
            encoding=report.encoding,
            separator=report.separator,
            columns=report.columns,
            counts={str(outcome): number for outcome, number in report.counts.items()},
            blank=report.blank,
            customers_created=report.customers_created,
            customers_updated=report.customers_updated,
            questions=[ImportQuestionBody.model_validate(question) for question in report.questions],
            rows=[ImportRowBody.model_validate(row) for row in report.rows],
        )


class LedgerImportStarted(ApiModel):
    """The queued import; its report is at `/imports/{id}` when the job has ended."""

    id: str
    job_id: int


class ImportOptionsQuery(ApiModel):
    """How to read the file where it is ambiguous."""

    dry_run: bool = Field(True, description="Only preview; nothing is written.")
    column: list[Annotated[str, Field(max_length=300)]] = Field(
        default_factory=list, max_length=20, description="A field and its column, such as `due=Pay by`; repeatable."
    )
    decimal_mark: Literal[".", ","] | None = None
    day_order: Literal["dmy", "mdy"] | None = Field(None, description="Whether 03/04/2026 is in April or in March.")
    currency: Currency | None = Field(None, description="If the file has none.")
    terms_days: int | None = Field(None, ge=0, le=3650, description="Days to pay, if the file has no due date.")

    def value(self) -> ImportOptions:
        columns = dict(_parse_column(text) for text in self.column)
        return ImportOptions(
            columns=columns,
            decimal_mark=self.decimal_mark,
            day_order=self.day_order,
            currency=self.currency,
            terms_days=self.terms_days,
        )


def _parse_column(text: str) -> tuple[str, str]:
    field, equals, column = text.partition("=")
    if not equals:
        raise InputError(gettext("Name each column as field=column, such as due=Pay by."))
    return field.strip(), column.strip()


@router.post(
    "/invoices/import",
    responses={**documented_problems(413), 202: {"model": LedgerImportStarted}},
    openapi_extra=REPEATABLE,
)
async def import_invoices(
    request: Request,
    response: Response,
    reading: Annotated[ImportOptionsQuery, Query()],
    content: File,
    principal: Writer,
) -> LedgerImportBody | LedgerImportStarted:
    """Preview a CSV file, or import it in a job with `dry_run=false`. Every row has an outcome."""
    services = get_state(request).services
    if reading.dry_run:
        return LedgerImportBody.from_model(await service.preview_import(services, principal, content, reading.value()))
    started = await start_import(services, principal, content, reading.value())
    response.status_code = 202
    response.headers["Location"] = f"{PREFIX}/imports/{started.id}"
    return LedgerImportStarted(id=started.id, job_id=started.job_id)


@router.get("/imports/{import_id}")
async def get_import(request: Request, import_id: Id, principal: Reader) -> LedgerImportBody:
    """Get the outcome of every row of a finished import."""
    return LedgerImportBody.from_model(
        await service.get_import_report(get_state(request).services, principal, import_id)
    )


@router.get("/imports/{import_id}/refused", response_class=Response, responses={200: {"content": _CSV}})
async def get_refused(request: Request, import_id: Id, principal: Reader) -> Response:
    """Get the refused rows as a file to correct and import again, each with its line and reason."""
    content = await service.get_refused_rows(get_state(request).services, principal, import_id)
    return Response(content, media_type="text/csv; charset=utf-8")
