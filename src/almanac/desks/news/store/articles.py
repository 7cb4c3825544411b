"""Articles: writing one with its story, and reading them with all their sources; foreign rows with patience."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import msgspec

from almanac.desks.news.model.articles import (
    LANGUAGES,
    Bullet,
    NewsArticle,
    StoryFallback,
    StorySource,
    WrittenStory,
    text_hash,
)
from almanac.desks.news.store.rows import QUERIES, mark_utc
from almanac.kit.json_text import encode_json
from almanac.llm.answer import DroppedSentence
from almanac.relational import ReadTransaction, Row, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class NewArticle:
    """An article as it is stored."""

    link_id: int
    title: str
    titles: Mapping[str, str]
    content: str
    bullets: Mapping[str, list[str]]
    tags: Sequence[str]
    country: str | None
    news_date: date | None
    metadata: Mapping[str, Any]
    article: str
    language: str
    text_hash: str
    cluster: int
    signature: bytes | None
    bands: Sequence[int] | None


async def upsert_articles(unit: Unit, articles: Sequence[NewArticle], now: datetime) -> None:
    """Store articles, each in place of an earlier reading of the same link; they travel as one JSON text."""
    rows = [
        {
            "link_id": article.link_id,
            "title": article.title,
            "content": article.content,
            "tags": list(article.tags),
            "translated_content": encode_json(article.bullets).decode(),
            "country": article.country,
            "news_date": article.news_date,
            "metadata": article.metadata,
            "article": article.article,
            "language": article.language,
            "text_hash": article.text_hash,
            "cluster": article.cluster,
            "bands": article.bands,
            "signature": article.signature.hex() if article.signature else None,
            **{f"title_{language}": article.titles.get(language) for language in LANGUAGES},
        }
        for article in articles
    ]
    await unit.execute(QUERIES["upsert_articles"], {"articles": encode_json(rows).decode(), "now": now})


async def rewrite_article(unit: Unit, article: NewsArticle, written: WrittenStory, now: datetime) -> bool:
    """Replace what is told about an article; False if its page has been read again since."""
    params = {
        "link_id": article.id,
        "text_hash": text_hash(article.article),
        "content": written.list_form(article.language),
        "translated_content": encode_json({language: written.point_form(language) for language in LANGUAGES}).decode(),
        "metadata": encode_json(written.metadata()).decode(),
        "now": now,
        **{f"title_{language}": written.headlines.get(language) for language in LANGUAGES},
    }
    return bool(await unit.execute(QUERIES["rewrite_article"], params))


async def find_similar_articles(
    unit: Unit, sought: Mapping[int, Sequence[int]], *, since: datetime
) -> dict[int, list[tuple[int, bytes]]]:
    """For links by the bands of their articles: stories that may be the same, with the signature of one who tells it.

    The sought ones are not found by each other, because what is stored of them may be from an earlier reading.
    """
    given = [{"link_id": link_id, "bands": bands} for link_id, bands in sought.items()]
    params = {"sought": encode_json(given).decode(), "besides": list(sought), "since": since}
    similar: dict[int, list[tuple[int, bytes]]] = {}
    for row in await unit.all(QUERIES["find_similar_articles"], params):
        similar.setdefault(row["of_link"], []).append((row["cluster"], bytes(row["signature"])))
    return similar


async def find_article(reading: ReadTransaction, link_id: int) -> NewsArticle | None:
    """A finished article without the other sources of its story."""
    row = await reading.one(QUERIES["find_article"], {"id": link_id})
    return _article(row, ()) if row else None


async def list_articles(reading: ReadTransaction, ids: Sequence[int]) -> list[NewsArticle]:
    """Finished articles in the order asked for, each with all sources of its story."""
    rows = await reading.all(QUERIES["list_articles"], {"ids": list(ids)})
    by_id = {article.id: article for article in await _with_sources(reading, rows)}
    return [by_id[article_id] for article_id in ids if article_id in by_id]


async def list_stories_after(unit: Unit, after: int, limit: int) -> list[NewsArticle]:
    """Each story once, by its first article, with all its sources."""
    return await _with_sources(unit, await unit.all(QUERIES["list_stories_after"], {"after": after, "limit": limit}))


async def count_stories(unit: Unit) -> int:
    return int(await unit.value(QUERIES["count_stories"]))


async def _with_sources(reading: ReadTransaction, rows: Sequence[Row]) -> list[NewsArticle]:
    """Rows as articles, each with everybody who tells its story."""
    clusters = list({row["cluster"] or row["id"] for row in rows})
    by_story: dict[int, list[StorySource]] = {}
    for source in await reading.all(QUERIES["list_story_sources"], {"clusters": clusters}):
        mark_utc(source)
        by_story.setdefault(source.pop("cluster"), []).append(StorySource(**source))
    return [_article(row, by_story.get(row["cluster"] or row["id"])) for row in rows]


async def adopt_articles(unit: Unit, limit: int) -> list[int]:
    """Let articles that other programs wrote be stories of their own; returns their links."""
    return [row["link_id"] for row in await unit.all(QUERIES["adopt_articles"], {"limit": limit})]


async def count_tags(reading: ReadTransaction) -> dict[str, int]:
    """Every tag in use, the most frequent first."""
    return {row["tag"]: row["articles"] for row in await reading.all(QUERIES["count_tags"])}


def _own_source(row: Row, title: str) -> StorySource:
    return StorySource(
        link_id=row["id"],
        url=row["url"],
        domain=row["domain"] or "",
        title=title,
        news_date=row["news_date"],
        discovered_at=row["discovered_at"],
    )


def _article(row: Row, sources: Sequence[StorySource] | None) -> NewsArticle:
    """None for the sources of an article that no story is stored of: it is its own."""
    mark_utc(row)
    metadata = row["metadata"] if isinstance(row["metadata"], dict) else {}
    title = row["title"] or row["link_title"] or row["url"]
    return NewsArticle(
        id=row["id"],
        url=row["url"],
        domain=row["domain"] or "",
        source_task=row["source_task"],
        title=title,
        titles={lang: row[f"title_{lang}"] for lang in LANGUAGES if row[f"title_{lang}"]},
        content=row["content"] or "",
        bullets=decode_bullets(row["translated_content"]),
        states=_states(metadata.get("translations")),
        points=tuple(_points(metadata.get("points"))),
        tags=[tag for tag in row["tags"] or () if isinstance(tag, str) and tag.strip()],
        country=row["country"],
        news_date=row["news_date"],
        language=row["language"] or "",
        article=row["article"] or "",
        cluster=row["cluster"] or row["id"],
        metadata=metadata,
        sources=(_own_source(row, title),) if sources is None else tuple(sources),
        dropped=tuple(_dropped(metadata.get("dropped"))),
        instructions=tuple(_texts(metadata.get("instructions"))),
        fallback=_fallback(metadata.get("fallback")),
        discovered_at=row["discovered_at"],
        processed_at=row["processed_at"],
    )


def decode_bullets(stored: str | None) -> dict[str, list[str]]:
    """Bullets by language; other programs write each language as one text, or no JSON at all."""
    try:
        by_language = msgspec.json.decode(stored or "{}")
    except (msgspec.DecodeError, RecursionError):
        return {}
    if not isinstance(by_language, dict):
        return {}
    return {lang: _lines(by_language[lang]) for lang in LANGUAGES if by_language.get(lang)}


def _states(stored: object) -> dict[str, str]:
    return {str(name): str(state) for name, state in stored.items()} if isinstance(stored, dict) else {}


def _lines(value: object) -> list[str]:
    if isinstance(value, list):
        return [line for line in value if isinstance(line, str) and line.strip()]
    lines = (line.strip().lstrip("•*-– ").strip() for line in str(value).splitlines())
    return [line for line in lines if line]


def _dropped(stored: object) -> Iterator[DroppedSentence]:
    """Earlier versions stored one text, the sentence and the reason."""
    for item in stored if isinstance(stored, list) else ():
        match item:
            case {"text": str(text), "reason": str(reason)}:
                yield DroppedSentence(text, reason)
            case str():
                yield DroppedSentence(item, "")


def _texts(stored: object) -> list[str]:
    return [text for text in stored if isinstance(text, str)] if isinstance(stored, list) else []


def _fallback(stored: object) -> StoryFallback | None:
    if stored is None:
        return None
    try:
        return msgspec.convert(stored, StoryFallback)
    except msgspec.ValidationError:
        return None


def _points(stored: object) -> list[Bullet]:
    if not isinstance(stored, list):
        return []
    try:
        return msgspec.convert(stored, list[Bullet])
    except msgspec.ValidationError:
        return []
