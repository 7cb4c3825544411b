"""Deduplication: whether two links are the same page, and whether two articles report the same story."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from almanac.articles.similarity import SIMILARITY_THRESHOLD, estimate_similarity, lsh_bands
from almanac.desks.news.model.canonical_urls import url_hash
from almanac.desks.news.model.links import LeasedLink, LinkCause, LinkStatus
from almanac.desks.news.pipeline.outcome import LinkEnded
from almanac.desks.news.store import articles, links
from almanac.desks.news.store.links import LinkUpdate
from almanac.relational import Unit

SAME_STORY_WITHIN = timedelta(days=14)
_LONGEST_CHAIN = 10


def has_single_url(link: LeasedLink, urls: Sequence[str]) -> bool:
    """Whether the page's only address is the link's own, which the table keeps unique."""
    return len(urls) == 1 and url_hash(urls[0]) == link.url_hash


async def find_duplicate(unit: Unit, link_id: int, hashes: Sequence[str]) -> int | None:
    """Another link that has one of these addresses already, or None. Guards against duplicate_of cycles."""
    for hashed in hashes:
        original = await _find_original(unit, hashed)
        if original is not None and original != link_id:
            return original
    return None


async def _find_original(unit: Unit, hashed: str) -> int | None:
    """The link with this hash, following duplicate_of."""
    link = await links.find_link_by_hash(unit, [hashed])
    for _ in range(_LONGEST_CHAIN):
        if link is None or link.duplicate_of is None:
            break
        link = await links.find_link(unit, link.duplicate_of) or link
    return link.id if link else None


def mark_duplicate(original: int) -> LinkEnded:
    """The outcome of a link that is another address of the link `original`."""
    update = LinkUpdate(
        status=LinkStatus.DUPLICATE,
        cause=LinkCause.SAME_PAGE,
        duplicate_of=original,
        reason=f"It is another address of link {original}.",
    )
    return LinkEnded(update=update, site="answered")


async def group_by_story(unit: Unit, signatures: Mapping[int, bytes | None], now: datetime) -> dict[int, int]:
    """The story of each link: that of the most similar recent article, stored or in this batch, or its own id."""
    bands = {link_id: lsh_bands(signature) for link_id, signature in signatures.items() if signature is not None}
    stored = await articles.find_similar_articles(unit, bands, since=now - SAME_STORY_WITHIN) if bands else {}
    stories: dict[int, int] = {}
    # Oldest first, so that a story has the id of its first article.
    for link_id in sorted(signatures):
        signature = signatures[link_id]
        if signature is None:
            stories[link_id] = link_id
            continue
        own = set(bands[link_id])
        in_batch = [(story, signatures[other]) for other, story in stories.items() if own & set(bands.get(other, ()))]
        stories[link_id] = _most_similar_story(signature, [*stored.get(link_id, []), *in_batch]) or link_id
    return stories


def _most_similar_story(signature: bytes, others: Sequence[tuple[int, bytes | None]]) -> int | None:
    similar = [(estimate_similarity(signature, other), -story) for story, other in others if other is not None]
    best = max(similar, default=(0.0, 0))
    return -best[1] if best[0] >= SIMILARITY_THRESHOLD else None
