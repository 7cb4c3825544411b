"""Every read and write of who cites what, by name. It follows from the documents that cite, and can be made again."""

from collections.abc import Iterable

from almanac.citations.model import Place, Use
from almanac.relational import Reading, Unit, load_queries

QUERIES = load_queries(__package__)


async def note_uses(unit: Unit, code: str, uses: Iterable[tuple[Place, Use]]) -> None:
    """What a document cites from now on, in place of what it cited before."""
    await unit.execute(QUERIES["forget_uses"], {"code": code})
    for place, use in uses:
        await unit.execute(
            QUERIES["note_use"],
            {
                "code": code,
                "passage": use.passage,
                "desk": place.desk,
                "item": place.item,
                "part": place.part,
                "title": use.title,
                "path": use.path,
                "owner_id": use.owner_id,
                "quote": use.quote,
                "now": use.cited_at,
            },
        )


async def forget_uses(unit: Unit, code: str) -> None:
    """A document is gone."""
    await unit.execute(QUERIES["forget_uses"], {"code": code})


async def uses_of(reading: Reading, desk: str, item: str, *, owner_id: str | None, limit: int = 50) -> list[Use]:
    """Who cites an item, the latest first; of all owners where none is given."""
    given = {"desk": desk, "item": item, "owner_id": owner_id, "limit": limit}
    return await reading.all(QUERIES["uses_of_item"], given, into=Use)
