"""The source reader's API, the same for every desk: sentences with their evidence and people's verdicts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.params import Depends as Dependency
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.problems import documented_problems
from almanac.reader.highlights import highlight_sources
from almanac.reader.model import (
    KEY_LENGTH,
    HighlightedSource,
    Precision,
    ReadableDocument,
    ReadableSentence,
    ReadingProgress,
)
from almanac.reader.service import check_sentence, get_progress, require_sentence, withdraw_verdict
from almanac.verify import Verdict

ApiSentenceKey = Annotated[str, Path(min_length=KEY_LENGTH, max_length=KEY_LENGTH)]
ApiPart = Annotated[str, Query(max_length=40, description="One of `parts`; the first by default.")]


class SentenceSourceBody(ApiModel):
    """A source of a sentence; `spans` count characters of `text`."""

    title: str
    path: str = Field(description="Opens it on this site; empty if that isn't possible.")
    url: str = Field(description="Where it was published.")
    language: str
    precision: Precision = Field(
        description="`words` support the sentence, or `part` of it together with other sources; `nearest` are only the"
        " closest; of a `passage` no words are known."
    )
    spans: list[tuple[int, int]]
    quotes: list[str] = Field(description="The words of the spans.")
    note: str = Field(description="How the source has changed since; empty if it hasn't.")
    text: str | None = Field(None, description="The whole text, where one sentence is asked for.")

    @classmethod
    def from_model(cls, highlighted: HighlightedSource, *, with_text: bool) -> "SentenceSourceBody":
        source = highlighted.source
        return cls(
            title=source.title,
            path=source.path,
            url=source.url,
            language=source.language,
            precision=highlighted.precision,
            spans=list(highlighted.spans),
            quotes=highlighted.quotes,
            note=source.note,
            text=source.text if with_text else None,
        )


class SentenceVerdictBody(ApiModel):
    """A person who checked a sentence."""

    user_id: str
    name: str
    at: datetime


class ReadableSentenceBody(ApiModel):
    """A generated sentence with its evidence. `key` names it until its words or its sources change."""

    number: int
    key: str
    text: str
    language: str
    group: str
    verdict: Verdict | None = Field(description="What the rules found; null if they never compared it.")
    reason: str
    judged_by: str
    checked_by: list[SentenceVerdictBody]
    sources: list[SentenceSourceBody]


class DocumentPartBody(ApiModel):
    """A part of the document that can be asked for."""

    name: str
    label: str


class ReadableDocumentBody(ApiModel):
    """The sentences of a document, or of one of its parts, and how many of them people have checked."""

    desk: str
    id: str
    title: str
    part: str
    parts: list[DocumentPartBody]
    checked: int
    total: int
    sentences: list[ReadableSentenceBody]


def add_reader_routes(
    router: APIRouter,
    path: str,
    open_document: Callable[..., Awaitable[ReadableDocument]],
    reader: Dependency,
    writer: Dependency,
) -> None:
    """The four routes below the path of a document that anybody with the desk's right may read.

    `open_document` is a dependency that takes the document's id from the path; who asks is checked before it.
    """
    opened, changed = Depends(open_document), documented_problems(409)

    @router.get(f"{path}/sentences")
    async def list_sentences(
        request: Request,
        _principal: Annotated[Principal, reader],
        document: Annotated[ReadableDocument, opened],
    ) -> ReadableDocumentBody:
        """Every generated sentence with the words that support it, and who checked it."""
        return await describe_document(await get_progress(get_state(request).services.database, document))

    @router.get(f"{path}/sentences/{{key}}", responses=changed)
    async def get_sentence(
        request: Request,
        key: ApiSentenceKey,
        _principal: Annotated[Principal, reader],
        document: Annotated[ReadableDocument, opened],
    ) -> ReadableSentenceBody:
        """One sentence with the whole texts of its sources."""
        return await describe_sentence(await get_progress(get_state(request).services.database, document), key)

    @router.put(f"{path}/sentences/{{key}}/verdict", responses=changed)
    async def put_verdict(
        request: Request,
        key: ApiSentenceKey,
        principal: Annotated[Principal, writer],
        document: Annotated[ReadableDocument, opened],
    ) -> ReadableSentenceBody:
        """Keep that you read the sentence beside its sources and vouch for it."""
        services = get_state(request).services
        await check_sentence(services.database, services.clock, principal, document, key)
        return await describe_sentence(await get_progress(services.database, document), key)

    @router.delete(f"{path}/sentences/{{key}}/verdict", status_code=204, responses=documented_problems(404))
    async def delete_verdict(
        request: Request,
        key: ApiSentenceKey,
        principal: Annotated[Principal, writer],
        document: Annotated[ReadableDocument, opened],
    ) -> None:
        """Take your own verdict back; others' stay."""
        services = get_state(request).services
        await withdraw_verdict(services.database, services.clock, principal, document, key)


async def describe_document(progress: ReadingProgress) -> ReadableDocumentBody:
    """The whole list; the words of sources are looked for in a thread."""
    return await asyncio.to_thread(_describe_document, progress)


async def describe_sentence(progress: ReadingProgress, key: str) -> ReadableSentenceBody:
    """One sentence with the whole texts of its sources. Conflict if no sentence has the key any more."""
    document = progress.document
    sentence = require_sentence(document, key)
    highlighted = await asyncio.to_thread(highlight_sources, sentence)
    return _describe(progress, sentence, _number(document, key), highlighted, with_text=True)


def _describe_document(progress: ReadingProgress) -> ReadableDocumentBody:
    document = progress.document
    return ReadableDocumentBody(
        desk=document.desk,
        id=document.id,
        title=document.title,
        part=document.part,
        parts=[DocumentPartBody.model_validate(part) for part in document.parts],
        checked=progress.checked,
        total=progress.total,
        sentences=[
            _describe(progress, sentence, number, highlight_sources(sentence), with_text=False)
            for number, sentence in enumerate(document.sentences, 1)
        ],
    )


def _number(document: ReadableDocument, key: str) -> int:
    return next(number for number, sentence in enumerate(document.sentences, 1) if sentence.key == key)


def _describe(
    progress: ReadingProgress,
    sentence: ReadableSentence,
    number: int,
    highlighted: Sequence[HighlightedSource],
    *,
    with_text: bool,
) -> ReadableSentenceBody:
    verdicts = progress.verdicts.get(sentence.key, ())
    return ReadableSentenceBody(
        number=number,
        key=sentence.key,
        text=sentence.text,
        language=sentence.language or progress.document.language,
        group=sentence.group,
        verdict=sentence.verdict,
        reason=sentence.reason,
        judged_by=sentence.judged_by,
        checked_by=[SentenceVerdictBody(user_id=each.user_id, name=each.name, at=each.at) for each in verdicts],
        sources=[SentenceSourceBody.from_model(each, with_text=with_text) for each in highlighted],
    )
