"""With an embedding model, documents that mean the same are found beside those that have the words."""

import psycopg
import pytest

from almanac.errors import Unavailable
from almanac.kit.ids import new_id
from almanac.relational import Database
from almanac.search import UNRESTRICTED_VIEWER, DocumentKind, SearchDocument, SearchViewer
from almanac.search.embeddings import EmbeddingIndex
from almanac.search.postgres import PostgresIndex

MEANINGS = {"car": 0, "automobile": 0, "vehicle": 0, "rice": 1, "paddy": 1, "music": 2}
NOTE = DocumentKind("note", "Note", "Notes", {"tag": "Tag"})


class Concepts:
    """A model that knows a few synonyms."""

    model = "concepts"

    def __init__(self):
        self.seen = []
        self.fails = False

    async def embed(self, texts):
        if self.fails:
            raise Unavailable("The model does not answer.")
        self.seen += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text):
        vector = [0.0, 0.0, 0.0, 0.1]
        for word in text.casefold().split():
            if word in MEANINGS:
                vector[MEANINGS[word]] += 1.0
        return vector


@pytest.fixture
def model():
    return Concepts()


@pytest.fixture
def embeddings(database, model):
    return EmbeddingIndex(database, model)


@pytest.fixture
def index(database, embeddings):
    made = PostgresIndex(database, cursor_key=b"key", embeddings=embeddings)
    made.add_kinds(NOTE)
    return made


async def nobody_listens(_given):
    pass


async def put(database, index, **titles):
    documents = [SearchDocument(kind="note", id=key, title=title, path="/") for key, title in titles.items()]
    async with database.unit() as unit:
        await index.put(unit, *documents)


async def ids(index, query, **more):
    return [hit.id for hit in (await index.find(query, **{"viewer": UNRESTRICTED_VIEWER, **more})).hits]


async def test_what_means_the_same_follows_what_has_the_words(database, index, embeddings):
    await put(database, index, words="a car", meaning="an automobile", other="rice")
    await embeddings.catch_up(nobody_listens)
    assert await ids(index, "car") == ["words", "meaning"]
    results = await index.find("car", viewer=UNRESTRICTED_VIEWER)
    assert results.total == 2
    assert await ids(index, "car", order="-date") == ["words"]


async def test_filters_exclusions_and_rights_hold_for_meaning_too(database, index, embeddings):
    documents = [
        SearchDocument(kind="note", id="mine", title="automobile", path="/", owner="ada", facets={"tag": ("x",)}),
        SearchDocument(kind="note", id="theirs", title="vehicle", path="/", owner="ben"),
        SearchDocument(kind="note", id="old", title="automobile antique", path="/", facets={"tag": ("x",)}),
    ]
    async with database.unit() as unit:
        await index.put(unit, *documents)
    await embeddings.catch_up(nobody_listens)
    assert set(await ids(index, "car")) == {"mine", "theirs", "old"}
    assert set(await ids(index, "car", viewer=SearchViewer("ada"))) == {"mine", "old"}
    assert set(await ids(index, "car -antique tag:x")) == {"mine"}
    assert set(await ids(index, "car", filters={"tag": ["x"]}, viewer=SearchViewer("ben"))) == {"old"}


async def test_pages_hold_everything_once(database, index, embeddings):
    await put(database, index, **{f"w{n}": "car" for n in range(5)}, **{f"m{n}": "automobile" for n in range(5)})
    await embeddings.catch_up(nobody_listens)
    seen, cursor = [], None
    while cursor or not seen:
        results = await index.find("car", viewer=UNRESTRICTED_VIEWER, limit=3, cursor=cursor)
        seen += [hit.id for hit in results.hits]
        cursor = results.next_cursor
    assert len(seen) == len(set(seen)) == results.total == 10


async def test_only_what_changed_is_given_to_the_model(database, index, embeddings, model):
    await put(database, index, a="car", b="rice")
    assert await embeddings.catch_up(nobody_listens) == 2
    await put(database, index, a="car", b="music")
    model.seen.clear()
    assert await embeddings.catch_up(nobody_listens) == 1
    assert [text.strip() for text in model.seen] == ["music"]
    assert await embeddings.catch_up(nobody_listens) == 0
    assert await ids(index, "paddy") == []


async def test_a_model_that_does_not_answer_leaves_words_alone(database, index, embeddings, model):
    await put(database, index, words="a car", meaning="an automobile")
    await embeddings.catch_up(nobody_listens)
    model.fails = True
    assert await ids(index, "car") == ["words"]


async def test_a_database_that_offers_no_vectors_searches_by_words(database, database_url, model):
    role = f"plain_{new_id().replace('-', '')}"
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        await connection.execute(f"CREATE ROLE {role} LOGIN")
        await connection.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}")
        async with Database(database_url.replace("//postgres@", f"//{role}@")) as limited:
            embeddings = EmbeddingIndex(limited, model)
            index = PostgresIndex(limited, cursor_key=b"key", embeddings=embeddings)
            await put(limited, index, words="a car", meaning="an automobile")
            assert not await embeddings.usable()
            assert await embeddings.catch_up(nobody_listens) == 0
            assert await ids(index, "car") == ["words"]
        await connection.execute(f"DROP OWNED BY {role}")
        await connection.execute(f"DROP ROLE {role}")
