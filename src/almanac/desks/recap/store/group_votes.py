"""Official votes by group in PostgreSQL."""

from collections.abc import Sequence
from datetime import date

import msgspec

from almanac.desks.recap.model.group_votes import OfficialVote
from almanac.desks.recap.store.register import QUERIES
from almanac.kit.json_text import encode_json
from almanac.relational import ReadTransaction, Unit


async def put_votes(unit: Unit, house: str, votes: Sequence[OfficialVote]) -> None:
    """Add votes of a house, or replace those that are there."""
    await unit.execute(
        QUERIES["put_group_votes"],
        {
            "house": house,
            "days": [vote.day for vote in votes],
            "titles": [vote.title for vote in votes],
            "totals": [vote.total for vote in votes],
            "in_favour": [vote.in_favour for vote in votes],
            "against": [vote.against for vote in votes],
            "groups": [encode_json(vote.groups).decode() for vote in votes],
            "sources": [vote.source for vote in votes],
        },
    )


async def list_votes(reading: ReadTransaction, house: str, day: date) -> list[OfficialVote]:
    """The votes of a house on a day."""
    rows = await reading.all(QUERIES["list_group_votes"], {"house": house, "day": day})
    return msgspec.convert(rows, list[OfficialVote])
