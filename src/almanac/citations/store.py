"""Every read and write of which document cites which item. It follows from the documents and can be rebuilt."""

from collections.abc import Iterable

from almanac.accounts.model import Principal
from almanac.accounts.permissions import desk_permission
from almanac.citations.model import PassageCitation, PassageLocation
from almanac.relational import Database, ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


async def replace_citations(
    unit: Unit, code: str, citations: Iterable[tuple[PassageLocation, PassageCitation]]
) -> None:
    """Store what a document cites, in place of everything it cited before."""
    await unit.execute(QUERIES["delete_citations"], {"code": code})
    for place, citation in citations:
        await unit.execute(
            QUERIES["insert_citation"],
            {
                "code": code,
                "passage": citation.passage,
                "desk": place.desk,
                "item": place.item,
                "part": place.part,
                "title": citation.title,
                "path": citation.path,
                "owner_id": citation.owner_id,
                "quote": citation.quote,
                "now": citation.cited_at,
            },
        )


async def delete_citations(unit: Unit, code: str) -> None:
    """Delete the citations of a document; no error if it has none."""
    await unit.execute(QUERIES["delete_citations"], {"code": code})


async def list_citations(
    reading: ReadTransaction, desk: str, item: str, *, owner_id: str | None, limit: int = 50
) -> list[PassageCitation]:
    """Who cites an item, the latest first; documents of all owners if `owner_id` is None."""
    params = {"desk": desk, "item": item, "owner_id": owner_id, "limit": limit}
    return await reading.all(QUERIES["list_item_citations"], params, into=PassageCitation)


async def list_visible_citations(
    database: Database, principal: Principal, desk: str, item: str
) -> list[PassageCitation]:
    """Which newsletters cite an item, each once, the latest first: the desk's administrators see all, others their own;
    nobody who may not read the newsletter desk sees any.
    """
    if not principal.may(desk_permission("newsletter", "read")):
        return []
    owner = None if principal.may(desk_permission("newsletter", "administer")) else principal.user_id
    async with database.reading() as reading:
        citations = await list_citations(reading, desk, item, owner_id=owner)
    return list({citation.code: citation for citation in reversed(citations)}.values())[::-1]


async def hand_over_citations(unit: Unit, from_id: str, to_id: str) -> None:
    """The documents of one person are another's now."""
    await unit.execute(QUERIES["hand_over_citations"], {"from_id": from_id, "to_id": to_id})
