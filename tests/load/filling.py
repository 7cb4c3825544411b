"""Makes an installation as large as wanted by copying what is in it, straight into PostgreSQL and the table engine.

A call for each item would take hours. Copies differ from what they were made of in their ids, and so in their keys.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection

from almanac.relational import Database
from tablature.engine.encoding.values import item_size
from tablature.engine.engine import Engine
from tablature.engine.storage import Transaction
from tablature.engine.storage.layout import decode_item, encode_item

CHUNK = 20_000
BASE = 10_000_000
# Triggers that announce new rows, and checks of references between them, would take most of the time.
QUICKLY = "SET session_replication_role = replica"
# Adding a million documents to it would take most of the day; making it anew takes minutes.
WORDS = "search_documents_vector"


@dataclass(frozen=True)
class Rows:
    """Rows of a table to copy, those that meet a condition taking turns; `{n}` is the number of a copy."""

    table: str
    columns: Mapping[str, str]
    condition: str = "true"


MADE = f"{BASE} + {{n}}"
# Copies of documents lie five minutes apart, so that a million of them are of nine years; a vector holds its days.
FOUND_ON = "(s.date - {n} * interval '5 minutes')"


def days_of(date: str) -> str:
    """The year, the month and the day of a date, as they stand in a vector."""
    forms = ("YYYY", "YYYY-MM", "YYYY-MM-DD")
    return "ARRAY[" + ", ".join(f"'@' || to_char({date} AT TIME ZONE 'UTC', '{form}')" for form in forms) + "]"


RELATIONAL = (
    Rows(
        "news_links",
        {
            "id": MADE,
            "url": "s.url || '?' || {n}",
            "url_hash": "'made' || {n}",
            "discovered_at": "s.discovered_at - {n} * interval '1 minute'",
        },
        "id IN (SELECT link_id FROM processed_content)",
    ),
    Rows(
        "processed_content",
        {
            "id": MADE,
            "link_id": MADE,
            "cluster": MADE,
            "text_hash": "'made' || {n}",
            "news_date": "s.news_date - mod({n}, 5000)",
        },
    ),
    Rows(
        "search_documents",
        {
            "id": MADE,
            "key": f"({MADE})::text",
            "date": FOUND_ON,
            "moment": "s.moment - {n} * 300000000::bigint",
            "vector": f"ts_delete(s.vector, {days_of('s.date')}) || array_to_tsvector({days_of(FOUND_ON)})",
        },
        "kind LIKE 'news%%' AND date IS NOT NULL",
    ),
    Rows(
        "recap_articles",
        {"number": MADE, "id": "'made' || {n}", "day": "s.day - mod({n}, 10000)", "filed": "s.filed[1:8]"},
    ),
    Rows("recap_cards", {"number": MADE}),
    Rows("habit_people", {"user_id": "'made' || {n}"}),
    Rows("habits", {"id": "'made' || {n}", "owner_id": "'made' || {n}"}),
    Rows("habit_rules", {"habit_id": "'made' || {n}"}),
    Rows("habit_completions", {"habit_id": "'made' || {n}", "owner_id": "'made' || {n}"}),
    Rows("habit_ledger", {"id": MADE, "owner_id": "'made' || {n}", "habit_id": "'made' || {n}"}),
    Rows("procrastinate_jobs", {"id": MADE}, "status = 'succeeded'"),
    Rows("job_details", {"job_id": MADE}, "job_id IN (SELECT id FROM procrastinate_jobs WHERE status = 'succeeded')"),
)
FILED = f"""
INSERT INTO recap_filed (value, place) SELECT unnest(filed), place FROM recap_articles
WHERE number > {BASE} + %(first)s AND number <= {BASE} + %(last)s ON CONFLICT DO NOTHING
"""

TALLIED = f"""
INSERT INTO job_tallies (queue, status, jobs) SELECT queue_name, status, count(*) FROM procrastinate_jobs
WHERE id > {BASE} + %(first)s AND id <= {BASE} + %(last)s GROUP BY queue_name, status
"""


async def fill_relational(database: Database, first: int, last: int) -> None:
    """Rows of numbers above the first, up to the last."""
    async with database.dedicated() as connection:
        await connection.execute(QUICKLY)
        await connection.execute(f"DROP INDEX IF EXISTS {WORDS}")
        for rows in RELATIONAL:
            await copy_rows(connection, rows, first, last)
        await connection.execute("SET maintenance_work_mem = '1GB'")
        await connection.execute(f"CREATE INDEX {WORDS} ON search_documents USING gin (vector)")
        for derived in (FILED, TALLIED):
            await connection.execute(derived, {"first": first, "last": last})
        await connection.execute("VACUUM ANALYZE")


async def copy_rows(connection: AsyncConnection[Any], rows: Rows, first: int, last: int) -> None:
    answer = await connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_generated = 'NEVER'"
        " AND table_schema = 'public'",
        [rows.table],
    )
    names = [name for (name,) in await answer.fetchall()]
    values = [rows.columns.get(name, f"s.{name}").replace("{n}", "n.n") for name in names]
    small = next(column for column, text in rows.columns.items() if "{n}" in text)
    original = f"{rows.condition} AND ({small})::text NOT LIKE 'made%%' AND ({small})::text NOT LIKE '1_______'"
    await connection.execute(
        f"""WITH s AS (SELECT *, row_number() OVER () - 1 AS at_ FROM {rows.table} WHERE {original})
        INSERT INTO {rows.table} ({", ".join(names)}) OVERRIDING SYSTEM VALUE
        SELECT {", ".join(values)} FROM generate_series(%(first)s + 1, %(last)s) AS n (n)
        JOIN s ON s.at_ = n.n %% (SELECT count(*) FROM s)""",
        {"first": first, "last": last},
    )


Renaming = Callable[[int], Mapping[str, str]]


@dataclass(frozen=True)
class Items:
    """Items of a table to copy together, and what their ids become in the copy of a number."""

    table: str
    items: Sequence[Mapping[str, Any]]
    renamed: Renaming


def items_with(engine: Engine, table: str, mark: str) -> list[Mapping[str, Any]]:
    """The items in whose key a mark stands."""
    layout = engine.storage.table(table)
    assert layout is not None
    result = engine.call("Scan", {"TableName": table})["Items"]
    return [item for item in result if mark in str(item[layout.hash_name])]


def fill_items(engine: Engine, items: Items, first: int, last: int) -> None:
    """Copies of numbers above the first, up to the last, in a few large transactions."""
    texts = [encode_item(item).decode() for item in items.items]
    for start in range(first + 1, last + 1, CHUNK):
        numbers = range(start, min(start + CHUNK, last + 1))
        engine.storage.write(lambda transaction, numbers=numbers: _copy(transaction, engine, items, texts, numbers))


def _copy(transaction: Transaction, engine: Engine, items: Items, texts: Sequence[str], numbers: range) -> None:
    layout = engine.storage.table(items.table)
    assert layout is not None
    made = [decode_item(_renamed(text, items.renamed(number))) for number in numbers for text in texts]
    places = [layout.key_of(item) for item in made]
    rows = [(*place, item_size(item), encode_item(item)) for place, item in zip(places, made, strict=True)]
    transaction.connection.executemany(layout.upsert, rows)
    for index in layout.indexes:
        listed = (index.key_of(item, place) for item, place in zip(made, places, strict=True))
        transaction.connection.executemany(index.insert, [entry for entry in listed if entry is not None])


def _renamed(text: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text
