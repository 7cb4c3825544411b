"""The newsletter table in memory with an object store, and newsletters in it."""

import pytest

from almanac.desks.newsletter.model.configuration import ConfigurationEdit, new_configuration
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store.table import newsletters
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
        response = await tables.transport.send_async("Scan", {"TableName": "newsletter"})
        return {(item["PK"]["S"], item["SK"]["S"]): item for item in response["Items"]}

    return read


@pytest.fixture
def begin(tables, clock):
    """Newsletters with sensible defaults."""

    async def create(title="Digest", owner="user123", **more):
        configuration = new_configuration(ConfigurationEdit(title=title))
        return await newsletter_store.create_newsletter(tables, configuration, owner_id=owner, now=clock.now(), **more)

    return create
