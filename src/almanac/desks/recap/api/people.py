"""API: people with their offices and quotations, and the timelines of records, bills and agenda items."""

from typing import Annotated

from fastapi import Query, Request

from almanac.desks.recap.api.dependencies import Name, Reader, new_router
from almanac.desks.recap.api.schemas import MeetingTimelineBody, ParliamentPersonBody, SpeechQuotationBody
from almanac.desks.recap.service import articles, people
from almanac.http.api_models import Text
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit

router = new_router()
PersonKey = Annotated[Text | None, Query(description="The key of one person among namesakes.")]


@router.get("/issues/{issue_id}/timeline")
async def get_issue_timeline(request: Request, issue_id: Name, _principal: Reader) -> MeetingTimelineBody:
    """The articles about one record."""
    timeline = await articles.get_issue_timeline(get_state(request).services, issue_id)
    return MeetingTimelineBody.model_validate(timeline)


@router.get("/bills/{key}/timeline")
async def get_bill_timeline(request: Request, key: Name, _principal: Reader) -> MeetingTimelineBody:
    """The sittings that dealt with a bill, in both houses and all committees."""
    return MeetingTimelineBody.model_validate(await articles.get_bill_timeline(get_state(request).services, key))


@router.get("/agenda/{key}/timeline")
async def get_agenda_timeline(request: Request, key: Name, _principal: Reader) -> MeetingTimelineBody:
    """The sittings that had an item on their agenda."""
    return MeetingTimelineBody.model_validate(await articles.get_agenda_timeline(get_state(request).services, key))


@router.get("/people/{name}")
async def get_person(
    request: Request, name: Name, _principal: Reader, key: PersonKey = None, cursor: Cursor = None, limit: Limit = 20
) -> ParliamentPersonBody:
    """A person by name, and by key where several have it."""
    services = get_state(request).services
    person = await people.get_person(services, name, key=key, cursor=cursor, limit=limit)
    return ParliamentPersonBody.model_validate(person)


@router.get("/people/{name}/quotations")
async def list_quotations(
    request: Request,
    name: Name,
    _principal: Reader,
    bill: Annotated[Text, Query(min_length=1, description="The key of the bill.")],
    key: PersonKey = None,
) -> list[SpeechQuotationBody]:
    """What a person said on a bill over time: quotations only."""
    quotations = await people.list_quotations(get_state(request).services, name, bill, key=key)
    return [SpeechQuotationBody.model_validate(quotation) for quotation in quotations]
