"""API: stories and their sources, and the tags."""

from datetime import date, datetime
from typing import Annotated, Any

from fastapi import Query, Request
from pydantic import Field

from almanac.desks.news import service
from almanac.desks.news.api.dependencies import Number, Reader, new_router
from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.service.articles import StoryFilter
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit

router = new_router()

Words = Annotated[str, Query(max_length=2000, description="A query in the one syntax.")]
Value = Annotated[str | None, Query(max_length=255)]
Since = Annotated[date | None, Query(alias="from", description="The first day.")]
Until = Annotated[date | None, Query(alias="to", description="The last day.")]


class StorySourceBody(ApiModel):
    """An outlet that tells the story."""

    link_id: int
    url: str
    domain: str
    title: str
    news_date: date | None
    discovered_at: datetime | None


class PointBody(ApiModel):
    """A point with the sentence it rests on, and that sentence's place in the article."""

    sentence: str
    start: int
    end: int
    texts: dict[str, str]


class ArticleBody(ApiModel):
    """A story by its first article. `translations` says of each language whether it is original, translated or not."""

    id: int
    url: str
    domain: str
    source_task: str | None
    title: str
    title_en: str | None
    title_zh: str | None
    title_ms: str | None
    content: str
    translated_content: dict[str, list[str]]
    translations: dict[str, str]
    tags: list[str]
    country: str | None
    news_date: date | None
    language: str
    story: int
    sources: list[StorySourceBody]
    discovered_at: datetime | None
    processed_at: datetime | None

    @classmethod
    def of(cls, article: NewsArticle) -> "ArticleBody":
        return cls(**_members(article))


class FullArticleBody(ArticleBody):
    """A story with its points, the words of its article, and how it was made."""

    points: list[PointBody]
    article: str
    writer: str | None
    dropped: list[str] = Field(description="What was written and did not stand the check.")

    @classmethod
    def of(cls, article: NewsArticle) -> "FullArticleBody":
        writer, dropped = article.metadata.get("writer"), article.metadata.get("dropped")
        return cls(
            **_members(article),
            points=[
                PointBody(sentence=one.sentence, start=one.start, end=one.end, texts=dict(one.texts))
                for one in article.points
            ],
            article=article.article,
            # Other programs may keep anything under these names.
            writer=writer if isinstance(writer, str) else None,
            dropped=[one for one in dropped if isinstance(one, str)] if isinstance(dropped, list) else [],
        )


def _members(article: NewsArticle) -> dict[str, Any]:
    plain = (
        "id",
        "url",
        "domain",
        "source_task",
        "title",
        "content",
        "tags",
        "country",
        "news_date",
        "language",
        "discovered_at",
        "processed_at",
    )
    return {
        **{name: getattr(article, name) for name in plain},
        **{f"title_{language}": article.titles.get(language) for language in ("en", "zh", "ms")},
        "translated_content": {name: article.bullets.get(name, []) for name in ("en", "zh", "ms")},
        "translations": dict(article.states),
        "story": article.cluster,
        "sources": [StorySourceBody.model_validate(source) for source in article.sources],
    }


@router.get("/articles")
async def list_articles(
    request: Request,
    principal: Reader,
    q: Words = "",
    tag: Value = None,
    country: Value = None,
    lang: Value = None,
    source: Value = None,
    since: Since = None,
    until: Until = None,
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[ArticleBody]:
    """Stories, each once with all its sources: the best first where words are given, otherwise the latest."""
    which = StoryFilter(words=q, tag=tag, country=country, language=lang, source=source, since=since, until=until)
    found = await service.find_articles(get_state(request).services, principal, which, cursor=cursor, limit=limit)
    return Listed(items=[ArticleBody.of(one) for one in found.page.items], next_cursor=found.page.next_cursor)


@router.get("/articles/{link_id}")
async def get_article(request: Request, link_id: Number, _principal: Reader) -> FullArticleBody:
    """One article with everybody who tells its story."""
    return FullArticleBody.of(await service.get_article(get_state(request).services, link_id))


@router.get("/tags")
async def list_tags(request: Request, _principal: Reader) -> dict[str, int]:
    """Every tag, with how many articles have it."""
    return await service.list_tags(get_state(request).services)
