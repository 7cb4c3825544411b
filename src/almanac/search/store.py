"""Every read and write of the index in PostgreSQL, by name; no decisions here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from almanac.relational import Unit, load_queries
from almanac.search.hits import parse_facets
from almanac.search.index import ResultPosition
from almanac.search.model import SearchDocument

QUERIES = load_queries(__package__)
NO_DATE = -(2**63)
LAST = 2**63 - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LOCK_SPACE, _COUNTS_LOCK_SPACE, _FINGERPRINT_LOCK = 0x736561, 0x736562, 0x736563
# Every search without words reads the changes that wait, and adding them up locks the counts of what changed.
_MANY_CHANGES = 1000


def to_microseconds(date: date) -> int:
    """A moment, or the beginning of a day, as stored."""
    at = date if isinstance(date, datetime) else datetime.combine(date, time(), UTC)
    return (at - _EPOCH) // _MICROSECOND


def day_from_microseconds(moment: int) -> date:
    return (_EPOCH + moment * _MICROSECOND).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRow:
    """A document as stored; `facets` are joined by the unit separator."""

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
class SearchParameters:
    """The parameters of the search statements."""

    everything: str
    restrictions: str
    prominent: str
    ranking: str
    kinds: list[str]
    languages: list[str]
    language_boost: int
    since: int
    until: int
    sees_everything: bool
    viewer: str | None
    hidden_kinds: list[str]
    permissions: list[str]

    @property
    def as_dict(self) -> dict[str, Any]:
        """By name; not copied as `asdict` would."""
        return {name: getattr(self, name) for name in SearchParameters.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDocument:
    """What is shown of a found document."""

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
    def document(self) -> SearchDocument:
        return SearchDocument(
            kind=self.kind,
            id=self.key,
            title=self.title,
            path=self.path,
            body=self.body,
            language=self.language,
            date=self.date,
            facets=parse_facets(self.facets),
            fields=self.fields,
        )


@dataclass(frozen=True, slots=True)
class FacetRow:
    """The number of documents with a facet value."""

    name: str
    value: str
    count: int


async def lock_kinds(unit: Unit, kinds: Sequence[str]) -> None:
    await unit.all(QUERIES["lock_kinds"], {"space": _LOCK_SPACE, "kinds": list(kinds)})


async def lock_kind_exclusively(unit: Unit, kind: str) -> None:
    await unit.all(QUERIES["lock_kind_exclusively"], {"space": _LOCK_SPACE, "kind": kind})


async def upsert_documents(unit: Unit, rows: Sequence[SearchRow]) -> None:
    columns = {column.name: [getattr(row, column.name) for row in rows] for column in fields(SearchRow)}
    await unit.execute(QUERIES["upsert_documents"], columns)


async def add_words(unit: Unit, words: Sequence[str]) -> None:
    """Add words to the vocabulary that it doesn't have."""
    if words:
        await unit.execute(QUERIES["add_words"], {"words": list(words)})


@dataclass(frozen=True, slots=True)
class WordLookup:
    """Words that share so many of the trigrams, one of the required ones among them, and are of such a length."""

    trigrams: Sequence[str]
    required: Sequence[str]
    shared: int
    shortest: int
    longest: int


async def find_similar_words(unit: Unit, lookup: WordLookup, *, limit: int) -> list[str]:
    """The words of the vocabulary that share enough trigrams, those that share most first."""
    params = {name: getattr(lookup, name) for name in WordLookup.__slots__} | {"limit": limit}
    return [str(row["word"]) for row in await unit.all(QUERIES["find_similar_words"], params)]


async def count_words(unit: Unit, params: SearchParameters, expressions: Sequence[str], *, upto: int) -> list[int]:
    """For each expression the number of documents that match it and that the viewer may see, up to a number."""
    values = {**params.as_dict, "expressions": list(expressions), "upto": upto}
    return [int(row["documents"]) for row in await unit.all(QUERIES["count_words"], values)]


async def list_words(unit: Unit, after: str, *, limit: int) -> list[str]:
    """Words of the vocabulary in their order, each once."""
    return [str(row["word"]) for row in await unit.all(QUERIES["list_words"], {"after": after, "limit": limit})]


async def list_indexed_lexemes(unit: Unit, lexemes: Sequence[str]) -> set[str]:
    """Those of the quoted lexemes that a document has."""
    return {str(row["lexeme"]) for row in await unit.all(QUERIES["list_indexed_lexemes"], {"lexemes": list(lexemes)})}


async def remove_words(unit: Unit, words: Sequence[str], *, first: str, last: str) -> int:
    """Remove these words, and duplicates of those from the first through the last."""
    return await unit.execute(QUERIES["remove_words"], {"words": list(words), "first": first, "last": last})


async def remove_documents(unit: Unit, kind: str, keys: Sequence[str]) -> None:
    await unit.execute(QUERIES["remove_documents"], {"kind": kind, "keys": list(keys)})


async def plan_for_search(unit: Unit) -> int:
    """Set planner options for the following statements; returns the approximate number of documents."""
    return int(await unit.value(QUERIES["plan_for_search"]))


async def find_best(
    unit: Unit, params: SearchParameters, after: ResultPosition, limit: int, *, ranked: int
) -> list[ResultPosition]:
    return await _places(unit, "find_best", params, after, limit, ranked=ranked)


async def find_rest(
    unit: Unit, params: SearchParameters, after: ResultPosition, limit: int, *, ranked: int
) -> list[ResultPosition]:
    return await _places(unit, "find_rest", params, after, limit, ranked=ranked)


async def find_newest(unit: Unit, params: SearchParameters, after: ResultPosition, limit: int) -> list[ResultPosition]:
    return await _places(unit, "find_newest", params, after, limit)


async def find_oldest(unit: Unit, params: SearchParameters, after: ResultPosition, limit: int) -> list[ResultPosition]:
    return await _places(unit, "find_oldest", params, after, limit, no_date=NO_DATE, no_date_last=LAST)


async def find_newest_unfiltered(
    unit: Unit, params: SearchParameters, after: ResultPosition, limit: int
) -> list[ResultPosition]:
    return await _places(unit, "find_newest_unfiltered", params, after, limit)


async def find_oldest_unfiltered(
    unit: Unit, params: SearchParameters, after: ResultPosition, limit: int
) -> list[ResultPosition]:
    return await _places(unit, "find_oldest_unfiltered", params, after, limit, no_date=NO_DATE, no_date_last=LAST)


async def _places(
    unit: Unit, name: str, params: SearchParameters, after: ResultPosition, limit: int, **further: int
) -> list[ResultPosition]:
    place = {"after_id": after.id, "after_score": after.score, "after_moment": after.moment, "limit": limit}
    return await unit.all(QUERIES[name], {**params.as_dict, **place, **further}, into=ResultPosition)


async def estimate_matches(unit: Unit, params: SearchParameters) -> int:
    (explained,) = await unit.value(QUERIES["estimate_matches"], params.as_dict)
    return int(explained["Plan"]["Plan Rows"])


async def count_matches(unit: Unit, params: SearchParameters, *, upto: int) -> int:
    return int(await unit.value(QUERIES["count_matches"], {**params.as_dict, "upto": upto}))


async def count_facets(
    unit: Unit, params: SearchParameters, names: Sequence[str], *, most: int, upto: int
) -> list[FacetRow]:
    return await _counts(unit, "count_facets", params, names, most, upto=upto)


async def count_newest(
    unit: Unit, params: SearchParameters, names: Sequence[str], *, most: int, upto: int
) -> list[FacetRow]:
    return await _counts(unit, "count_newest", params, names, most, upto=upto)


async def list_stored_counts(
    unit: Unit, params: SearchParameters, names: Sequence[str], *, most: int
) -> list[FacetRow]:
    return await _counts(unit, "list_stored_counts", params, names, most)


async def count_between_dates(
    unit: Unit, params: SearchParameters, names: Sequence[str], *, most: int, upto: int
) -> list[FacetRow]:
    return await _counts(unit, "count_between_dates", params, names, most, upto=upto)


async def _counts(
    unit: Unit, name: str, params: SearchParameters, names: Sequence[str], most: int, **further: int
) -> list[FacetRow]:
    values = {**params.as_dict, "names": list(names), "most": most, **further}
    return await unit.all(QUERIES[name], values, into=FacetRow)


async def apply_count_changes(unit: Unit, *, many: int = _MANY_CHANGES) -> None:
    """Apply waiting count changes when there are many; one writer at a time does it."""
    if await unit.value(QUERIES["claim_count_changes"], {"many": many, "space": _COUNTS_LOCK_SPACE}):
        await unit.execute(QUERIES["apply_count_changes"])


async def find_documents(unit: Unit, ids: Sequence[int], *, looked_at: int) -> dict[int, FoundDocument]:
    rows = await unit.all(QUERIES["find_documents"], {"ids": list(ids), "looked_at": looked_at}, into=FoundDocument)
    return {row.id: row for row in rows}


async def find_document_keys(unit: Unit, ids: Sequence[int]) -> dict[int, tuple[str, str]]:
    """The kind and key of documents by their number."""
    rows = await unit.all(QUERIES["find_document_keys"], {"ids": list(ids)})
    return {row["id"]: (row["kind"], row["key"]) for row in rows}


@dataclass(frozen=True, slots=True)
class RebuildState:
    """The progress of rebuilding a kind."""

    started_at: datetime
    after: str | None
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class IndexSize:
    """The number of documents in the index, and of those indexed only in part."""

    documents: int
    cut: int


@dataclass(frozen=True, slots=True)
class KindFingerprint:
    """By which code a kind was indexed, and the job that was queued to rebuild it."""

    kind: str
    fingerprint: str | None
    job_id: int | None


async def lock_fingerprints(unit: Unit) -> None:
    await unit.execute(QUERIES["lock_fingerprints"], {"space": _FINGERPRINT_LOCK})


async def list_fingerprints(unit: Unit) -> dict[str, KindFingerprint]:
    return {row.kind: row for row in await unit.all(QUERIES["list_fingerprints"], into=KindFingerprint)}


async def list_indexed_kinds(unit: Unit, kinds: Sequence[str]) -> set[str]:
    return {str(row["kind"]) for row in await unit.all(QUERIES["list_indexed_kinds"], {"kinds": list(kinds)})}


async def mark_current(unit: Unit, kind: str, fingerprint: str) -> None:
    await unit.execute(QUERIES["mark_current"], {"kind": kind, "fingerprint": fingerprint})


async def set_rebuild_job(unit: Unit, kind: str, job_id: int) -> None:
    await unit.execute(QUERIES["set_rebuild_job"], {"kind": kind, "job_id": job_id})


async def begin_rebuild(unit: Unit, kind: str, total: int, fingerprint: str, *, restart: bool) -> RebuildState:
    begun = await unit.one(
        QUERIES["begin_rebuild"],
        {"kind": kind, "total": total, "restart": restart, "fingerprint": fingerprint},
        into=RebuildState,
    )
    assert begun is not None
    return begun


async def advance_rebuild(unit: Unit, kind: str, after: str | None, done: int) -> None:
    await unit.execute(QUERIES["advance_rebuild"], {"kind": kind, "after": after, "done": done})


async def finish_rebuild(unit: Unit, kind: str) -> None:
    await unit.execute(QUERIES["finish_rebuild"], {"kind": kind})


async def remove_stale(unit: Unit, kind: str, started_at: datetime) -> int:
    return await unit.execute(QUERIES["remove_stale"], {"kind": kind, "started_at": started_at})


async def tidy_index(unit: Unit) -> None:
    await apply_count_changes(unit, many=1)
    await unit.execute(QUERIES["delete_empty_counts"])
    await unit.all(QUERIES["clean_index"])


async def describe_index(unit: Unit) -> IndexSize:
    size = await unit.one(QUERIES["describe_index"], into=IndexSize)
    assert size is not None
    return size


@dataclass(frozen=True, slots=True)
class UnembeddedDocument:
    """A document whose current text has no embedding; `digest` is of the text embedded before."""

    id: int
    indexed_at: datetime
    text: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class SimilarDocument:
    """A document similar in meaning to a query."""

    id: int
    moment: int
    has_words: bool


async def has_pgvector(unit: Unit) -> bool:
    return bool(await unit.value(QUERIES["has_pgvector"]))


async def enable_vectors(unit: Unit) -> None:
    await unit.execute(QUERIES["enable_vectors"])


async def list_unembedded(unit: Unit, model: str, *, limit: int, longest: int) -> list[UnembeddedDocument]:
    params = {"model": model, "limit": limit, "longest": longest}
    return await unit.all(QUERIES["list_unembedded"], params, into=UnembeddedDocument)


async def upsert_embedding(
    unit: Unit, document: UnembeddedDocument, model: str, digest: str, embedding: Sequence[float]
) -> None:
    params = {"model": model, "digest": digest, "embedding": list(embedding)}
    await unit.execute(QUERIES["upsert_embedding"], {**params, "id": document.id, "indexed_at": document.indexed_at})


async def touch_embedding(unit: Unit, document: UnembeddedDocument) -> None:
    await unit.execute(QUERIES["touch_embedding"], {"id": document.id, "indexed_at": document.indexed_at})


async def find_nearest(
    unit: Unit, params: SearchParameters, model: str, embedding: Sequence[float], *, most: int, farthest: float
) -> list[SimilarDocument]:
    values = {"model": model, "embedding": list(embedding), "most": most, "farthest": farthest}
    return await unit.all(QUERIES["find_nearest"], {**params.as_dict, **values}, into=SimilarDocument)


async def hand_over_documents(unit: Unit, kinds: Sequence[str], from_id: str, to_id: str) -> None:
    await lock_kinds(unit, kinds)
    params = {"kinds": list(kinds), "from_id": from_id, "to_id": to_id}
    await unit.execute(QUERIES["hand_over_documents"], params)
