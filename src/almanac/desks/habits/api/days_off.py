"""API: vacations and rest days, which protect the streaks of all habits."""

from fastapi import Request

from almanac.desks.habits.api.dependencies import Day, Reader, Writer, new_router
from almanac.desks.habits.api.schemas import RestDayBody, RestDayRequest, VacationBody, VacationRequest
from almanac.desks.habits.service import days_off
from almanac.http.api_models import Id, Listed
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE

router = new_router()


@router.get("/vacations")
async def list_vacations(request: Request, principal: Reader) -> Listed[VacationBody]:
    """Your vacations, in order."""
    vacations = await days_off.list_vacations(get_state(request).services, principal)
    return Listed(items=[VacationBody.model_validate(vacation) for vacation in vacations], next_cursor=None)


@router.post("/vacations", status_code=201, openapi_extra=REPEATABLE)
async def plan_vacation(request: Request, body: VacationRequest, principal: Writer) -> VacationBody:
    """Plan a vacation; it protects streaks and never extends them."""
    services = get_state(request).services
    return VacationBody.model_validate(await days_off.plan_vacation(services, principal, body.first_day, body.last_day))


@router.delete("/vacations/{vacation_id}", status_code=204)
async def cancel_vacation(request: Request, vacation_id: Id, principal: Writer) -> None:
    """Delete a vacation."""
    await days_off.cancel_vacation(get_state(request).services, principal, vacation_id)


@router.get("/rest-days")
async def list_rest_days(request: Request, principal: Reader) -> Listed[RestDayBody]:
    """Your rest days, in order."""
    days = await days_off.list_rest_days(get_state(request).services, principal)
    return Listed(items=[RestDayBody(date=day) for day in days], next_cursor=None)


@router.post("/rest-days", status_code=201, openapi_extra=REPEATABLE)
async def take_rest_day(request: Request, principal: Writer, body: RestDayRequest | None = None) -> RestDayBody:
    """Take a day off from all habits; today by default."""
    day = body.date if body else None
    return RestDayBody(date=await days_off.take_rest_day(get_state(request).services, principal, day))


@router.delete("/rest-days/{date}", status_code=204)
async def cancel_rest_day(request: Request, day: Day, principal: Writer) -> None:
    """Delete a rest day."""
    await days_off.cancel_rest_day(get_state(request).services, principal, day)
