"""Storing what a visit brought, all at once: the article, its story, its place in the search, the link's fate.

Deciding whether pages or stories are the same happens one at a time, so that two workers can't both be the first.
"""

from datetime import datetime
from typing import Any

import msgspec

from almanac.articles.similarity import bands
from almanac.desks.news.announcing import COMPLETED
from almanac.desks.news.fetching.blocking import note_site
from almanac.desks.news.indexing import index_story
from almanac.desks.news.model.articles import LANGUAGES
from almanac.desks.news.model.links import LeasedLink, LinkStatus
from almanac.desks.news.model.urls import url_hash
from almanac.desks.news.pipeline.newsroom import Newsroom
from almanac.desks.news.pipeline.outcomes import Ended, Outcome, Told
from almanac.desks.news.pipeline.sameness import known_elsewhere, story_of
from almanac.desks.news.pipeline.visiting import same_page, text_hash
from almanac.desks.news.store import articles, links
from almanac.desks.news.store.links import Settlement
from almanac.errors import Conflict
from almanac.relational import Unit


class LinkTaken(Conflict):
    """The link is no longer leased to this run; what was read of it is dropped."""

    code = "link_taken"

    def __init__(self) -> None:
        super().__init__("Another worker has this link now.")


async def settle(room: Newsroom, link: LeasedLink, outcome: Outcome) -> LinkStatus:
    """Store the outcome and return how the link stands; LinkTaken, and nothing stored, where the lease is gone."""
    async with room.open_unit() as unit:
        await links.one_at_a_time(unit)
        if isinstance(outcome, Told):
            outcome = await _told(room, unit, link, outcome)
        await _end(room, unit, link, outcome)
    return outcome.settlement.status


async def _told(room: Newsroom, unit: Unit, link: LeasedLink, told: Told) -> Ended:
    hashes = {url_hash(one): one for one in told.identities}
    other = await known_elsewhere(unit, link.id, list(hashes))
    if other is not None:
        return same_page(other)
    for hashed, address in hashes.items():
        if await links.find_by_hash(unit, [hashed]) is None:
            await links.add_alias(unit, link.id, address, hashed)
    now = room.services.clock.now()
    story = await story_of(unit, link.id, told.page.signature, now)
    await articles.put_article(unit, _article(link, told, story, now), now)
    settlement = Settlement(
        status=LinkStatus.COMPLETED, etag=told.conditions.etag, last_modified=told.conditions.last_modified
    )
    return Ended(settlement=settlement, site="answered", answer=told.answer)


async def _end(room: Newsroom, unit: Unit, link: LeasedLink, outcome: Ended) -> None:
    services, now = room.services, room.services.clock.now()
    keep = links.settle_link if outcome.uses_attempt else links.postpone_link
    if not await keep(unit, link.id, room.lease, outcome.settlement, now):
        raise LinkTaken
    await note_site(unit, services, link, outcome)
    if outcome.settlement.status == LinkStatus.COMPLETED:
        await _publish(room, unit, link)


async def _publish(room: Newsroom, unit: Unit, link: LeasedLink) -> None:
    """The story is found from now on; one told by several is listed once, by its first article."""
    services = room.services
    article = await articles.find_article(unit, link.id)
    assert article is not None
    await index_story(unit, services.search, [article.cluster])
    if article.cluster != link.id:
        await services.search.remove(unit, "news", [str(link.id)])
    await services.webhooks.publish(
        unit, COMPLETED,
        {"id": article.id, "url": article.url, "title": article.title, "titles": dict(article.titles),
         "tags": article.tags, "country": article.country, "news_date": str(article.news_date or "") or None,
         "story": article.cluster, "language": article.language},
    )  # fmt: skip


def _article(link: LeasedLink, told: Told, story: int, now: datetime) -> articles.NewArticle:
    page, written = told.page, told.written
    own = written.point_form(page.language)
    return articles.NewArticle(
        link_id=link.id,
        title=page.title or link.title or link.url,
        titles={name: text for name, text in written.headlines.items() if name in LANGUAGES},
        content="\n".join(f"- {line}" for line in own),
        bullets={language: written.point_form(language) for language in LANGUAGES},
        tags=told.tags,
        country=page.country,
        news_date=page.published or link.published,
        metadata=_metadata(link, told, now),
        article=page.text,
        language=page.language,
        text_hash=text_hash(page.text),
        cluster=story,
        signature=page.signature,
        bands=bands(page.signature) if page.signature else None,
    )


def _metadata(link: LeasedLink, told: Told, now: datetime) -> dict[str, Any]:
    page, written = told.page, told.written
    return {
        "source_domain": link.domain,
        "language": page.language,
        "words": len(page.text.split()),
        "date_from": "page" if page.published else "source" if link.published else None,
        "translations": dict(written.states),
        "points": msgspec.to_builtins(written.bullets),
        "writer": written.writer,
        "prompt_version": written.prompt_version,
        "cost": written.cost,
        "dropped": list(written.dropped),
        "read_at": now.isoformat(),
    }
