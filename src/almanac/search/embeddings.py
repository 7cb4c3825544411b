"""Embeddings of documents and queries: updated in the background and compared by pgvector.

Optional: without a model, or without pgvector, search uses words alone.
"""

import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

from almanac.errors import AlmanacError
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext
from almanac.relational import Database
from almanac.search import store
from almanac.search.query import SearchQuery, query_texts

logger = logging.getLogger(__name__)

_BATCH_SIZE = 64
_MAX_TEXT_LENGTH = 4000

EmbeddingProgress = Callable[[int], Awaitable[None]]


class EmbeddingModel(Protocol):
    """Turns texts into vectors of one length."""

    @property
    def model(self) -> str: ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]: ...


class EmbeddingIndex:
    """The vectors of one model."""

    def __init__(self, database: Database, embedder: EmbeddingModel) -> None:
        self._database = database
        self._embedder = embedder
        self._usable: bool | None = None

    @property
    def model(self) -> str:
        return self._embedder.model

    async def usable(self) -> bool:
        """Whether this database has pgvector; checked once."""
        if self._usable is None:
            async with self._database.unit() as unit:
                usable = await store.has_pgvector(unit)
                if usable:
                    await store.enable_vectors(unit)
            self._usable = usable
        return self._usable

    async def of_query(self, query: SearchQuery) -> list[float] | None:
        """The vector of a query; None where it can't be had now, so that words alone decide."""
        words = " ".join(text.text for text in query_texts(query.root))
        try:
            if words and await self.usable():
                return (await self._embedder.embed([words]))[0]
        except AlmanacError as error:
            logger.warning("A query could not be embedded.", extra={"reason": error.sentence})
        return None

    async def catch_up(self, report: EmbeddingProgress) -> int:
        """Embed every new or changed document; returns how many were sent to the model."""
        given = 0
        while await self.usable():
            async with self._database.unit() as unit:
                waiting = await store.list_unembedded(unit, self.model, limit=_BATCH_SIZE, longest=_MAX_TEXT_LENGTH)
            if not waiting:
                break
            given += await self._embed(waiting)
            await report(given)
        return given

    async def _embed(self, waiting: Sequence[store.UnembeddedDocument]) -> int:
        digests = {document.id: hashlib.sha256(document.text.encode()).hexdigest() for document in waiting}
        changed = [document for document in waiting if document.digest != digests[document.id]]
        vectors = await self._embedder.embed([document.text for document in changed]) if changed else []
        async with self._database.unit() as unit:
            for document, vector in zip(changed, vectors, strict=True):
                await store.upsert_embedding(unit, document, self.model, digests[document.id], vector)
            for document in waiting:
                if document.digest == digests[document.id]:
                    await store.touch_embedding(unit, document)
        return len(changed)


def embedding_schedule(embeddings: EmbeddingIndex) -> Schedule:
    """The schedule that updates the vectors every minute."""

    async def catch_up(job: RunningJob[object]) -> None:
        await embeddings.catch_up(partial(_report_progress, job))

    task = JobType(
        "search.embed",
        catch_up,
        queue="search",
        lock="search.embed",
        title=gettext("Embed new documents for search"),
    )
    return Schedule("search.embed", task, "* * * * *")


async def _report_progress(job: RunningJob[object], given: int) -> None:
    await job.progress(given, None, gettext("documents embedded"))
