"""Every read and write of the index in PostgreSQL, by name; decides nothing by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from almanac.relational import Unit, load_queries
from almanac.search.hits import facets_apart
from almanac.search.index import Place
from almanac.search.model import Document

QUERIES = load_queries(__package__)
NO_DATE = -(2**63)
LAST = 2**63 - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LOCK_SPACE, _COUNTS_LOCK_SPACE = 0x736561, 0x736562
# Every search without words reads the changes that wait, and adding them up locks the counts of what changed.
_MANY_CHANGES = 1000


def moment_of(date: date) -> int:
    """A moment, or the beginning of a day, as it is stored."""
    at = date if isinstance(date, datetime) else datetime.combine(date, time(), UTC)
    return (at - _EPOCH) // _MICROSECOND


def day_of(moment: int) -> date:
    return (_EPOCH + moment * _MICROSECOND).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A document as it is stored; `facets` are joined by the unit separator."""

    kind: str
    key: str
    moment: int
    owner: str | None
    permission: str | None
    facets: str
    words: int
    date: datetime | None
    title: str
    path: str
    language: str
    fields: str
    body: str
    whole: bool
    vector: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What is looked for, by whom and when, in the form of the statements' parameters."""

    everything: str
    restrictions: str
    prominent: str
    ranking: str
    kinds: list[str]
    since: int
    until: int
    sees_everything: bool
    viewer: str | None
    permissions: list[str]

    @property
    def parameters(self) -> dict[str, Any]:
        """By name, and not copied as `asdict` would: nobody changes them."""
        return {name: getattr(self, name) for name in Sought.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What is shown of a document that was found."""

    id: int
    kind: str
    key: str
    title: str
    path: str
    language: str
    date: datetime | None
    facets: Sequence[str]
    fields: Mapping[str, str]
    body: str

    @property
    def document(self) -> Document:
        return Document(
            kind=self.kind,
            id=self.key,
            title=self.title,
            path=self.path,
            body=self.body,
            language=self.language,
            date=self.date,
            facets=facets_apart(self.facets),
            fields=self.fields,
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """How many documents have a value of a facet."""

    name: str
    value: str
    count: int


async def hold_kinds(unit: Unit, kinds: Sequence[str]) -> None:
    await unit.all(QUERIES["hold_kinds"], {"space": _LOCK_SPACE, "kinds": list(kinds)})


async def hold_kind_alone(unit: Unit, kind: str) -> None:
    await unit.all(QUERIES["hold_kind_alone"], {"space": _LOCK_SPACE, "kind": kind})


async def put_documents(unit: Unit, rows: Sequence[Row]) -> None:
    columns = {column.name: [getattr(row, column.name) for row in rows] for column in fields(Row)}
    await unit.execute(QUERIES["put_documents"], columns)


async def remove_documents(unit: Unit, kind: str, keys: Sequence[str]) -> None:
    await unit.execute(QUERIES["remove_documents"], {"kind": kind, "keys": list(keys)})


async def plan_for_search(unit: Unit) -> int:
    """Say how what follows is to be planned; about how many documents there are."""
    return int(await unit.value(QUERIES["plan_for_search"]))


async def best_found(unit: Unit, sought: Sought, after: Place, limit: int, *, ranked: int) -> list[Place]:
    return await _places(unit, "best_found", sought, after, limit, ranked=ranked)


async def rest_found(unit: Unit, sought: Sought, after: Place, limit: int, *, ranked: int) -> list[Place]:
    return await _places(unit, "rest_found", sought, after, limit, ranked=ranked)


async def newest_found(unit: Unit, sought: Sought, after: Place, limit: int) -> list[Place]:
    return await _places(unit, "newest_found", sought, after, limit)


async def oldest_found(unit: Unit, sought: Sought, after: Place, limit: int) -> list[Place]:
    return await _places(unit, "oldest_found", sought, after, limit, no_date=NO_DATE, no_date_last=LAST)


async def newest_of_all(unit: Unit, sought: Sought, after: Place, limit: int) -> list[Place]:
    return await _places(unit, "newest_of_all", sought, after, limit)


async def oldest_of_all(unit: Unit, sought: Sought, after: Place, limit: int) -> list[Place]:
    return await _places(unit, "oldest_of_all", sought, after, limit, no_date=NO_DATE, no_date_last=LAST)


async def _places(unit: Unit, name: str, sought: Sought, after: Place, limit: int, **further: int) -> list[Place]:
    place = {"after_id": after.id, "after_score": after.score, "after_moment": after.moment, "limit": limit}
    return await unit.all(QUERIES[name], {**sought.parameters, **place, **further}, into=Place)


async def estimate_found(unit: Unit, sought: Sought) -> int:
    (explained,) = await unit.value(QUERIES["estimate_found"], sought.parameters)
    return int(explained["Plan"]["Plan Rows"])


async def count_found(unit: Unit, sought: Sought, *, upto: int) -> int:
    return int(await unit.value(QUERIES["count_found"], {**sought.parameters, "upto": upto}))


async def count_facets(unit: Unit, sought: Sought, names: Sequence[str], *, most: int, upto: int) -> list[Counted]:
    return await _counts(unit, "count_facets", sought, names, most, upto=upto)


async def count_newest(unit: Unit, sought: Sought, names: Sequence[str], *, most: int, upto: int) -> list[Counted]:
    return await _counts(unit, "count_newest", sought, names, most, upto=upto)


async def kept_counts(unit: Unit, sought: Sought, names: Sequence[str], *, most: int) -> list[Counted]:
    return await _counts(unit, "kept_counts", sought, names, most)


async def counts_between(unit: Unit, sought: Sought, names: Sequence[str], *, most: int, upto: int) -> list[Counted]:
    return await _counts(unit, "counts_between", sought, names, most, upto=upto)


async def _counts(
    unit: Unit, name: str, sought: Sought, names: Sequence[str], most: int, **further: int
) -> list[Counted]:
    params = {**sought.parameters, "names": list(names), "most": most, **further}
    return await unit.all(QUERIES[name], params, into=Counted)


async def add_up_counts(unit: Unit, *, many: int = _MANY_CHANGES) -> None:
    """Keep the list of changes short, by one of those who lengthen it."""
    if await unit.value(QUERIES["claim_counts"], {"many": many, "space": _COUNTS_LOCK_SPACE}):
        await unit.execute(QUERIES["add_up_counts"])


async def documents_by_id(unit: Unit, ids: Sequence[int], *, looked_at: int) -> dict[int, Shown]:
    rows = await unit.all(QUERIES["documents_by_id"], {"ids": list(ids), "looked_at": looked_at}, into=Shown)
    return {row.id: row for row in rows}


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Where the rebuild of a kind has got to."""

    started_at: datetime
    after: str | None
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class IndexSize:
    """How many documents are in the index, and how many of them not with all their text."""

    documents: int
    cut: int


async def begin_rebuild(unit: Unit, kind: str, total: int, *, anew: bool) -> Rebuild:
    begun = await unit.one(QUERIES["begin_rebuild"], {"kind": kind, "total": total, "anew": anew}, into=Rebuild)
    assert begun is not None
    return begun


async def advance_rebuild(unit: Unit, kind: str, after: str | None, done: int) -> None:
    await unit.execute(QUERIES["advance_rebuild"], {"kind": kind, "after": after, "done": done})


async def finish_rebuild(unit: Unit, kind: str) -> None:
    await unit.execute(QUERIES["finish_rebuild"], {"kind": kind})


async def remove_stale(unit: Unit, kind: str, started_at: datetime) -> int:
    return await unit.execute(QUERIES["remove_stale"], {"kind": kind, "started_at": started_at})


async def tidy_index(unit: Unit) -> None:
    await add_up_counts(unit, many=1)
    await unit.execute(QUERIES["forget_empty_counts"])
    await unit.all(QUERIES["tidy_index"])


async def describe_index(unit: Unit) -> IndexSize:
    size = await unit.one(QUERIES["describe_index"], into=IndexSize)
    assert size is not None
    return size


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A document that the model has not seen as it is now; `digest` is of the text it has seen."""

    id: int
    indexed_at: datetime
    text: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class Near:
    """A document that means about the same as a query."""

    id: int
    moment: int
    has_words: bool


async def offers_vectors(unit: Unit) -> bool:
    return bool(await unit.value(QUERIES["offers_vectors"]))


async def use_vectors(unit: Unit) -> None:
    await unit.execute(QUERIES["use_vectors"])


async def unembedded(unit: Unit, model: str, *, limit: int, longest: int) -> list[Unembedded]:
    params = {"model": model, "limit": limit, "longest": longest}
    return await unit.all(QUERIES["unembedded"], params, into=Unembedded)


async def put_embedding(unit: Unit, document: Unembedded, model: str, digest: str, embedding: Sequence[float]) -> None:
    params = {"model": model, "digest": digest, "embedding": list(embedding)}
    await unit.execute(QUERIES["put_embedding"], {**params, "id": document.id, "indexed_at": document.indexed_at})


async def keep_embedding(unit: Unit, document: Unembedded) -> None:
    await unit.execute(QUERIES["keep_embedding"], {"id": document.id, "indexed_at": document.indexed_at})


async def nearest_found(
    unit: Unit, sought: Sought, model: str, embedding: Sequence[float], *, most: int, farthest: float
) -> list[Near]:
    params = {"model": model, "embedding": list(embedding), "most": most, "farthest": farthest}
    return await unit.all(QUERIES["nearest_found"], {**sought.parameters, **params}, into=Near)
