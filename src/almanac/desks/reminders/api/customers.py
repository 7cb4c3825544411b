"""API: customers, with their history, timeline, holds and explanation."""

from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import Field

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import (
    PREFIX,
    CustomerId,
    Moment,
    MomentQuery,
    Name,
    Reader,
    Writer,
    new_router,
)
from almanac.desks.reminders.api.schemas import CustomerBody, CustomerTimelineBody, HoldBody, PlanLineBody, SentBody
from almanac.http.api_models import ApiModel, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = new_router()

Words = Annotated[str, Field(max_length=10_000)]


class CustomerEditRequest(ApiModel):
    """Fields to set; omitted ones keep their value, an empty text clears one."""

    name: Text | None = None
    email: Text | None = None
    more_recipients: Annotated[list[Text], Field(max_length=20)] | None = None
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=20)] | None = None
    time_zone: Text | None = None
    opted_out: bool | None = None
    never_remind: bool | None = None
    notes: Words | None = None

    def value(self) -> service.CustomerEdit:
        more = self.more_recipients
        return service.CustomerEdit(
            name=self.name,
            email=self.email,
            more_recipients=None if more is None else tuple(more),
            language=self.language,
            time_zone=self.time_zone,
            opted_out=self.opted_out,
            never_remind=self.never_remind,
            notes=self.notes,
        )


class NewCustomerRequest(CustomerEditRequest):
    """A customer to add, under an id of the caller's choice."""

    customer_id: Name
    name: Text


class ExplanationBody(ApiModel):
    """Whether and why a customer is reminded: a line with its rule trace for each currency."""

    customer_id: str
    at: Moment
    lines: list[PlanLineBody]


@router.get("/customers")
async def list_customers(
    request: Request, principal: Reader, cursor: Cursor = None, limit: Limit = 50
) -> Listed[CustomerBody]:
    """List customers by name."""
    page = await service.list_customers(get_state(request).services, principal, limit=limit, cursor=cursor)
    return Listed(items=[CustomerBody.from_model(customer) for customer in page.items], next_cursor=page.next_cursor)


@router.post("/customers", status_code=201, responses=documented_problems(409), openapi_extra=REPEATABLE)
async def add_customer(
    request: Request, response: Response, body: NewCustomerRequest, principal: Writer
) -> CustomerBody:
    """Add a customer."""
    added = await service.add_customer(
        get_state(request).services, principal, body.customer_id, body.value(), seed=get_seed(request)
    )
    response.headers["Location"] = f"{PREFIX}/customers/{added.id}"
    return CustomerBody.from_model(with_etag(response, added))


@router.get("/customers/{customer_id}")
async def get_customer(
    request: Request, response: Response, customer_id: CustomerId, principal: Reader
) -> CustomerBody:
    """Get a customer."""
    customer = await service.get_customer(get_state(request).services, principal, customer_id)
    return CustomerBody.from_model(with_etag(response, customer))


@router.patch("/customers/{customer_id}", responses=documented_problems(409, 412, 428))
async def edit_customer(
    request: Request,
    response: Response,
    customer_id: CustomerId,
    body: CustomerEditRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> CustomerBody:
    """Change a customer; unsent reminders follow. Needs If-Match with the ETag that was read."""
    saved = await service.edit_customer(
        get_state(request).services, principal, customer_id, body.value(), expected=parse_if_match(if_match)
    )
    return CustomerBody.from_model(with_etag(response, saved))


@router.post("/customers/{customer_id}/erase", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def erase_customer(request: Request, customer_id: CustomerId, principal: Writer) -> CustomerBody:
    """Erase personal data on request. Amounts and the record of sent levels are kept."""
    return CustomerBody.from_model(await service.erase_customer(get_state(request).services, principal, customer_id))


@router.get("/customers/{customer_id}/history")
async def get_history(
    request: Request,
    customer_id: CustomerId,
    principal: Reader,
    reminder_type: Annotated[str | None, Query(max_length=30, description="Only this level.")] = None,
    since: MomentQuery | None = None,
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[SentBody]:
    """List the reminders sent to a customer, newest first."""
    page = await service.list_sent_to_customer(
        get_state(request).services,
        principal,
        customer_id,
        level=reminder_type,
        since=since,
        limit=limit,
        cursor=cursor,
    )
    return Listed(items=[SentBody.from_model(sent) for sent in page.items], next_cursor=page.next_cursor)


@router.get("/customers/{customer_id}/timeline")
async def get_timeline(
    request: Request, customer_id: CustomerId, principal: Reader, cursor: Cursor = None, limit: Limit = 50
) -> Listed[CustomerTimelineBody]:
    """List everything that happened with a customer, newest first."""
    page = await service.get_timeline(get_state(request).services, principal, customer_id, limit=limit, cursor=cursor)
    return Listed(items=[CustomerTimelineBody.from_model(entry) for entry in page.items], next_cursor=page.next_cursor)


@router.get("/customers/{customer_id}/why")
async def explain(
    request: Request, customer_id: CustomerId, principal: Reader, at: MomentQuery | None = None
) -> ExplanationBody:
    """Explain why a customer is reminded or not, now or at a given time: every rule, and the next possible date."""
    explanation = await service.explain_customer(get_state(request).services, principal, customer_id, at)
    return ExplanationBody(
        customer_id=customer_id, at=explanation.at, lines=[PlanLineBody.from_model(line) for line in explanation.lines]
    )


@router.get("/customers/{customer_id}/holds")
async def list_holds_on(request: Request, customer_id: CustomerId, principal: Reader) -> Listed[HoldBody]:
    """List a customer's holds, newest first; expired and lifted ones too."""
    holds = await service.list_customer_holds(get_state(request).services, principal, customer_id)
    return Listed(items=[HoldBody.from_model(hold) for hold in holds], next_cursor=None)
