"""Whether two links are the same page, and whether two articles tell the same story."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from almanac.articles.similarity import SIMILARITY_THRESHOLD, estimate_similarity, lsh_bands
from almanac.desks.news.store import articles, links
from almanac.relational import Unit

SAME_STORY_WITHIN = timedelta(days=14)
_LONGEST_CHAIN = 10


async def known_elsewhere(unit: Unit, link_id: int, hashes: Sequence[str]) -> int | None:
    """The link that the page is known by already, if that is another one. Two that name each other are not lost."""
    for one in hashes:
        other = await _root(unit, one)
        if other is not None and other != link_id:
            return other
    return None


async def _root(unit: Unit, url_hash: str) -> int | None:
    """The link behind a hash, through links that turned out to be other addresses."""
    found = await links.find_by_hash(unit, [url_hash])
    for _ in range(_LONGEST_CHAIN):
        if found is None or found.duplicate_of is None:
            break
        found = await links.find_link(unit, found.duplicate_of) or found
    return found.id if found else None


async def stories_of(unit: Unit, signed: Mapping[int, bytes | None], now: datetime) -> dict[int, int]:
    """The story that each article belongs to: that of the most similar recent one, stored or of these, or its own."""
    keys = {link_id: lsh_bands(signature) for link_id, signature in signed.items() if signature is not None}
    stored = await articles.alike(unit, keys, since=now - SAME_STORY_WITHIN) if keys else {}
    stories: dict[int, int] = {}
    # The oldest first, so that a story is named after who told it first.
    for link_id in sorted(signed):
        signature = signed[link_id]
        if signature is None:
            stories[link_id] = link_id
            continue
        own = set(keys[link_id])
        beside = [(story, signed[other]) for other, story in stories.items() if own & set(keys.get(other, ()))]
        stories[link_id] = _most_alike(signature, [*stored.get(link_id, []), *beside]) or link_id
    return stories


def _most_alike(signature: bytes, others: Sequence[tuple[int, bytes | None]]) -> int | None:
    similar = [(estimate_similarity(signature, other), -story) for story, other in others if other is not None]
    best = max(similar, default=(0.0, 0))
    return -best[1] if best[0] >= SIMILARITY_THRESHOLD else None
