"""One story: its points beside the article, each leading to the sentence it rests on, and everybody who tells it."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.model.articles import Article
from almanac.desks.news.pages.frame import PREFIX, Number, Reader, desk_page
from almanac.desks.news.pages.reading import beside_links, language_links, reading_of, remember
from almanac.desks.news.pages.telling import card_of, paragraphs
from almanac.http.surface import surface_of
from almanac.llm.choices import EXTRACTIVE

router = APIRouter(prefix=PREFIX)


@router.get("/stories/{number}")
async def show_story(request: Request, number: Number, _principal: Reader) -> Response:
    """A story in the languages that are read."""
    article = await service.get_article(surface_of(request).services, number)
    reading = reading_of(request)
    response = await desk_page(
        request, "stories", "story", card=card_of(article, reading), article=article, paragraphs=paragraphs(article),
        reading=reading, written=_written(article), languages=language_links(request, reading),
        beside=beside_links(request, reading),
    )  # fmt: skip
    remember(request, response, reading)
    return response


def _written(article: Article) -> str:
    """Who wrote the points, and what that is worth."""
    match article.metadata.get("writer"):
        case None | "":
            return ""
        case "demo":
            return "Invented for the demo."
        case writer if writer == EXTRACTIVE:
            return "The points are sentences of the article."
        case writer:
            return f"Written by {writer}; every point was checked against the article."
