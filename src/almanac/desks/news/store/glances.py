"""What the home page asks of the news: stories by day, the newest one, and how many links stand where."""

from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.news.store.rows import QUERIES, in_utc
from almanac.relational import Reading


@dataclass(frozen=True, slots=True)
class Named:
    """A story or a link by its title, and since when it stands as it does."""

    id: int
    title: str
    at: datetime | None
    reason: str | None = None
    count: int = 1


async def stories_by_day(reading: Reading, after: date) -> dict[date, int]:
    """How many stories are dated on which day, after one; a date that is no day, such as `infinity`, is left out."""
    rows = await reading.all(QUERIES["stories_by_day"], {"after": after})
    return {row["day"]: row["stories"] for row in rows if row["day"] is not None}


async def newest_story(reading: Reading) -> Named | None:
    """The story with the latest date."""
    return await reading.one(QUERIES["newest_story"], into=in_utc(Named))


async def count_links(reading: Reading, status: str, *, upto: int) -> int:
    """How many links have a status; counting stops at a number, so that it costs the same however many there are."""
    return int(await reading.value(QUERIES["count_links_upto"], {"status": status, "upto": upto}))


async def failed_links(reading: Reading, *, upto: int) -> Named | None:
    """The failed link that nobody has looked after for the longest, with how many there are, up to a number."""
    return await reading.one(QUERIES["failed_links"], {"upto": upto}, into=in_utc(Named))
