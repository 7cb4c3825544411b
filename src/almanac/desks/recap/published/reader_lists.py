"""Reads for the pages behind links in mails: what is asked, and what one reader follows."""

from dataclasses import dataclass
from datetime import datetime

from almanac.desks.recap.published.store import QUERIES
from almanac.relational import Database
from almanac.subscribers.links import TO_CONFIRM


@dataclass(frozen=True, slots=True)
class AskedAlert:
    """What somebody is asked to confirm."""

    label: str
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class ReaderAlert:
    """Something that a reader follows by mail."""

    id: str
    kind: str
    target: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderList:
    """A reader as their own page shows them, with enough of the address to recognise it."""

    id: str
    address: str
    language: str
    frequency: str
    alerts: list[ReaderAlert]


async def find_asked_alert(database: Database, subscription_id: str, now: datetime) -> AskedAlert | None:
    """What a link asks to confirm; None if it came too late."""
    params = {"id": subscription_id, "since": now - TO_CONFIRM}
    async with database.reading() as reading:
        return await reading.one(QUERIES["find_asked_alert"], params, into=AskedAlert)


async def find_reader_list(database: Database, reader_id: str, generation: int) -> ReaderList | None:
    """What a reader follows; None if the link to it is no longer valid."""
    async with database.reading() as reading:
        row = await reading.one(QUERIES["find_reader"], {"id": reader_id, "generation": generation})
        if row is None:
            return None
        alerts = await reading.all(QUERIES["list_reader_alerts"], {"id": reader_id}, into=ReaderAlert)
    local, _, domain = row["email"].rpartition("@")
    return ReaderList(
        id=row["id"],
        address=f"{local[:1]}…@{domain}",
        language=row["language"],
        frequency=row["frequency"],
        alerts=alerts,
    )
