"""Whether a database holds anything, and whether somebody else is connected to it."""

from almanac.relational import Database, count_other_connections, has_rows


async def test_a_database_in_which_nothing_happened_is_empty(database_url: str) -> None:
    """A migration that writes rows must be told of in `occupancy`, or no restore would go without a question."""
    assert not await has_rows(database_url)


async def test_one_row_anywhere_is_something(database: Database) -> None:
    async with database.unit() as unit:
        await unit.execute('CREATE TABLE "odd Name" (id int); INSERT INTO "odd Name" VALUES (1)')
    assert await has_rows(database.url)


async def test_connections_of_others_are_counted(database: Database) -> None:
    async with database.unit() as unit:
        assert await unit.value("SELECT 1") == 1
        assert await count_other_connections(database.url) >= 1


async def test_nobody_else_is_nobody(database_url: str) -> None:
    assert await count_other_connections(database_url) == 0
