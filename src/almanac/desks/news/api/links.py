"""API: links by status, adding some by hand, trying them again, and the fate of an address."""

from datetime import date, datetime
from typing import Annotated

from fastapi import Query, Request
from pydantic import Field

from almanac.desks.news import service
from almanac.desks.news.api.dependencies import Editor, Number, Reader, Words, new_router
from almanac.desks.news.model.links import LinkStatus
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = new_router()

Address = Annotated[str, Query(max_length=2000, description="Any spelling of the address.")]
Narrowed = Annotated[str | None, Query(max_length=255)]


class LinkBody(ApiModel):
    """A link and where it stands; `error_message` is the reason for people, `cause` the one for programs."""

    id: int
    url: str
    url_hash: str
    canonical_url: str | None
    domain: str | None
    title: str | None
    discovered_at: datetime | None
    source_task: str | None
    status: str
    cause: str | None
    error_message: str | None
    attempts: int
    next_attempt_at: datetime | None
    duplicate_of: int | None
    published: date | None
    processed_at: datetime | None
    last_checked: datetime | None
    created_at: datetime | None


class LinksWish(ApiModel):
    """Addresses to read; `source_task` names the task that they count for."""

    urls: list[Words] = Field(max_length=10_000, examples=[["https://example.org/news/1"]])
    source_task: Words | None = None


class TallyBody(ApiModel):
    """What came of the addresses: new ones, known ones, those of blocked sites, and what was no address."""

    found: int
    added: int
    duplicate: int
    blocked: int
    refused: int


class RetryWish(ApiModel):
    """Which links to try again: all failed ones, or blocked ones, or those of a cause or domain."""

    status: LinkStatus = LinkStatus.FAILED
    cause: Words | None = None
    domain: Words | None = None


class RetriedBody(ApiModel):
    """How many links wait again."""

    retried: int


class FateBody(ApiModel):
    """What became of an address, in one sentence and in its parts."""

    url: str
    canonical_url: str
    status: str = Field(description="That of the link, or `unknown`.")
    sentence: str
    link: LinkBody | None
    found_by: list[str]
    also_known_as: list[str]
    story: int | None
    blocked_until: datetime | None
    next_attempt_at: datetime | None


class StatsBody(ApiModel):
    """How many links stand where."""

    total_links: int
    pending: int
    processing: int
    completed: int
    failed: int
    blocked: int
    duplicate: int


@router.get("/links")
async def list_links(
    request: Request,
    _principal: Reader,
    status: LinkStatus | None = None,
    task: Narrowed = None,
    domain: Narrowed = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[LinkBody]:
    """Links, the newest first."""
    which = service.LinkFilter(status=status, task=task, domain=domain)
    page = await service.list_links(get_state(request).services, which, cursor=cursor, limit=limit)
    return Listed(items=[LinkBody.model_validate(link) for link in page.items], next_cursor=page.next_cursor)


@router.post("/links", status_code=202)
async def add_links(request: Request, wish: LinksWish, principal: Editor) -> TallyBody:
    """Add addresses by hand; a worker reads those that are new."""
    tally = await service.add_links(get_state(request).services, principal, wish.urls, task_name=wish.source_task)
    return TallyBody(**{name: getattr(tally, name) for name in TallyBody.model_fields})


@router.post("/links/retry", status_code=202)
async def retry_links(request: Request, wish: RetryWish, principal: Editor) -> RetriedBody:
    """Try many links again."""
    count = await service.retry_links(
        get_state(request).services, principal, status=wish.status, cause=wish.cause, domain=wish.domain
    )
    return RetriedBody(retried=count)


@router.get("/links/{link_id}")
async def get_link(request: Request, link_id: Number, _principal: Reader) -> LinkBody:
    """One link."""
    return LinkBody.model_validate(await service.get_link(get_state(request).services, link_id))


@router.post("/links/{link_id}/retry", status_code=202, responses=documented_problems(409))
async def retry_link(request: Request, link_id: Number, principal: Editor) -> LinkBody:
    """Read one link again; a page that did not change costs nothing."""
    return LinkBody.model_validate(await service.retry_link(get_state(request).services, principal, link_id))


@router.get("/fate")
async def get_fate(request: Request, url: Address, _principal: Reader) -> FateBody:
    """Why is this not here? What became of an address."""
    return FateBody.model_validate(await service.look_up_url(get_state(request).services, url))


@router.get("/stats")
async def get_statistics(request: Request, _principal: Reader) -> StatsBody:
    """How many links stand where."""
    return StatsBody.model_validate(await service.count_links_by_status(get_state(request).services))
