"""API: what readers say is wrong, for editors to answer."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import Query, Request
from pydantic import Field

from almanac.desks.recap import service
from almanac.desks.recap.api.dependencies import Operator, Reader, new_router
from almanac.http.api_models import Id, Listed, Model, Text
from almanac.http.idempotency.route import REPEATABLE, seed_of
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.http.surface import surface_of

router = new_router()
Status = Literal["open", "closed"]


class ReportWish(Model):
    """What is wrong, perhaps with one speech."""

    text: Text
    order: Annotated[int, Field(ge=0, le=10**6)] | None = None


class AnswerWish(Model):
    """What became of it."""

    answer: Text


class ReportBody(Model):
    """What a reader says is wrong with an article."""

    article_id: str
    report_id: str
    status: Status
    text: str
    order: int | None
    version: int | None
    by: str
    answer: str
    created_at: datetime


@router.post("/articles/{article_id}/reports", status_code=201, openapi_extra=REPEATABLE)
async def report_error(request: Request, article_id: Id, wish: ReportWish, principal: Reader) -> ReportBody:
    """Say what is wrong with an article."""
    services = surface_of(request).services
    made = await service.report_error(
        services, principal, article_id, wish.text, order=wish.order, seed=seed_of(request)
    )
    return ReportBody.model_validate(made)


@router.get("/reports")
async def list_reports(
    request: Request,
    _principal: Operator,
    status: Annotated[Status, Query()] = "open",
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[ReportBody]:
    """Reports, the latest first."""
    page = await service.list_reports(surface_of(request).services, status, cursor=cursor, limit=limit)
    return Listed(items=[ReportBody.model_validate(one) for one in page.items], next_cursor=page.next_cursor)


@router.post("/articles/{article_id}/reports/{report_id}/close", responses=documented_problems(409))
async def close_report(
    request: Request, article_id: Id, report_id: Id, wish: AnswerWish, principal: Operator
) -> ReportBody:
    """Say what became of a report; it is then off the list."""
    services = surface_of(request).services
    closed = await service.close_report(services, principal, article_id, report_id, wish.answer)
    return ReportBody.model_validate(closed)
