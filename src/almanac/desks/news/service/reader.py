"""Opening a story in the source reader."""

from almanac.desks.news.model.readable_story import build_readable_story
from almanac.desks.news.service.articles import get_article
from almanac.reader.model import ReadableDocument
from almanac.services import Services


async def open_readable_story(services: Services, link_id: int, language: str) -> ReadableDocument:
    """The points of a story in a language, with the article. NotFound if there is no such article."""
    return build_readable_story(await get_article(services, link_id), language)
