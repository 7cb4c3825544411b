"""Every route of the public side: the front page and those of the listed parts, each below a language."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.public.forms import PublicForm
from almanac.public.front import front_route
from almanac.public.model import PublicPart, RouteHandler


@dataclass(frozen=True, slots=True)
class SiteRoute:
    """A route with the part it belongs to; the front page belongs to all of them."""

    path: str
    part: str
    answer: RouteHandler
    about: str
    is_costly: bool = False
    form: PublicForm | None = None


def list_routes(parts: Sequence[PublicPart]) -> list[SiteRoute]:
    """The routes of these parts. A path is below the root of the public side and begins with the language."""
    front = front_route(parts)
    forms = {(part.name, form.path): form for part in parts for form in part.forms}
    return [
        SiteRoute("/{language}", "", front.answer, front.about),
        *(
            SiteRoute(
                f"/{{language}}{route.path}",
                part.name,
                route.answer,
                route.about,
                route.is_costly,
                forms.get((part.name, route.path)),
            )
            for part in parts
            for route in part.routes
        ),
    ]
