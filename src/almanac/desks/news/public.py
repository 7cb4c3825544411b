"""What other desks may use of the news desk: stories as passages that can be cited."""

from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.news.indexing import KIND
from almanac.desks.news.store import articles
from almanac.search import Viewer
from almanac.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPassage:
    """A story: the words of its first article, and where they come from."""

    id: str
    title: str
    text: str
    url: str
    source: str
    date: date | None
    language: str


async def find_passages(
    services: Services, query: str, *, viewer: Viewer, since: datetime | None = None, until: datetime | None = None,
    limit: int = 50,
) -> list[NewsPassage]:  # fmt: skip
    """Stories that match a query in the one syntax, the best first, with the text that may be cited."""
    found = await services.search.find(query, viewer=viewer, kinds=[KIND.name], since=since, until=until, limit=limit)
    return await passages(services, [hit.id for hit in found.hits])


async def passages(services: Services, ids: list[str]) -> list[NewsPassage]:
    """Stories by the ids that a search named."""
    async with services.database.unit() as unit:
        told = await articles.list_articles(unit, [int(one) for one in ids])
    return [
        NewsPassage(
            id=str(one.id), title=one.title, text=one.article or one.content, url=one.url, source=one.domain,
            date=one.news_date, language=one.language,
        )
        for one in told
    ]  # fmt: skip
