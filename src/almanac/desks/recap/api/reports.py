"""API: errors that readers report in articles, for editors to answer."""

from typing import Annotated

from fastapi import Query, Request

from almanac.desks.recap.api.dependencies import Reader, Writer, new_router
from almanac.desks.recap.api.schemas import ErrorReportBody, ErrorReportInput, ReportAnswerInput
from almanac.desks.recap.model.items import ReportStatus
from almanac.desks.recap.service import reports
from almanac.http.api_models import Id, Listed
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = new_router()


@router.post("/articles/{article_id}/reports", status_code=201, openapi_extra=REPEATABLE)
async def report_error(request: Request, article_id: Id, wish: ErrorReportInput, principal: Reader) -> ErrorReportBody:
    """Say what is wrong with an article."""
    services = get_state(request).services
    report = await reports.report_error(
        services, principal, article_id, wish.text, order=wish.order, seed=get_seed(request)
    )
    return ErrorReportBody.model_validate(report)


@router.get("/reports")
async def list_reports(
    request: Request,
    _principal: Writer,
    status: Annotated[ReportStatus, Query()] = "open",
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[ErrorReportBody]:
    """Reports, the latest first."""
    page = await reports.list_reports(get_state(request).services, status, cursor=cursor, limit=limit)
    return Listed[ErrorReportBody].model_validate(page)


@router.post(
    "/articles/{article_id}/reports/{report_id}/close", responses=documented_problems(409), openapi_extra=REPEATABLE
)
async def close_report(
    request: Request, article_id: Id, report_id: Id, wish: ReportAnswerInput, principal: Writer
) -> ErrorReportBody:
    """Close a report with an answer; it then leaves the list of open reports."""
    services = get_state(request).services
    report = await reports.close_report(services, principal, article_id, report_id, wish.answer)
    return ErrorReportBody.model_validate(report)
