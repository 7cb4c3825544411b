"""The newsletter table in memory with a store for large values, and newsletters in it."""

import pytest

from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.configuration import ConfigurationEdit, configured
from almanac.desks.newsletter.table import newsletters
from tablature import MemoryObjects
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded


@pytest.fixture
def objects():
    return MemoryObjects()


@pytest.fixture
async def tables(objects, clock):
    with Embedded.memory() as transport:
        database = AsyncDatabase(transport, objects=objects, clock=clock.now)
        await database.admin.create_table(newsletters)
        yield database


@pytest.fixture
def stored_items(tables):
    """Everything in the table, by key, as the service holds it."""

    async def read():
        found = await tables.transport.send_async("Scan", {"TableName": "newsletter"})
        return {(item["PK"]["S"], item["SK"]["S"]): item for item in found["Items"]}

    return read


@pytest.fixture
def begin(tables, clock):
    """Newsletters with sensible defaults."""

    async def create(title="Digest", owner="user123", **more):
        configuration = configured(ConfigurationEdit(title=title))
        return await store.create_newsletter(tables, configuration, owner_id=owner, now=clock.now(), **more)

    return create
