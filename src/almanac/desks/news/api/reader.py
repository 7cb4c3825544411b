"""API: the points of a story with the words of the article that support them, and people's verdicts."""

from fastapi import Request

from almanac.desks.news.api.dependencies import Reader, Writer, new_router
from almanac.desks.news.service.reader import open_readable_story
from almanac.http.api_models import RowId
from almanac.http.app_state import get_state
from almanac.http.problems import documented_problems
from almanac.http.reader_api import (
    ApiPart,
    ApiSentenceKey,
    ReadableDocumentBody,
    ReadableSentenceBody,
    describe_document,
    describe_sentence,
)
from almanac.reader import service as reader_service

router = new_router()
_CHANGED = documented_problems(409)


@router.get("/articles/{link_id}/sentences")
async def list_sentences(
    request: Request, link_id: RowId, _principal: Reader, part: ApiPart = ""
) -> ReadableDocumentBody:
    """Every generated sentence with the words that support it, and who checked it."""
    services = get_state(request).services
    document = await open_readable_story(services, link_id, part)
    return await describe_document(await reader_service.get_progress(services.database, document))


@router.get("/articles/{link_id}/sentences/{key}", responses=_CHANGED)
async def get_sentence(
    request: Request, link_id: RowId, key: ApiSentenceKey, _principal: Reader, part: ApiPart = ""
) -> ReadableSentenceBody:
    """One sentence with the whole texts of its sources."""
    services = get_state(request).services
    document = await open_readable_story(services, link_id, part)
    return await describe_sentence(await reader_service.get_progress(services.database, document), key)


@router.put("/articles/{link_id}/sentences/{key}/verdict", responses=_CHANGED)
async def check_sentence(
    request: Request, link_id: RowId, key: ApiSentenceKey, principal: Writer, part: ApiPart = ""
) -> ReadableSentenceBody:
    """Keep that you read the sentence beside its sources and vouch for it."""
    services = get_state(request).services
    document = await open_readable_story(services, link_id, part)
    await reader_service.check_sentence(services.database, services.clock, principal, document, key)
    return await describe_sentence(await reader_service.get_progress(services.database, document), key)


@router.delete("/articles/{link_id}/sentences/{key}/verdict", status_code=204, responses=documented_problems(404))
async def withdraw_verdict(
    request: Request, link_id: RowId, key: ApiSentenceKey, principal: Writer, part: ApiPart = ""
) -> None:
    """Take your own verdict back; others' stay."""
    services = get_state(request).services
    document = await open_readable_story(services, link_id, part)
    await reader_service.withdraw_verdict(services.database, services.clock, principal, document, key)
