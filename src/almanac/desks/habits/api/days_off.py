"""API: vacations and rest days, which protect the streaks of all one's habits."""

from datetime import date

from fastapi import Request

from almanac.desks.habits.api.dependencies import CalendarDay, Day, Reader, Writer, new_router
from almanac.desks.habits.service import days_off
from almanac.http.api_models import ApiModel, Id, Listed
from almanac.http.app_state import get_state

router = new_router()


class VacationWish(ApiModel):
    """Days off, both ends included."""

    first_day: date
    last_day: date


class VacationBody(VacationWish):
    """Days off with the id by which they can be taken back."""

    id: str


class RestDayWish(ApiModel):
    """A day of rest; today where none is given."""

    date: CalendarDay | None = None


class RestDayBody(ApiModel):
    """A day of rest from all habits."""

    date: CalendarDay


@router.get("/vacations")
async def list_vacations(request: Request, principal: Reader) -> Listed[VacationBody]:
    """One's vacations, in order."""
    found = await days_off.list_vacations(get_state(request).services, principal)
    return Listed(
        items=[VacationBody(id=one.id, first_day=one.first_day, last_day=one.last_day) for one in found],
        next_cursor=None,
    )


@router.post("/vacations", status_code=201)
async def plan_vacation(request: Request, wish: VacationWish, principal: Writer) -> VacationBody:
    """Take days off; it protects streaks and never extends them."""
    made = await days_off.plan_vacation(get_state(request).services, principal, wish.first_day, wish.last_day)
    return VacationBody(id=made.id, first_day=made.first_day, last_day=made.last_day)


@router.delete("/vacations/{vacation_id}", status_code=204)
async def cancel_vacation(request: Request, vacation_id: Id, principal: Writer) -> None:
    """Take a vacation back."""
    await days_off.cancel_vacation(get_state(request).services, principal, vacation_id)


@router.get("/rest-days")
async def list_rest_days(request: Request, principal: Reader) -> Listed[RestDayBody]:
    """One's rest days, in order."""
    found = await days_off.list_rest_days(get_state(request).services, principal)
    return Listed(items=[RestDayBody(date=day) for day in found], next_cursor=None)


@router.post("/rest-days", status_code=201)
async def take_rest_day(request: Request, principal: Writer, wish: RestDayWish | None = None) -> RestDayBody:
    """Rest from all habits on a day."""
    day = wish.date if wish else None
    return RestDayBody(date=await days_off.take_rest_day(get_state(request).services, principal, day))


@router.delete("/rest-days/{date}", status_code=204)
async def cancel_rest_day(request: Request, day: Day, principal: Writer) -> None:
    """Ask for a day again."""
    await days_off.cancel_rest_day(get_state(request).services, principal, day)
