"""An installation with something in each of its parts."""

import pytest

from almanac.backup import Backups, FolderPlace, Installation, RetentionPolicy
from almanac.jobs import SCHEMA
from almanac.objects.memory import MemoryObjectStore
from almanac.relational import MIGRATIONS
from tablature.engine.engine import Engine

TABLE = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture
async def filled(database, clock, tmp_path):
    with Engine(tmp_path / "tables.db") as tables:
        installation = Installation(
            database_url=database.url,
            objects=MemoryObjectStore(clock),
            clock=clock,
            folder=tmp_path / "data",
            tables=tables,
            migrations=(SCHEMA, MIGRATIONS),
        )
        async with database.unit() as unit:
            await unit.execute("INSERT INTO news_links (url, url_hash) VALUES ('kept', '1')")
        await installation.objects.put("a/one.txt", bytes(range(256)) * 4000)
        tables.call("CreateTable", TABLE)
        tables.call("PutItem", {"TableName": "things", "Item": {"id": {"S": "1"}}})
        yield installation


@pytest.fixture
def make_backups(filled, database, tmp_path):
    """The backups of that installation, in a folder."""
    (tmp_path / "backups").mkdir()

    def make(passphrase=None):
        place = FolderPlace(tmp_path / "backups", create=False)
        return Backups(filled, database, place, RetentionPolicy(14), passphrase)

    return make
