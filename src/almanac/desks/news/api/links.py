"""API routes for links, the fate of an address, domains and the blacklist."""

from typing import Annotated

from fastapi import Query, Request

from almanac.desks.news.api.dependencies import Name, Reader, Writer, new_router
from almanac.desks.news.api.schemas import (
    AddLinksRequest,
    BlockSiteRequest,
    DomainBody,
    FateBody,
    FreedLinksBody,
    LinkTallyBody,
    RetriedLinksBody,
    RetryLinksRequest,
)
from almanac.desks.news.model.links import LinkStats, LinkStatus, NewsLink
from almanac.desks.news.service import links, sites
from almanac.desks.news.store.sites import SiteBlock
from almanac.http.api_models import Listed, RowId
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = new_router()

Address = Annotated[str, Query(max_length=2000, description="Any spelling of the address.")]
FilterValue = Annotated[str | None, Query(max_length=255)]


@router.get("/links")
async def list_links(
    request: Request,
    _principal: Reader,
    status: LinkStatus | None = None,
    task: FilterValue = None,
    domain: FilterValue = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[NewsLink]:
    """Links, newest first."""
    which = links.LinkFilter(status=status, task=task, domain=domain)
    page = await links.list_links(get_state(request).services, which, cursor=cursor, limit=limit)
    return Listed(items=page.items, next_cursor=page.next_cursor)


@router.post("/links", status_code=202)
async def add_links(request: Request, body: AddLinksRequest, principal: Writer) -> LinkTallyBody:
    """Add addresses by hand; a worker reads those that are new."""
    tally = await links.add_links(get_state(request).services, principal, body.urls, task_name=body.source_task)
    return LinkTallyBody.model_validate(tally)


@router.post("/links/retry", status_code=202)
async def retry_links(request: Request, body: RetryLinksRequest, principal: Writer) -> RetriedLinksBody:
    """Queue many links again."""
    count = await links.retry_links(
        get_state(request).services, principal, status=body.status, cause=body.cause, domain=body.domain
    )
    return RetriedLinksBody(retried=count)


@router.get("/links/{link_id}")
async def get_link(request: Request, link_id: RowId, _principal: Reader) -> NewsLink:
    """One link."""
    return await links.get_link(get_state(request).services, link_id)


@router.post("/links/{link_id}/retry", status_code=202, responses=documented_problems(409))
async def retry_link(request: Request, link_id: RowId, principal: Writer) -> NewsLink:
    """Queue one link again; an unchanged page isn't summarised again."""
    return await links.retry_link(get_state(request).services, principal, link_id)


@router.get("/fate")
async def get_fate(request: Request, url: Address, _principal: Reader) -> FateBody:
    """Find out what happened to an address, and why."""
    return FateBody.model_validate(await links.look_up_url(get_state(request).services, url))


@router.get("/stats")
async def get_statistics(request: Request, _principal: Reader) -> LinkStats:
    """How many links have each status."""
    return await links.count_links_by_status(get_state(request).services)


@router.get("/domains")
async def list_domains(
    request: Request, _principal: Reader, cursor: Cursor = None, limit: Limit = 50
) -> Listed[DomainBody]:
    """Every domain and how it answers."""
    page = await sites.list_domains(get_state(request).services, cursor=cursor, limit=limit)
    return Listed[DomainBody].model_validate(page)


@router.get("/blacklist")
async def list_blacklist(
    request: Request, _principal: Reader, cursor: Cursor = None, limit: Limit = 50
) -> Listed[SiteBlock]:
    """Blocked sites, and sites that must not be blocked."""
    page = await sites.list_blocked_sites(get_state(request).services, cursor=cursor, limit=limit)
    return Listed(items=page.items, next_cursor=page.next_cursor)


@router.post("/blacklist", status_code=201)
async def block_site(request: Request, body: BlockSiteRequest, principal: Writer) -> FreedLinksBody:
    """Block a site; or allow it, so that its links are read and it is never blocked automatically."""
    services = get_state(request).services
    if body.is_allowed:
        return FreedLinksBody(freed=await sites.allow_site(services, principal, body.domain))
    await sites.block_site(services, principal, body.domain, reason=body.reason, days=body.days)
    return FreedLinksBody(freed=0)


@router.delete("/blacklist")
async def unblock_site(
    request: Request, domain: Annotated[str, Query(max_length=255)], principal: Writer
) -> FreedLinksBody:
    """Unblock a site and queue its blocked links."""
    return FreedLinksBody(freed=await sites.unblock_site(get_state(request).services, principal, domain))


@router.delete("/blacklist/{domain}")
async def unblock_named_site(request: Request, domain: Name, principal: Writer) -> FreedLinksBody:
    """Unblock a site and queue its blocked links."""
    return FreedLinksBody(freed=await sites.unblock_site(get_state(request).services, principal, domain))
