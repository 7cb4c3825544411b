"""API: how sites fare, and the blacklist."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import Query, Request
from pydantic import Field

from almanac.desks.news import service
from almanac.desks.news.api.dependencies import Editor, Name, Reader, Words, new_router
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit

router = new_router()


class DomainBody(ApiModel):
    """A domain: how it answers, how many links wait, and when it may be asked next."""

    domain: str
    requests: int
    succeeded: int
    failed: int
    refused: int
    failures_in_a_row: int
    last_status: int | None
    last_problem: str | None
    last_success_at: datetime | None
    last_request_at: datetime | None
    next_request_at: datetime
    delay_ms: int | None
    waiting: int
    blocked_until: datetime | None


class BlockBody(ApiModel):
    """A site that is not asked: why, on what evidence, until when; or one that may never be blocked."""

    domain: str
    url: str
    title: str | None
    reason: str | None
    cause: str | None
    evidence: dict[str, Any] | None
    expires_at: datetime | None
    strikes: int
    is_allowed: bool
    created_at: datetime | None
    updated_at: datetime | None


class BlockWish(ApiModel):
    """A site to leave alone, for some days or until somebody lifts it; or one to allow whatever it answers."""

    domain: Words = Field(examples=["example.org"])
    reason: Words = ""
    days: int | None = None
    is_allowed: bool = False


class FreedBody(ApiModel):
    """How many links are read now that were blocked."""

    freed: int


@router.get("/domains")
async def list_domains(
    request: Request, _principal: Reader, cursor: Cursor = None, limit: Limit = 50
) -> Listed[DomainBody]:
    """Every domain with how it answers."""
    page = await service.list_domains(get_state(request).services, cursor=cursor, limit=limit)
    items = [DomainBody(**{name: getattr(one, name) for name in DomainBody.model_fields}) for one in page.items]
    return Listed(items=items, next_cursor=page.next_cursor)


@router.get("/blacklist")
async def list_blacklist(
    request: Request, _principal: Reader, cursor: Cursor = None, limit: Limit = 50
) -> Listed[BlockBody]:
    """The sites that are not asked, and those that must not be blocked."""
    page = await service.list_blocked_sites(get_state(request).services, cursor=cursor, limit=limit)
    return Listed(items=[BlockBody.model_validate(one) for one in page.items], next_cursor=page.next_cursor)


@router.post("/blacklist", status_code=201)
async def block_site(request: Request, wish: BlockWish, principal: Editor) -> FreedBody:
    """Leave a site alone; or allow it, so that its links are read and it is never blocked by itself."""
    services = get_state(request).services
    if wish.is_allowed:
        return FreedBody(freed=await service.allow_site(services, principal, wish.domain))
    await service.block_site(services, principal, wish.domain, reason=wish.reason, days=wish.days)
    return FreedBody(freed=0)


@router.delete("/blacklist")
async def unblock_site(request: Request, domain: Annotated[str, Query(max_length=255)], principal: Editor) -> FreedBody:
    """Lift a block; the links that waited for it are read."""
    return FreedBody(freed=await service.unblock_site(get_state(request).services, principal, domain))


@router.delete("/blacklist/{domain}")
async def unblock_named_site(request: Request, domain: Name, principal: Editor) -> FreedBody:
    """Lift a block; the links that waited for it are read."""
    return FreedBody(freed=await service.unblock_site(get_state(request).services, principal, domain))
