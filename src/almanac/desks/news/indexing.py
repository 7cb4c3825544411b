"""Stories in the search index: each once, with the words of all its languages and the domains of all its sources."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.permissions import READ
from almanac.desks.news.store import articles
from almanac.desks.news.urls import story_path
from almanac.kit.messages import gettext
from almanac.relational import Database, Unit
from almanac.search import DocumentBatch, DocumentKind, SearchDocument, SearchIndex

KIND = DocumentKind(
    "news",
    gettext("Story"),
    gettext("News"),
    {"tag": gettext("Tag"), "country": gettext("Country"), "source": gettext("Source")},
)
# Our own texts are shorter; rows of other programs may hold texts that are too large for an index.
_BODY_LIMIT, _TITLE_LIMIT, _MAX_TAGS = 20_000, 1_000, 100


def to_document(article: NewsArticle) -> SearchDocument:
    """The search document of a story."""
    titles = {f"title_{language}": text[:_TITLE_LIMIT] for language, text in article.titles.items()}
    return SearchDocument(
        kind=KIND.name,
        id=str(article.id),
        title=article.title[:_TITLE_LIMIT],
        path=story_path(article.id),
        body=_body(article)[:_BODY_LIMIT],
        language=article.language,
        date=_date(article),
        facets=_facets(article),
        fields={"url": article.url, **titles},
        permission=READ,
    )


def _body(article: NewsArticle) -> str:
    """Headlines, translated bullets and the article. Bullets in its own language are part of the article already."""
    translated = (line for language, lines in article.bullets.items() if language != article.language for line in lines)
    headlines = (text for text in article.titles.values() if text != article.title)
    return "\n".join((*headlines, *translated, article.article or article.content))


def _facets(article: NewsArticle) -> dict[str, tuple[str, ...]]:
    domains = tuple(dict.fromkeys(source.domain for source in article.sources if source.domain))
    country = (article.country,) if article.country else ()
    return {"tag": tuple(article.tags[:_MAX_TAGS]), "country": country, "source": domains or (article.domain,)}


def _date(article: NewsArticle) -> datetime | None:
    """The day of publication, or when the link was found."""
    return datetime.combine(article.news_date, time(), UTC) if article.news_date else article.discovered_at


async def index_stories(unit: Unit, search: SearchIndex, link_ids: Sequence[int]) -> None:
    """Index stories in the transaction that stores them."""
    stories = await articles.list_articles(unit, link_ids)
    await search.put(unit, *(to_document(story) for story in stories))


@dataclass(frozen=True, slots=True)
class StoryProvider:
    """Gives every story to a search index that is being rebuilt."""

    database: Database
    kind: DocumentKind = field(default=KIND)

    async def count(self) -> int:
        async with self.database.unit() as unit:
            return await articles.count_stories(unit)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        async with self.database.unit() as unit:
            stories = await articles.list_stories_after(unit, int(after or 0), limit)
        last = str(stories[-1].id) if len(stories) == limit else None
        return DocumentBatch([to_document(story) for story in stories], last)
