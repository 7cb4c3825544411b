"""The index on PostgreSQL and the one that compares plainly find the same documents, whatever is asked."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from almanac.search import UNRESTRICTED_VIEWER, DocumentKind, SearchDocument, SearchViewer
from almanac.search.memory import MemoryIndex
from almanac.search.postgres import PostgresIndex

WORDS = [
    *"rice harvest growing grown economic economies 3,000 don't café".split(),
    "日本",
    "経済",
    "国会",
    "ｱｼﾞｱ",
    "O'Neil",
]
TAGS = ["Rice", "ＲＩＣＥ", "trade policy", "a'b\\c", "日本"]
KIND = DocumentKind("note", "Note", "Notes", {"tag": "Tag"})
START = datetime(2025, 11, 1, tzinfo=UTC)


def document(chance: random.Random, number: int) -> SearchDocument:
    text = ["".join(chance.choices(WORDS, k=chance.randint(1, 2))) for _ in range(chance.randint(0, 12))]
    return SearchDocument(
        kind="note",
        id=f"{number:02}",
        title=" ".join(text[:3]),
        body=" ".join(text[3:]),
        path="/",
        date=START + timedelta(days=chance.randint(0, 120)) if chance.random() < 0.8 else None,
        facets={"tag": tuple(chance.sample(TAGS, chance.randint(0, 2)))},
        language=chance.choice(["en", "ja", ""]),
        owner=chance.choice([None, "ada", "ben"]),
        permission=chance.choice([None, "desk.news.read"]),
    )


def condition(chance: random.Random, depth: int = 0) -> str:
    match chance.randint(0, 9 if depth < 3 else 6):
        case 0 | 1 | 2:
            return chance.choice(WORDS)
        case 3:
            return f'"{chance.choice(WORDS)} {chance.choice(WORDS)}"'
        case 4:
            return f"tag:{quoted(chance.choice(TAGS))}"
        case 5:
            return chance.choice(["date:2025-11-15..2026-01-20", "after:2026-01", "before:2025-12-24", "date:2026"])
        case 6:
            return chance.choice(["lang:ja", "title:rice", 'title:"rice harvest"', "国", "title:国"])
        case 7:
            return f"({condition(chance, depth + 1)} OR {condition(chance, depth + 1)})"
        case 8:
            return f"({condition(chance, depth + 1)} {condition(chance, depth + 1)})"
    return f"rice -{condition(chance, depth + 1)}"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\") + '"'


@pytest.mark.parametrize(("seed", "counted"), [(0, 10_000), (1, 10_000), (2, 10_000), (3, 6), (4, 6), (5, 20)])
async def test_the_same_documents_are_found(database, seed, counted):
    chance = random.Random(seed)
    real, plain = PostgresIndex(database, cursor_key=b"key", counted=counted), MemoryIndex(counted=counted)
    async with database.unit() as unit:
        documents = [document(chance, number) for number in range(60)]
        for index in (real, plain):
            index.add_kinds(KIND)
            await index.put(unit, *documents)
    for _ in range(60):
        query = condition(chance)
        viewer = chance.choice(
            [UNRESTRICTED_VIEWER, SearchViewer("ada"), SearchViewer("ben", frozenset({"desk.news.read"}))]
        )
        asked = {"viewer": viewer, "facets": ["tag", "lang"], "limit": 100, "order": "-date"}
        results, expected = await real.find(query, **asked), await plain.find(query, **asked)
        assert [hit.id for hit in results.hits] == [hit.id for hit in expected.hits], query
        assert results.facets == expected.facets, query
        assert (results.total, results.or_more) == (expected.total, expected.or_more), query
        assert results.facets_among == expected.facets_among, query
        assert [hit.snippet for hit in results.hits] == [hit.snippet for hit in expected.hits], query
