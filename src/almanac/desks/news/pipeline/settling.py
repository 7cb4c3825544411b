"""Storing what a visit brought, all at once: the article, its story, its place in the search, the link's fate.

Deciding whether pages or stories are the same happens one at a time, so that two workers can't both be the first.
"""

from datetime import datetime
from typing import Any

import msgspec

from almanac.articles.similarity import bands
from almanac.desks.news.announcing import COMPLETED
from almanac.desks.news.fetching.blocking import note_site
from almanac.desks.news.indexing import KIND, index_story
from almanac.desks.news.model.articles import LANGUAGES
from almanac.desks.news.model.links import LeasedLink, LinkStatus
from almanac.desks.news.model.urls import url_hash
from almanac.desks.news.pipeline.newsroom import Newsroom
from almanac.desks.news.pipeline.outcomes import Ended, Outcome, Told
from almanac.desks.news.pipeline.sameness import known_elsewhere, story_of
from almanac.desks.news.pipeline.visiting import is_alone, same_page, text_hash
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
        if isinstance(outcome, Ended):
            await _end(room, unit, link, outcome)
            return outcome.settlement.status
        await links.one_at_a_time(unit)
        if (other := await _known_elsewhere(unit, link, outcome)) is not None:
            await _end(room, unit, link, same_page(other))
            return LinkStatus.DUPLICATE
        await _tell(room, unit, link, outcome)
    return LinkStatus.COMPLETED


async def _known_elsewhere(unit: Unit, link: LeasedLink, told: Told) -> int | None:
    """The link that the page is known by already; otherwise all its addresses are this link's from now on."""
    if is_alone(link, told.identities):
        return None
    hashes = {url_hash(one): one for one in told.identities}
    other = await known_elsewhere(unit, link.id, list(hashes))
    if other is None:
        for hashed, address in hashes.items():
            if await links.find_by_hash(unit, [hashed]) is None:
                await links.add_alias(unit, link.id, address, hashed)
    return other


async def _end(room: Newsroom, unit: Unit, link: LeasedLink, outcome: Ended) -> None:
    services, now = room.services, room.services.clock.now()
    keep = links.settle_link if outcome.uses_attempt else links.postpone_link
    if not await keep(unit, link.id, room.lease, outcome.settlement, now):
        raise LinkTaken
    await note_site(unit, services, link, outcome)


async def _tell(room: Newsroom, unit: Unit, link: LeasedLink, told: Told) -> None:
    """Store the article. A story told by several is found once, by its first article."""
    services, now = room.services, room.services.clock.now()
    story = await story_of(unit, link.id, told.page.signature, now)
    article = _article(link, told, story, now)
    await articles.put_article(unit, article, now)
    settlement = Settlement(
        status=LinkStatus.COMPLETED, etag=told.conditions.etag, last_modified=told.conditions.last_modified
    )
    await _end(room, unit, link, Ended(settlement=settlement, site="answered", answer=told.answer))
    await index_story(unit, services.search, [story])
    if story != link.id:
        await services.search.remove(unit, KIND.name, [str(link.id)])
    await services.webhooks.publish(unit, COMPLETED, _announced(link, article))


def _announced(link: LeasedLink, article: articles.NewArticle) -> dict[str, object]:
    return {
        "id": link.id,
        "url": link.url,
        "title": article.title,
        "titles": dict(article.titles),
        "tags": list(article.tags),
        "country": article.country,
        "news_date": article.news_date.isoformat() if article.news_date else None,
        "story": article.cluster,
        "language": article.language,
    }


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
