"""Of very many matches only some are ranked; still every one is reached, once, and the best come first."""

from datetime import UTC, datetime, timedelta

from almanac.search import ALL_SEEING, Document
from almanac.search.postgres import RANKED, PostgresIndex

START = datetime(2020, 1, 1, tzinfo=UTC)


def document(number: int, title: str = "A day", body: str = "rice among many other things") -> Document:
    date = START + timedelta(days=number)
    return Document(kind="note", id=f"{number:04}", title=title, body=body, path="/", date=date)


async def test_beyond_the_ranked_the_rest_follows_by_date(database):
    index = PostgresIndex(database, cursor_key=b"key")
    many = RANKED + 120
    async with database.unit() as unit:
        await index.put(unit, document(0, title="Rice"), *(document(number) for number in range(1, many)))
    seen, cursor = [], None
    while cursor or not seen:
        results = await index.find("rice", viewer=ALL_SEEING, limit=150, cursor=cursor)
        seen += [hit.id for hit in results.hits]
        cursor = results.next_cursor
        assert results.total == many
    assert sorted(seen) == [f"{number:04}" for number in range(many)]
    assert seen[0] == "0000", "the oldest has the word in its title, and comes first"
    assert seen[1:] == sorted(seen[1:], reverse=True)
