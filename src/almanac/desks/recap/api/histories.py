"""API: a record, a bill or an item of the agenda across sittings and houses."""

from fastapi import Request

from almanac.desks.recap import service
from almanac.desks.recap.api.dependencies import CardBody, Name, Reader, new_router
from almanac.desks.recap.views import Timeline
from almanac.http.api_models import Model
from almanac.http.surface import surface_of

router = new_router()


class EntryBody(Model):
    """One sitting in a history, with what it decided."""

    card: CardBody
    title: str
    outcome: str
    orders: list[int]


class TimelineBody(Model):
    """A history from its beginning."""

    key: str
    title: str
    entries: list[EntryBody]

    @classmethod
    def of(cls, timeline: Timeline) -> "TimelineBody":
        return cls.model_validate(timeline)


@router.get("/issues/{issue_id}/timeline")
async def issue_timeline(request: Request, issue_id: Name, _principal: Reader) -> TimelineBody:
    """The articles about one record."""
    return TimelineBody.of(await service.issue_timeline(surface_of(request).services, issue_id))


@router.get("/bills/{key}/timeline")
async def bill_timeline(request: Request, key: Name, _principal: Reader) -> TimelineBody:
    """The sittings that dealt with a bill, in both houses and all committees."""
    return TimelineBody.of(await service.bill_timeline(surface_of(request).services, key))


@router.get("/agenda/{key}/timeline")
async def agenda_timeline(request: Request, key: Name, _principal: Reader) -> TimelineBody:
    """The sittings that had an item on their agenda."""
    return TimelineBody.of(await service.agenda_timeline(surface_of(request).services, key))
