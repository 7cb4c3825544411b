"""Sites: how each answers, the blacklist, and statistics of links and stories."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.news.model.links import LinkStatus
from almanac.desks.news.pages.labels import STATUSES
from almanac.desks.news.pages.layout import PREFIX, Reader, Writer, desk_page
from almanac.desks.news.pages.stories import facet_text
from almanac.desks.news.service import articles, sites
from almanac.desks.news.service import links as link_service
from almanac.desks.news.service.articles import StoryFilter
from almanac.desks.news.service.sites import BY_HAND, FOR_GOOD
from almanac.errors import AlmanacError, FieldErrors, check_all
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext, ngettext

router = APIRouter(prefix=PREFIX)
HERE = f"{PREFIX}/sites"
STATISTICS = (("tag", gettext("Tags")), ("country", gettext("Countries")), ("source", gettext("Sources")))
_MAX_BARS = 12


@router.get("/sites")
async def show_sites(request: Request, _principal: Reader, cursor: Cursor = None) -> Response:
    """Every site and the blacklist."""
    return await _sites_page(request, cursor)


@router.post("/sites/block")
async def block_site(
    request: Request, principal: Writer, domain: FormText = "", reason: FormText = "", days: FormText = ""
) -> Response:
    """Block a site for some days, or until it is unblocked."""
    try:
        check_all(lambda: _check_site(domain), lambda: _parse_days(days))
        block = await sites.block_site(
            get_state(request).services, principal, domain, reason=reason.strip(), days=_parse_days(days)
        )
    except FieldErrors as error:
        return await _sites_page(request, None, errors=error.fields, typed=(domain, reason, days))
    except AlmanacError as error:
        return await _sites_page(request, None, errors={"domain": error.sentence}, typed=(domain, reason, days))
    words = gettext("%(domain)s is blocked.", domain=block.domain)
    return redirect_with_message(request, HERE, words, undo=f"{HERE}/unblock", fields={"domain": block.domain})


@router.post("/sites/unblock")
async def unblock_site(request: Request, principal: Writer, domain: FormText = "") -> Response:
    """Remove a site from the blacklist, whether it was blocked or always allowed."""
    count = await sites.unblock_site(get_state(request).services, principal, domain)
    return redirect_with_message(
        request,
        HERE,
        ngettext(
            "%(domain)s is unblocked; %(num)s link will be read.",
            "%(domain)s is unblocked; %(num)s links will be read.",
            count,
            domain=domain,
        ),
    )


@router.post("/sites/allow")
async def allow_site(request: Request, principal: Writer, domain: FormText = "") -> Response:
    """Never block a site automatically."""
    count = await sites.allow_site(get_state(request).services, principal, domain)
    return redirect_with_message(
        request,
        HERE,
        ngettext(
            "%(domain)s will never be blocked automatically; %(num)s link will be read.",
            "%(domain)s will never be blocked automatically; %(num)s links will be read.",
            count,
            domain=domain,
        ),
    )


@router.get("/statistics")
async def show_statistics(request: Request, principal: Reader) -> Response:
    """Links by status, and stories by tag, country and source."""
    services = get_state(request).services
    stats = await link_service.count_links_by_status(services)
    stories = await articles.find_articles(
        services, principal, StoryFilter(), facets=[name for name, _ in STATISTICS], limit=1
    )
    links = [(STATUSES[status], getattr(stats, status), f"{PREFIX}/queue?status={status}") for status in LinkStatus]
    about = [
        (label, [(facet_text(name, value), count) for value, count in stories.facets.get(name, [])[:_MAX_BARS]])
        for name, label in STATISTICS
    ]
    return await desk_page(
        request,
        "figures",
        "statistics",
        total=stats.total_links,
        stories=stories.total,
        links=links,
        about=[(label, values) for label, values in about if values],
    )


async def _sites_page(
    request: Request,
    cursor: str | None,
    *,
    errors: dict[str, str] | None = None,
    typed: tuple[str, str, str] = ("", "", ""),
) -> Response:
    services = get_state(request).services
    page = await sites.list_domains(services, cursor=cursor)
    blocked = await sites.list_blocked_sites(services, limit=200)
    return await desk_page(
        request,
        "sites",
        "sites",
        status_code=422 if errors else 200,
        domains=page.items,
        blocked=blocked.items,
        undecided={block.domain for block in blocked.items if block.cause != BY_HAND and not block.is_allowed},
        errors=errors or {},
        typed=typed,
        for_good=FOR_GOOD,
        next_url=next_url(request.url, page.next_cursor),
        first_url=first_url(request.url, cursor),
    )


def _check_site(text: str) -> None:
    if not text.strip():
        raise FieldErrors({"domain": gettext("Enter a site, such as example.org.")})


def _parse_days(text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal() or len(text) > 6:
        raise FieldErrors({"days": gettext("Enter the days as a whole number, or leave them empty.")})
    return int(text)
