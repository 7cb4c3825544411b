"""How stories stand in the search index: each once, found in all its languages and under every outlet that tells it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from almanac.accounts.permissions import desk_permission
from almanac.desks.news.model.articles import Article
from almanac.desks.news.store import articles
from almanac.relational import Database, Unit
from almanac.search import DocumentBatch, DocumentKind, SearchDocument, SearchIndex

KIND = DocumentKind("news", "Story", "News", {"tag": "Tag", "country": "Country", "source": "Source"})
READ_PERMISSION = desk_permission("news", "read")
# What is ours is shorter; another program may write a whole book into any of them, which no index would take.
_INDEXED, _TITLE, _TAGS = 20_000, 1_000, 100


def story_path(number: int) -> str:
    """Where a story opens on this site."""
    return f"/news/stories/{number}"


def as_found(article: Article) -> SearchDocument:
    """A story as search knows it."""
    return SearchDocument(
        kind=KIND.name,
        id=str(article.id),
        title=article.title[:_TITLE],
        path=story_path(article.id),
        body=_words(article)[:_INDEXED],
        language=article.language,
        date=_moment(article),
        facets=_facets(article),
        fields={"url": article.url, **{f"title_{name}": text[:_TITLE] for name, text in article.titles.items()}},
        permission=READ_PERMISSION,
    )


def _words(article: Article) -> str:
    """The article and its translations; its own points are parts of it already."""
    translated = (line for name, lines in article.bullets.items() if name != article.language for line in lines)
    headlines = (text for text in article.titles.values() if text != article.title)
    return "\n".join((*headlines, *translated, article.article or article.content))


def _facets(article: Article) -> dict[str, tuple[str, ...]]:
    domains = tuple(dict.fromkeys(source.domain for source in article.sources if source.domain))
    country = (article.country,) if article.country else ()
    return {"tag": tuple(article.tags[:_TAGS]), "country": country, "source": domains or (article.domain,)}


def _moment(article: Article) -> datetime | None:
    """The day of publication; where the page names none, when the link was found."""
    return datetime.combine(article.news_date, time(), UTC) if article.news_date else article.discovered_at


async def index_story(unit: Unit, search: SearchIndex, link_ids: Sequence[int]) -> None:
    """Make stories findable, in the transaction that stores them."""
    found = await articles.list_articles(unit, link_ids)
    await search.put(unit, *(as_found(article) for article in found))


@dataclass(frozen=True, slots=True)
class StoryProvider:
    """Gives every story to a search index that is rebuilt."""

    database: Database
    kind: DocumentKind = field(default=KIND)

    async def count(self) -> int:
        async with self.database.unit() as unit:
            return await articles.count_stories(unit)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        async with self.database.unit() as unit:
            found = await articles.stories_after(unit, int(after or 0), limit)
        return DocumentBatch(
            [as_found(article) for article in found], str(found[-1].id) if len(found) == limit else None
        )
