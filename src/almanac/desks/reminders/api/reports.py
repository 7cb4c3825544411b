"""API: reports on the ledger, and sent reminders with their exact mails."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import Query, Request, Response

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import AmountText, Day, Moment, Reader, SentId, new_router
from almanac.desks.reminders.api.schemas import SentBody
from almanac.desks.reminders.model.reports import Ageing
from almanac.errors import InputError
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit
from almanac.http.responses import download_response
from almanac.kit.messages import gettext

router = new_router()


class AgeBandBody(ApiModel):
    """The open invoices in one age band."""

    band: str
    invoices: int
    amount: AmountText


class AgeingBody(ApiModel):
    """The open invoices of one currency by days since they were due."""

    currency: str
    overdue: AmountText
    bands: list[AgeBandBody]

    @classmethod
    def from_model(cls, ageing: Ageing) -> "AgeingBody":
        return cls.model_validate(ageing)


class RecoveredBody(ApiModel):
    """Payments after reminders of one level and template."""

    reminder_type: str
    template_id: str | None
    template_version: int | None
    currency: str
    sent: int
    answered: int
    amount: str


class TimeToPayBody(ApiModel):
    """How late invoices of one currency were paid, in days after the due date."""

    currency: str
    invoices: int
    median_days: float
    mean_days: float
    on_time: int


@router.get("/reports/ageing")
async def get_ageing(
    request: Request, principal: Reader, today: Annotated[Day | None, Query(description="By default today.")] = None
) -> list[AgeingBody]:
    """Get open invoices by currency and age."""
    report = await service.get_ageing_report(get_state(request).services, principal, today)
    return [AgeingBody.from_model(ageing) for ageing in report]


Since = Annotated[Moment, Query(alias="from", description="The start of the range, inclusive.")]
Until = Annotated[Moment, Query(alias="to", description="The end of the range, exclusive.")]


@router.get("/reports/recovered")
async def get_recovered(request: Request, principal: Reader, since: Since, until: Until) -> list[RecoveredBody]:
    """Get payments after the reminders sent in a time range, by level and template."""
    report = await service.get_recovered_report(get_state(request).services, principal, since, until)
    return [
        RecoveredBody(
            reminder_type=row.level,
            template_id=row.template_id,
            template_version=row.template_version,
            currency=row.currency,
            sent=row.sent,
            answered=row.answered,
            amount=str(row.amount.amount),
        )
        for row in report
    ]


@router.get("/reports/time-to-pay")
async def get_time_to_pay(request: Request, principal: Reader, since: Since, until: Until) -> list[TimeToPayBody]:
    """How late invoices were paid in a period."""
    report = await service.get_time_to_pay_report(get_state(request).services, principal, since, until)
    return [TimeToPayBody.model_validate(row) for row in report]


DEFAULT_RANGE = timedelta(days=30)
_MAIL: dict[int | str, dict[str, Any]] = {
    200: {"content": {"message/rfc822": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get("/sent")
async def list_sent(
    request: Request,
    principal: Reader,
    since: Annotated[Moment | None, Query(alias="from", description="By default a month before the end.")] = None,
    until: Annotated[Moment | None, Query(alias="to", description="By default now.")] = None,
    newest_first: bool = False,
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[SentBody]:
    """List reminders sent in a time range with the delivery by recipient, oldest first by default."""
    services = get_state(request).services
    # The range must not move with the clock, because the cursor is bound to it.
    today = services.clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    begin, end = since or (until or today) - DEFAULT_RANGE, until or today + DEFAULT_RANGE
    if end < begin:
        raise InputError(gettext("The range ends before it starts; swap the dates."))
    page = await service.list_sent(
        services, principal, begin, end, newest_first=newest_first, limit=limit, cursor=cursor
    )
    return Listed(items=[SentBody.from_model(sent) for sent in page.items], next_cursor=page.next_cursor)


@router.get("/sent/{sent_id}")
async def get_sent(request: Request, sent_id: SentId, principal: Reader) -> SentBody:
    """Get a sent reminder."""
    return SentBody.from_model(await service.get_sent(get_state(request).services, principal, sent_id))


@router.get("/sent/{sent_id}/mail", response_class=Response, responses=_MAIL)
async def get_mail(request: Request, sent_id: SentId, principal: Reader) -> Response:
    """The exact mail as it was sent."""
    content = await service.get_sent_mail(get_state(request).services, principal, sent_id)
    return download_response(content, "reminder.eml", "message/rfc822")
