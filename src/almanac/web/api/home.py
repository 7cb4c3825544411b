"""API: a day of the caller: what waits, what to do and to read, and what happened."""

from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.http.day import EventKind, TaskState, WaitingGroup
from almanac.http.day_content import DeskPart, day_of, load_day
from almanac.http.language_choice import choose_language

router = APIRouter(prefix=f"{API_PREFIX}/home", tags=["home"])


class WaitingItemBody(ApiModel):
    """An item the caller can act on, and its page."""

    title: str
    text: str
    href: str
    since: datetime | None


class WaitingAmountBody(ApiModel):
    """Money in one currency."""

    amount: str
    currency: str


class WaitingBody(ApiModel):
    """Waiting items of one kind: how many, how much money is in them, and those waiting longest."""

    noun: str
    count: int
    or_more: bool = Field(description="Whether counting stopped at this number.")
    href: str
    amounts: list[WaitingAmountBody]
    items: list[WaitingItemBody]


class DayTaskBody(ApiModel):
    """Something to do on the day itself."""

    id: str
    title: str
    text: str
    href: str
    state: TaskState


class ReadingBody(ApiModel):
    """A story or a meeting."""

    title: str
    text: str
    href: str
    day: date | None
    language: str = Field(description="Empty for the caller's own language.")


class DayEventBody(ApiModel):
    """Something that happened, or is planned; many of a kind are one event at the time of the last."""

    kind: EventKind
    sentence: str
    text: str
    at: datetime | None
    href: str


class HomeLinkBody(ApiModel):
    """A link with its label."""

    words: str
    href: str


class DeskBody(ApiModel):
    """A desk: how to start where nothing is yet, or why it couldn't be loaded."""

    name: str
    title: str
    first_step: HomeLinkBody | None
    problem: str


class HomeBody(ApiModel):
    """The page of a day as data."""

    day: date
    waiting: list[WaitingBody] = Field(description="Empty for other days than today.")
    tasks: list[DayTaskBody]
    readings: list[ReadingBody]
    events: list[DayEventBody]
    desks: list[DeskBody]


@router.get("")
async def get_home(request: Request, principal: Annotated[Principal, signed_in()], day: str = "") -> HomeBody:
    """Get what the home page shows of a day, limited to what the caller may see and do; today by default."""
    state = get_state(request)
    chosen = day_of(state.services, principal, day, choose_language(request))
    content = await load_day(state.services, state.desks, principal, chosen)
    return HomeBody(
        day=chosen.on,
        waiting=[_waiting_body(group) for group in content.waiting],
        tasks=[DayTaskBody.model_validate(task) for task in content.tasks],
        readings=[ReadingBody.model_validate(reading) for reading in content.readings],
        events=[DayEventBody.model_validate(event) for event in content.events],
        desks=[_desk_body(part) for part in content.parts],
    )


def _waiting_body(group: WaitingGroup) -> WaitingBody:
    return WaitingBody(
        noun=group.noun,
        count=group.count,
        or_more=group.or_more,
        href=group.href,
        amounts=[WaitingAmountBody(amount=str(money.amount), currency=money.currency) for money in group.amounts],
        items=[WaitingItemBody.model_validate(item) for item in group.items],
    )


def _desk_body(part: DeskPart) -> DeskBody:
    step = part.content.first_step
    return DeskBody(
        name=part.desk.name,
        title=str(part.desk.title),
        first_step=HomeLinkBody.model_validate(step) if step else None,
        problem=part.problem,
    )
