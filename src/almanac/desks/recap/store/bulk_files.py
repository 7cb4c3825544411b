"""The files of whole sessions: which there are, what they were made from, and the figures that they gave."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from almanac.desks.recap.model.bulk import BulkFigures
from almanac.desks.recap.store.register import QUERIES
from almanac.relational import Unit


@dataclass(frozen=True, slots=True)
class SessionStamp:
    """A session of the register; the stamp changes whenever an article is added, changed or gone."""

    session: int
    stamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBulkFile:
    """A file that was made: where its content is kept, how many lines and bytes it has, and their SHA-256."""

    name: str
    content: str
    key: str
    lines: int
    size: int
    digest: str


async def list_session_stamps(unit: Unit) -> list[SessionStamp]:
    """The sessions as the register has them now."""
    return await unit.all(QUERIES["list_session_stamps"], into=SessionStamp)


async def list_made_sessions(unit: Unit) -> dict[int, str]:
    """The stamps that the files of each session were made from."""
    return {row["session"]: row["stamp"] for row in await unit.all(QUERIES["list_made_sessions"])}


async def list_session_articles(unit: Unit, session: int) -> list[str]:
    """The ids of a session's articles, the oldest first."""
    return [row["id"] for row in await unit.all(QUERIES["list_session_articles"], {"session": session})]


async def replace_files(
    unit: Unit, stamp: SessionStamp, figures: BulkFigures, files: Sequence[StoredBulkFile], now: datetime
) -> list[str]:
    """Put the new files of a session in the place of the old ones; returns the keys of the old ones."""
    gone = await delete_files(unit, stamp.session)
    await unit.execute(
        QUERIES["insert_bulk_session"],
        {
            "session": stamp.session,
            "stamp": stamp.stamp,
            "articles": figures.articles,
            "speeches": figures.speeches,
            "decisions": figures.decisions,
            "unbound": figures.unbound,
            "corrections": figures.corrections,
            "origins": sorted(figures.origins),
            "now": now,
        },
    )
    for file in files:
        await unit.execute(QUERIES["insert_bulk_file"], {**asdict(file), "session": stamp.session, "now": now})
    return gone


async def delete_files(unit: Unit, session: int) -> list[str]:
    """Forget the files of a session; returns their keys."""
    rows = await unit.all(QUERIES["list_bulk_keys"], {"session": session})
    await unit.execute(QUERIES["delete_bulk_session"], {"session": session})
    return [row["key"] for row in rows]


async def record_open_reports(unit: Unit, count: int, now: datetime) -> None:
    """Remember how many error reports are open, for readers who may not see them."""
    await unit.execute(QUERIES["record_open_reports"], {"count": count, "now": now})
