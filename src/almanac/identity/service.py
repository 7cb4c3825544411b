"""Gives an installation its id, marks its object storage with it, and finds what belongs to another one."""

import logging
from dataclasses import dataclass
from datetime import datetime

from almanac.errors import NotFound
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.signatures import derive_key
from almanac.objects import ObjectStore
from almanac.relational import Database, load_queries

MARKER = "installation.txt"
QUERIES = load_queries(__package__)
_SHOWN_LETTERS = 16

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class InstallationRecord:
    """The id of the installation, and the fingerprint of the secret key that it was started with."""

    id: str
    secret_fingerprint: str


@dataclass(frozen=True, slots=True)
class MissingObjects:
    """How many of the sampled objects that rows name aren't in object storage."""

    missing: int
    sampled: int


def fingerprint(secret: bytes) -> str:
    """Tells secret keys apart without telling anything about them."""
    return derive_key(secret, "fingerprint").hex()[:_SHOWN_LETTERS]


async def announce_installation(database: Database, objects: ObjectStore, secret: bytes, clock: Clock) -> None:
    """Give the installation an id on its first start, and mark its object storage.

    A store that lacks objects which rows name is left unmarked: it is the wrong one, or was emptied.
    """
    async with database.unit() as unit:
        params = {"id": new_id(), "fingerprint": fingerprint(secret), "now": clock.now()}
        await unit.execute(QUERIES["add_installation"], params)
    record = await find_installation(database)
    if record is None:
        return
    if record.secret_fingerprint != fingerprint(secret):
        logger.warning("The secret key isn't the one that this installation was started with; run `almanac doctor`.")
    marker = await read_marker(objects)
    if marker is None and (await find_missing_objects(database, objects)).missing == 0:
        await objects.put(MARKER, record.id.encode())
    elif marker != record.id:
        logger.warning("The object storage isn't the one of this installation; run `almanac doctor`.")


async def find_installation(database: Database) -> InstallationRecord | None:
    """The record of this installation; None before its first start."""
    async with database.reading() as reading:
        return await reading.one(QUERIES["find_installation"], into=InstallationRecord)


async def accept_secret(database: Database, secret: bytes) -> None:
    """Take over a secret key that was changed on purpose."""
    async with database.unit() as unit:
        await unit.execute(QUERIES["accept_secret"], {"fingerprint": fingerprint(secret)})


async def read_marker(objects: ObjectStore) -> str | None:
    """The id of the installation that the store belongs to; None if it is unmarked."""
    try:
        return (await objects.get(MARKER)).decode("utf-8", "replace").strip()
    except NotFound:
        return None


async def find_missing_objects(database: Database, objects: ObjectStore) -> MissingObjects:
    """Look for a few objects that rows name."""
    async with database.reading() as reading:
        rows = await reading.all(QUERIES["sample_object_keys"])
    missing = 0
    for row in rows:
        try:
            await objects.head(row["object_key"])
        except NotFound:
            missing += 1
    return MissingObjects(missing, len(rows))


async def read_clock(database: Database) -> datetime:
    """What time it is at the database."""
    async with database.reading() as reading:
        moment: datetime = await reading.value(QUERIES["database_clock"])
        return moment
