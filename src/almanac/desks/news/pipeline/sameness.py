"""Whether two links are the same page, and whether two articles tell the same story."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from almanac.articles.similarity import ALIKE, bands, likeness
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


async def story_of(unit: Unit, link_id: int, signature: bytes | None, now: datetime) -> int:
    """The story that an article belongs to: that of the most similar recent one, or its own."""
    if signature is None:
        return link_id
    recent = await articles.alike(unit, bands(signature), besides=link_id, since=now - SAME_STORY_WITHIN)
    similar = [(likeness(signature, other), -cluster) for _, cluster, other in recent]
    best = max(similar, default=(0.0, -link_id))
    return -best[1] if best[0] >= ALIKE else link_id
