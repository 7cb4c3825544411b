"""Every route of the public side: the front page, oEmbed and those of the listed parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.public.forms import PublicForm
from almanac.public.front import front_route
from almanac.public.model import PublicPart, RouteHandler
from almanac.public.oembed import oembed_route


@dataclass(frozen=True, slots=True)
class SiteRoute:
    """A route with the part it belongs to; the front page belongs to all of them."""

    path: str
    part: str
    answer: RouteHandler
    about: str
    is_costly: bool = False
    has_language: bool = True
    form: PublicForm | None = None


def list_routes(parts: Sequence[PublicPart]) -> list[SiteRoute]:
    """The routes of these parts, below the root of the public side. Those of pages begin with the language."""
    front, embed = front_route(parts), oembed_route(parts)
    forms = {(part.name, form.path): form for part in parts for form in part.forms}
    routes = [
        SiteRoute("/{language}", "", front.answer, front.about),
        SiteRoute(embed.path, "", embed.answer, embed.about, has_language=False),
        *(
            SiteRoute(
                f"/{{language}}{route.path}" if route.has_language else route.path,
                part.name,
                route.answer,
                route.about,
                route.is_costly,
                route.has_language,
                forms.get((part.name, route.path)),
            )
            for part in parts
            for route in part.routes
        ),
    ]
    # Whatever has no language comes first: the beginning of its path could be taken for one.
    return sorted(routes, key=lambda route: route.has_language)
