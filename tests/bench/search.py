"""Search over 100,000 documents: how fast they are indexed and found, beside plain to_tsvector('simple') in one run.

Both answer the same question: the best twenty of what has two words and a country, the total, and two facets counted.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from almanac.jobs import SCHEMA
from almanac.relational import MIGRATIONS, Database, EmbeddedPostgres, Unit, migrate
from almanac.search import SearchDocument, SearchViewer
from almanac.search.postgres import PostgresIndex
from measure import Line

DOCUMENTS, BATCH, QUERIES = 100_000, 1000, 300
WORDS, VOCABULARY = (60, 180), 20_000
COUNTRIES, TAGS = ("my", "sg", "jp", "cn", "id", "th"), [f"topic {number}" for number in range(60)]
VIEWER = SearchViewer("somebody", frozenset({"desk.news.read"}))
PLAIN = """
CREATE TABLE plain (
    id text PRIMARY KEY, title text, body text, date timestamptz, country text, tags text[],
    vector tsvector GENERATED ALWAYS AS
        (setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', body)) STORED
);
CREATE INDEX plain_vector ON plain USING gin (vector);
CREATE INDEX plain_country ON plain (country);
"""
PLAIN_PUT = """
INSERT INTO plain (id, title, body, date, country, tags)
SELECT id, title, body, date, country, string_to_array(tags, '|')
FROM unnest(%(id)s::text[], %(title)s::text[], %(body)s::text[], %(date)s::timestamptz[], %(country)s::text[],
    %(tags)s::text[]) AS given (id, title, body, date, country, tags)
"""
PLAIN_BEST = """
SELECT id, title, ts_headline('simple', body, query), ts_rank_cd(vector, query, 1) AS score
FROM plain, to_tsquery('simple', %(words)s) AS query
WHERE vector @@ query AND country = %(country)s ORDER BY score DESC, date DESC LIMIT 20
"""
PLAIN_TAGS = """
SELECT tag, count(*) FROM plain, unnest(tags) AS tag
WHERE vector @@ to_tsquery('simple', %(words)s) AND country = %(country)s GROUP BY tag ORDER BY 2 DESC
"""
PLAIN_COUNTRIES = """
SELECT country, count(*) FROM plain
WHERE vector @@ to_tsquery('simple', %(words)s) AND country = %(country)s GROUP BY country
"""

Question = tuple[str, str, str]


def lines(folder: Path) -> list[Line]:
    # As root, PostgreSQL runs under an account of its own that must be able to pass through.
    folder.chmod(0o755)
    return asyncio.run(measured(folder))


async def measured(folder: Path) -> list[Line]:
    documents = list(corpus())
    questions = questions_about(documents)
    async with EmbeddedPostgres(folder / "postgres") as url:
        await migrate(url, SCHEMA, MIGRATIONS)
        async with Database(url) as database:
            index = PostgresIndex(database, cursor_key=b"benchmark")
            ours = await indexing(database, documents, index.put)
            async with database.unit() as unit:
                await unit.connection.execute(PLAIN)
            plain = await indexing(database, documents, put_plain)
            async with database.dedicated() as connection:
                await connection.execute("VACUUM (ANALYZE) plain, search_documents")
            result = await answering(questions, lambda question: ask(index, question))
            found_plain = await answering(questions, lambda question: ask_plain(database, question))
    return [
        Line("documents indexed a second", f"{ours:,.0f}, plain {plain:,.0f}", ours, 1000),
        Line("answer p95, ms", figures(result), at(result, 0.95), 100, at_most=True),
        Line("answer p95 against plain", figures(found_plain), at(found_plain, 0.95) / at(result, 0.95), 1),
    ]


def corpus() -> Iterator[SearchDocument]:
    """Texts with words as unevenly frequent as in real ones; a tenth of them in Japanese characters."""
    chance = random.Random(7)
    words = ["".join(chance.choices("aeioubdgklmnprst", k=chance.randint(3, 9))) for _ in range(VOCABULARY)]
    characters = [chr(chance.randint(0x4E00, 0x5E00)) for _ in range(1500)]
    weights = list(accumulate(1 / (place + 8) for place in range(VOCABULARY)))
    start = datetime(2024, 1, 1, tzinfo=UTC)
    for number in range(DOCUMENTS):
        text = chance.choices(words, cum_weights=weights, k=chance.randint(*WORDS))
        if number % 10 == 0:
            text = ["".join(chance.choices(characters, k=12)) for _ in range(12)] + text[:10]
        yield SearchDocument(
            kind="news.article",
            id=str(number),
            title=" ".join(text[:8]),
            body=" ".join(text[8:]),
            path=f"/{number}",
            date=start + timedelta(minutes=10 * number),
            language="ja" if number % 10 == 0 else "ms",
            facets={"country": (chance.choice(COUNTRIES),), "tag": tuple(chance.sample(TAGS, 3))},
            permission="desk.news.read",
        )


def questions_about(documents: list[SearchDocument]) -> list[Question]:
    """Two words of one document, so that frequent words are asked for as often as they are written, and a country."""
    chance = random.Random(11)
    chosen = [chance.choice(documents) for _ in range(QUERIES)]
    return [(*chance.sample(sorted(set(document.body.split())), 2), chance.choice(COUNTRIES)) for document in chosen]


async def indexing(database: Database, documents: list[SearchDocument], put: Callable[..., Awaitable[None]]) -> float:
    """Documents a second, in transactions of a thousand."""
    start = time.perf_counter()
    for first in range(0, len(documents), BATCH):
        async with database.unit() as unit:
            await put(unit, *documents[first : first + BATCH])
    return len(documents) / (time.perf_counter() - start)


async def put_plain(unit: Unit, *documents: SearchDocument) -> None:
    columns = {name: [getattr(document, name) for document in documents] for name in ("id", "title", "body", "date")}
    columns["country"] = [document.facets["country"][0] for document in documents]
    columns["tags"] = ["|".join(document.facets["tag"]) for document in documents]
    await unit.execute(PLAIN_PUT, columns)


async def answering(questions: list[Question], ask_one: Callable[[Question], Awaitable[None]]) -> list[float]:
    """Milliseconds for each question, in rising order."""
    for question in questions[:20]:
        await ask_one(question)
    taken = []
    for question in questions:
        start = time.perf_counter()
        await ask_one(question)
        taken.append(1000 * (time.perf_counter() - start))
    return sorted(taken)


async def ask(index: PostgresIndex, question: Question) -> None:
    first, second, country = question
    results = await index.find(
        f"{first} {second}", viewer=VIEWER, filters={"country": [country]}, facets=["tag", "country"]
    )
    assert len(results.hits) == min(20, results.total)


async def ask_plain(database: Database, question: Question) -> None:
    first, second, country = question
    params = {"words": f"'{first}' & '{second}'", "country": country}
    async with database.unit() as unit:
        await unit.all(PLAIN_BEST, params)
        await unit.all(PLAIN_TAGS, params)
        await unit.all(PLAIN_COUNTRIES, params)


def at(taken: list[float], part: float) -> float:
    return taken[int(part * len(taken))]


def figures(taken: list[float]) -> str:
    return f"p50 {at(taken, 0.5):.1f}, p95 {at(taken, 0.95):.1f}, worst {taken[-1]:.1f} ms of {len(taken)}"
