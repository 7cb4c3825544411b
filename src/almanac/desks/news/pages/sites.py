"""Sites: how each answers, what its robots.txt asks for, and the blacklist, which people may overrule."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.pages.layout import PREFIX, Editor, Reader, desk_page
from almanac.desks.news.service.sites import FOR_GOOD
from almanac.errors import AlmanacError, InputError
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.text import counted

router = APIRouter(prefix=PREFIX + "/sites")
HERE = f"{PREFIX}/sites"


@router.get("")
async def show_sites(request: Request, _principal: Reader, cursor: Cursor = None) -> Response:
    """Every site that was asked, and the blacklist."""
    return await _show(request, cursor)


@router.post("/block")
async def block(
    request: Request, principal: Editor, domain: FormText = "", reason: FormText = "", days: FormText = ""
) -> Response:
    """Don't ask a site for some days, or until somebody lifts it."""
    try:
        if not domain.strip():
            raise InputError("Say which site, such as example.org.")
        made = await service.block_site(
            get_state(request).services, principal, domain, reason=reason.strip(), days=_days(days)
        )
    except AlmanacError as error:
        return await _show(request, None, problem=error.sentence, typed=(domain, reason, days))
    return redirect_with_message(request, HERE, f"{made.domain} is not asked any more.")


@router.post("/unblock")
async def unblock(request: Request, principal: Editor, domain: FormText = "") -> Response:
    """Lift a block, or forget that a site must never be blocked."""
    freed = await service.unblock_site(get_state(request).services, principal, domain)
    return redirect_with_message(request, HERE, f"{domain} is off the list; {counted(freed, 'link')} will be read.")


@router.post("/allow")
async def allow(request: Request, principal: Editor, domain: FormText = "") -> Response:
    """Never block a site again by itself."""
    freed = await service.allow_site(get_state(request).services, principal, domain)
    return redirect_with_message(
        request, HERE, f"{domain} is never blocked by itself now; {counted(freed, 'link')} will be read."
    )


async def _show(
    request: Request, cursor: str | None, *, problem: str = "", typed: tuple[str, str, str] = ("", "", "")
) -> Response:
    services = get_state(request).services
    listed = await service.list_domains(services, cursor=cursor)
    blocked = await service.list_blocked_sites(services, limit=200)
    return await desk_page(
        request,
        "sites",
        "sites",
        status_code=422 if problem else 200,
        domains=listed.items,
        blocked=blocked.items,
        problem=problem,
        typed=typed,
        for_good=FOR_GOOD,
        now=services.clock.now(),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


def _days(text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal() or len(text) > 6:
        raise InputError("Write the days as a whole number, or leave them out.")
    return int(text)
