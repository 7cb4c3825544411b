"""API: knowledge sources and the chunks read from them."""

from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from pydantic import Field
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import FieldErrors, NotFound
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.idempotency.route import REPEATABLE, IdempotentRoute
from almanac.http.paging import Cursor, Limit
from almanac.kit.messages import gettext
from almanac.knowledge import (
    Knowledge,
    KnowledgeSource,
    KnowledgeViewer,
    SourceFilter,
    SourceKind,
    SourceStatus,
    Visibility,
)
from almanac.services import Services
from almanac.web.labels import knowledge_viewer, record_change

router = APIRouter(prefix=f"{API_PREFIX}/knowledge", tags=["knowledge"], route_class=IdempotentRoute)

Reader = Annotated[Principal, require("desk.newsletter.read")]
Writer = Annotated[Principal, require("desk.newsletter.write")]


class SourceBody(ApiModel):
    """A source: a file, a page or a feed."""

    id: str
    owner_id: str
    kind: SourceKind
    title: str
    visibility: Visibility
    status: SourceStatus
    url: str | None
    file_name: str | None
    size: int | None
    reason: str | None = Field(description="Why it couldn't be read, if so; earlier content is kept.")
    problems: list[str] = Field(description="What couldn't be read, one sentence each.")
    documents: int
    chunks: int
    job_id: int | None
    created_at: datetime
    read_at: datetime | None


class DocumentBody(ApiModel):
    """A document of a source: the file, the page, or an entry of the feed."""

    id: str
    source_id: str
    title: str
    url: str | None
    date: date
    date_known: bool = Field(
        description="Whether the date is the document's own; otherwise it is the day it was added."
    )
    language: str
    chunks: int


class SourceDetailBody(ApiModel):
    """A source with its newest documents."""

    source: SourceBody
    documents: list[DocumentBody]


class ChunkBody(ApiModel):
    """A passage that can be cited. Its id stays the same as long as its text does."""

    id: str
    source_id: str
    document_id: str
    position: int
    text: str
    title: str
    heading: list[str]
    url: str | None
    date: date
    date_known: bool
    language: str
    page: int | None


class ImportedFeedsBody(ApiModel):
    """The result of importing a list of feeds."""

    added: list[SourceBody]
    known: list[SourceBody]
    refused: list["RefusedFeed"]


class RefusedFeed(ApiModel):
    """A feed that wasn't added, and why."""

    url: str
    reason: str


class VisibilityRequest(ApiModel):
    """Who may use a source besides its owner."""

    visibility: Visibility


@router.get("")
async def list_sources(
    request: Request,
    principal: Reader,
    kind: SourceKind | None = None,
    status: SourceStatus | None = None,
    q: Annotated[Text | None, Query(description="Words in the title, URL or file name.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[SourceBody]:
    """List your own sources and shared ones, newest first."""
    filters = SourceFilter(kind=kind, status=status, text=q or None)
    page = await _knowledge(request).list(knowledge_viewer(principal), filters, cursor=cursor, limit=limit)
    return Listed[SourceBody].model_validate(page)


@router.post("", status_code=201, openapi_extra=REPEATABLE)
async def add_source(
    request: Request,
    principal: Writer,
    file: Annotated[UploadFile | None, File(description="A PDF, DOCX, HTML, Markdown or text file.")] = None,
    url: Annotated[Text | None, Form(description="The URL of a page or file.")] = None,
    feed: Annotated[Text | None, Form(description="The URL of an RSS, Atom or JSON feed.")] = None,
    title: Annotated[Text, Form()] = "",
    visibility: Annotated[Visibility, Form()] = Visibility.MINE,
) -> SourceBody:
    """Add a file, a page or a feed. It is read by a job; `status` shows the progress."""
    services, viewer = get_state(request).services, knowledge_viewer(principal)
    if sum(part is not None for part in (file, url, feed)) != 1:
        raise FieldErrors({"file": gettext("Send exactly one of file, url and feed.")})
    source = await _add_source(services, viewer, file, url, feed, title, visibility)
    await record_change(services, principal, "knowledge.added", source)
    return SourceBody.model_validate(source)


@router.post("/opml", openapi_extra=REPEATABLE)
async def import_opml(
    request: Request,
    principal: Writer,
    file: Annotated[UploadFile, File(description="An OPML file, as feed readers export it.")],
    visibility: Annotated[Visibility, Form()] = Visibility.MINE,
) -> ImportedFeedsBody:
    """Add every feed of an OPML file."""
    services = get_state(request).services
    imported = await services.knowledge.import_opml(
        knowledge_viewer(principal), await file.read(), visibility=visibility
    )
    for source in imported.added:
        await record_change(services, principal, "knowledge.added", source)
    return ImportedFeedsBody(
        added=[SourceBody.model_validate(source) for source in imported.added],
        known=[SourceBody.model_validate(source) for source in imported.existing],
        refused=[RefusedFeed(url=url, reason=reason) for url, reason in imported.refused],
    )


@router.get("/chunks/{chunk_id}")
async def get_chunk(request: Request, chunk_id: Id, principal: Reader) -> ChunkBody:
    """Get a passage by its id."""
    chunks = await _knowledge(request).find_chunks(knowledge_viewer(principal), [chunk_id])
    if chunk_id not in chunks:
        raise NotFound(gettext("This passage doesn't exist, or its source isn't shared with you."))
    return ChunkBody.model_validate(chunks[chunk_id])


@router.get("/{source_id}")
async def get_source(request: Request, source_id: Id, principal: Reader) -> SourceDetailBody:
    """Get a source with its newest documents."""
    return SourceDetailBody.model_validate(await _knowledge(request).get(knowledge_viewer(principal), source_id))


@router.get("/{source_id}/chunks")
async def list_chunks(
    request: Request, source_id: Id, principal: Reader, cursor: Cursor = None, limit: Limit = 50
) -> Listed[ChunkBody]:
    """List the passages of a source, newest document first and in reading order."""
    page = await _knowledge(request).list_chunks(knowledge_viewer(principal), source_id, cursor=cursor, limit=limit)
    return Listed[ChunkBody].model_validate(page)


@router.put("/{source_id}/visibility")
async def share_source(request: Request, source_id: Id, body: VisibilityRequest, principal: Writer) -> SourceBody:
    """Set who may use a source besides its owner."""
    source = await _knowledge(request).share(knowledge_viewer(principal), source_id, body.visibility)
    await record_change(get_state(request).services, principal, "knowledge.shared", source)
    return SourceBody.model_validate(source)


@router.post("/{source_id}/refresh", openapi_extra=REPEATABLE)
async def refresh_source(request: Request, source_id: Id, principal: Writer) -> SourceBody:
    """Read a source again. Unchanged passages keep their ids."""
    return SourceBody.model_validate(await _knowledge(request).refresh(knowledge_viewer(principal), source_id))


@router.delete("/{source_id}", status_code=204)
async def remove_source(request: Request, source_id: Id, principal: Writer) -> Response:
    """Remove a source. It can be restored for seven days."""
    source = await _knowledge(request).remove(knowledge_viewer(principal), source_id)
    await record_change(get_state(request).services, principal, "knowledge.removed", source)
    return Response(status_code=204)


@router.post("/{source_id}/restore", openapi_extra=REPEATABLE)
async def restore_source(request: Request, source_id: Id, principal: Writer) -> SourceBody:
    """Restore a removed source."""
    source = await _knowledge(request).restore(knowledge_viewer(principal), source_id)
    await record_change(get_state(request).services, principal, "knowledge.restored", source)
    return SourceBody.model_validate(source)


def _knowledge(request: Request) -> Knowledge:
    return get_state(request).services.knowledge


async def _add_source(
    services: Services,
    viewer: KnowledgeViewer,
    file: UploadFile | None,
    url: str | None,
    feed: str | None,
    title: str,
    visibility: Visibility,
) -> KnowledgeSource:
    knowledge = services.knowledge
    if file is not None:
        content = await file.read()
        return await knowledge.add_file(viewer, file.filename or "", content, title=title, visibility=visibility)
    if url is not None:
        return await knowledge.add_url(viewer, url, title=title, visibility=visibility)
    return await knowledge.add_feed(viewer, feed or "", title=title, visibility=visibility)
