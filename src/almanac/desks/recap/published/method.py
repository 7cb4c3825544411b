"""The page about method and errors: how articles are made, what isn't covered, and what the installation can count."""

from collections.abc import Mapping

from almanac.desks.recap.published import store
from almanac.desks.recap.published.layout import METHOD_TITLE, build_page, urls
from almanac.kit.locale_formats import format_exact
from almanac.kit.messages import translate
from almanac.public import PublicPage, PublicRequest


async def show_method(request: PublicRequest) -> PublicPage:
    """How the articles are made and checked, what they leave out, how many errors are known, where to report one."""
    figures = await store.sum_figures(request.ports.database)

    async def load() -> Mapping[str, object]:
        zone, at = request.ports.settings.time_zone, figures.counted_at
        counted = format_exact(at, zone, request.language) if at else ""
        return {"figures": figures, "bound": figures.decisions - figures.unbound, "counted": counted}

    return build_page(
        request,
        "method",
        "method",
        load,
        to=urls(request),
        title=translate(METHOD_TITLE, request.language),
        stamp=figures,
    )
