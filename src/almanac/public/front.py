"""The front page: what there is to read, with the latest of each part."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from almanac.public.model import PublicPage, PublicPart, PublicRequest, PublicRoute, Teaser


@dataclass(frozen=True, slots=True)
class FrontSection:
    """A part on the front page."""

    title: str
    url: str
    teasers: Sequence[Teaser]


def front_route(parts: Sequence[PublicPart]) -> PublicRoute:
    """The route of the front page of these parts."""

    async def show_front(request: PublicRequest) -> PublicPage:
        """The front page: the latest of everything that is public."""
        lists = await asyncio.gather(*(part.teasers(request) for part in parts))
        sections = [
            FrontSection(part.title, request.links.page(request.language, part.home), teasers)
            for part, teasers in zip(parts, lists, strict=True)
        ]

        async def load() -> Mapping[str, object]:
            return {"front_sections": [section for section in sections if section.teasers]}

        return PublicPage(template="public/front.html", title="", stamp=sections, load=load)

    return PublicRoute("", show_front)
