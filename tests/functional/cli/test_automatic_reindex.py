"""An index that an older version built becomes whole when the new version starts, without a command."""

import asyncio
import time

import psycopg
import pytest

from almanac.relational import EmbeddedPostgres

DEADLINE_SECONDS = 30


async def forget_customers(machine):
    """What an older version leaves behind: it had no customers in its index."""
    server = EmbeddedPostgres(machine.folder / "data" / "postgres")
    await server.start()
    async with await psycopg.AsyncConnection.connect(server.url("almanac"), autocommit=True) as connection:
        await connection.execute("DELETE FROM search_documents WHERE kind = 'customer'")
        await connection.execute("DELETE FROM search_rebuilds")
    await server.stop()


def find_acme(machine):
    return [hit["title"] for hit in machine.run("search", "acme", "--kind", "customer", "--json").json["hits"]]


@pytest.mark.lengthy
def test_customers_are_found_after_an_upgrade(idle_machine):
    with idle_machine.database_kept_running():
        idle_machine.run("reminders", "add-customer", "acme", "Acme Ltd", "--email", "acme@example.org")
        idle_machine.run("reminders", "add-invoice", "acme", "A-1", "10.00", "EUR", "2030-01-01")
        assert find_acme(idle_machine) == ["Acme Ltd"]
        asyncio.run(forget_customers(idle_machine))
        assert find_acme(idle_machine) == []
        assert "start Almanac to rebuild it" in idle_machine.run("doctor").out

    idle_machine.serve()
    deadline = time.monotonic() + DEADLINE_SECONDS
    while find_acme(idle_machine) != ["Acme Ltd"]:
        assert time.monotonic() < deadline, "the index never became whole"
    jobs = [finding for finding in idle_machine.run("doctor", "--json").json if finding["name"] == "search"]
    assert jobs[0]["well"]
