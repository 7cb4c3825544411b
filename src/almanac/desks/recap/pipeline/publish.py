"""Publish a recap: an article with all its thin items, a permanent version, and its entries in the indexes.

The order makes it safe to be killed anywhere: objects, then the version, then the article in one write, then the
indexes. Until the article is written the old one stays complete; publishing again resumes from whatever was done.
"""

import asyncio
from dataclasses import dataclass

from almanac.audit.model import SYSTEM, Actor
from almanac.desks.recap.events import PUBLISHED, REMADE, record_event
from almanac.desks.recap.indexing import index_article, search_document, unindex_article
from almanac.desks.recap.model.identity import article_id_for, task_pk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.pipeline.alert_matches import announce_speeches
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import tasks
from almanac.desks.recap.store.article_mapping import article_from_recap
from almanac.desks.recap.store.articles import ArticleWriteConflict
from almanac.desks.recap.store.objects import article_prefix, content_digest, save_asset, task_prefixes
from almanac.desks.recap.store.speech_mapping import build_speech_entries
from almanac.desks.recap.store.table import Article, Version
from almanac.errors import Unavailable
from almanac.kit.messages import gettext
from almanac.services import Services

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class PublishedArticle:
    """The id and version of a published article, and whether the version is new."""

    article_id: str
    version: int
    is_new: bool


async def publish_recap(
    services: Services, meeting: Meeting, recap: Recap, *, record_url: str, reason: str = "", by: Actor = SYSTEM
) -> PublishedArticle:
    """Publish a recap; the same content as the present version makes no new version."""
    for _ in range(_ATTEMPTS):
        try:
            article, is_new = await _put_version(services, meeting, recap, record_url, reason)
        except ArticleWriteConflict:
            continue
        await _index_and_announce(services, article, recap, meeting, by)
        return PublishedArticle(article.id, article.version or 1, is_new)
    raise Unavailable(gettext("This article is being published elsewhere at the same time; try again in a moment."))


async def withdraw_meeting(services: Services, meeting: Meeting) -> None:
    """Remove a meeting's article with everything that belongs to it, and its task."""
    article_id, pk = article_id_for(meeting), task_pk(meeting)
    await store.remove_article(services.tables, article_id)
    await tasks.delete_task(services.tables, pk)
    async with services.database.unit() as unit:
        await unindex_article(unit, services, article_id)
    for prefix in (article_prefix(article_id), *task_prefixes(pk)):
        await services.objects.delete_prefix(prefix)


async def _put_version(
    services: Services, meeting: Meeting, recap: Recap, record_url: str, reason: str
) -> tuple[Article, bool]:
    """The article as it is now, and whether it has a new version."""
    article_id, digest = article_id_for(meeting), content_digest(recap)
    existing = await store.find_article(services.tables, article_id, consistent=True)
    if existing is not None and existing.version is not None and existing.content_digest == digest:
        await store.repair_article(services.tables, article_id)
        return existing, False
    number = ((existing.version or 0) if existing else 0) + 1
    asset_url = await save_asset(services, article_id, recap, record_url)
    version = Version(
        id=article_id,
        number=number,
        asset_url=asset_url,
        record_url=record_url,
        content_digest=digest,
        record_digest=meeting.digest,
        title=recap.title,
        made_at=recap.provenance.made_at,
        model=recap.provenance.model,
        prompt_version=recap.provenance.prompt_version,
        reason=reason,
    )
    article = article_from_recap(meeting, recap, asset_url=asset_url, version=number, now=services.clock.now())
    replaces = existing.version if existing else None
    await store.put_article(services.tables, article, version, replaces=replaces)
    return article, True


async def _index_and_announce(services: Services, article: Article, recap: Recap, meeting: Meeting, by: Actor) -> None:
    """Index the article, and record an event unless this version was indexed before."""
    document = search_document(article, recap, meeting)
    entries = await asyncio.to_thread(build_speech_entries, article, recap, meeting)
    async with services.database.unit() as unit:
        if await index_article(unit, services, article, document, entries):
            await record_event(
                unit,
                services,
                by,
                PUBLISHED if article.version == 1 else REMADE,
                article.id,
                title=article.title,
                version=article.version or 1,
                issue_id=meeting.issue_id,
            )
            if article.version == 1:
                await announce_speeches(unit, services, article.id)
