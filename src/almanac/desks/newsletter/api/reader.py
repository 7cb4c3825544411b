"""API: the sentences of a draft with the words of their sources, and people's verdicts."""

from fastapi import Request

from almanac.desks.newsletter.api.dependencies import Code, Reader, Writer, new_router
from almanac.desks.newsletter.service import sentences as sentence_service
from almanac.desks.newsletter.service.reader import open_readable_draft
from almanac.http.app_state import get_state
from almanac.http.problems import documented_problems
from almanac.http.reader_api import (
    ApiSentenceKey,
    ReadableDocumentBody,
    ReadableSentenceBody,
    describe_document,
    describe_sentence,
)
from almanac.reader import service as reader_service

router = new_router()
_CHANGED = documented_problems(409)


@router.get("/{code}/sentences")
async def list_sentences(request: Request, code: Code, principal: Reader) -> ReadableDocumentBody:
    """Every generated sentence with the words that support it, and who checked it."""
    services = get_state(request).services
    _, document = await open_readable_draft(services, principal, code)
    return await describe_document(await reader_service.get_progress(services.database, document))


@router.get("/{code}/sentences/{key}", responses=_CHANGED)
async def get_sentence(request: Request, code: Code, key: ApiSentenceKey, principal: Reader) -> ReadableSentenceBody:
    """One sentence with the whole texts of its sources."""
    services = get_state(request).services
    _, document = await open_readable_draft(services, principal, code)
    return await describe_sentence(await reader_service.get_progress(services.database, document), key)


@router.put("/{code}/sentences/{key}/verdict", responses=_CHANGED)
async def check_sentence(request: Request, code: Code, key: ApiSentenceKey, principal: Writer) -> ReadableSentenceBody:
    """Keep that you read the sentence beside its sources and vouch for it."""
    services = get_state(request).services
    _, document = await open_readable_draft(services, principal, code)
    await reader_service.check_sentence(services.database, services.clock, principal, document, key)
    return await describe_sentence(await reader_service.get_progress(services.database, document), key)


@router.delete("/{code}/sentences/{key}/verdict", status_code=204, responses=documented_problems(404))
async def withdraw_verdict(request: Request, code: Code, key: ApiSentenceKey, principal: Writer) -> None:
    """Take your own verdict back; others' stay."""
    services = get_state(request).services
    await sentence_service.withdraw_verdict(services, principal, code, key)
