"""One story: its points beside the article, each leading to the sentence it rests on, and everybody who tells it."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.citations.passages import parse_quote
from almanac.citations.store import list_visible_citations
from almanac.desks.news import service
from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.pages.layout import PREFIX, Number, Reader, desk_page
from almanac.desks.news.pages.reading import beside_links, language_links, reading_of, remember
from almanac.desks.news.pages.story_view import card_of, paragraphs
from almanac.http.app_state import get_state
from almanac.llm.model_config import EXTRACTIVE

router = APIRouter(prefix=PREFIX)


@router.get("/stories/{number}")
async def show_story(
    request: Request, number: Number, principal: Reader, quote: Annotated[str, Query(max_length=20)] = ""
) -> Response:
    """A story in the languages that are read; an address may ask for some words of the article to be marked."""
    services = get_state(request).services
    article = await service.get_article(services, number)
    reading = reading_of(request)
    response = await desk_page(
        request,
        "stories",
        "story",
        card=card_of(article, reading),
        article=article,
        paragraphs=paragraphs(article, parse_quote(quote)),
        uses=await list_visible_citations(services.database, principal, KIND.name, str(number)),
        reading=reading,
        written=_written(article),
        languages=language_links(request, reading),
        beside=beside_links(request, reading),
    )
    remember(request, response, reading)
    return response


def _written(article: NewsArticle) -> str:
    """Who wrote the points, and what that is worth."""
    match article.metadata.get("writer"):
        case None | "":
            return ""
        case "demo":
            return "Invented for the demo."
        case writer if writer == EXTRACTIVE:
            return "The points are sentences of the article."
        case writer if article.points:
            return f"Written by {writer}; every point was checked against the article."
        case writer:
            # What another program wrote came without places in the article, and nobody here has checked it.
            return f"Written by {writer}."
