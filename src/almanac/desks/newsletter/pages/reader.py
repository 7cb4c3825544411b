"""A draft in the source reader: its sentences beside the passages they cite, checked one by one."""

from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.newsletter.pages.layout import Code, Reader, Writer
from almanac.desks.newsletter.service.reader import note_changed_sources, open_readable_draft
from almanac.desks.newsletter.service.sentences import confirm_sentence, withdraw_verdict
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.http import reader
from almanac.http.app_state import get_state
from almanac.http.reader import SentenceKey, SentenceNumber
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/{code}/read")


@router.get("")
async def read_draft(request: Request, code: Code, principal: Reader, sentence: SentenceNumber = 0) -> Response:
    """The sentences of the draft beside the words of their sources."""
    services = get_state(request).services
    full, document = await open_readable_draft(services, principal, code)
    crumbs = [(gettext("Newsletter"), PREFIX), (document.title, document.path)]
    note_sources = partial(note_changed_sources, services, full)
    return await reader.show_reader(request, principal, document, sentence, crumbs, note_sources=note_sources)


@router.post("/sentences/{key}/check")
async def check_sentence(request: Request, code: Code, key: SentenceKey, principal: Writer) -> Response:
    """Keep that the person checked a sentence beside its sources."""
    services = get_state(request).services
    _, document = await open_readable_draft(services, principal, code)
    change = confirm_sentence(services, principal, code, key)
    return await reader.answer_verdict(request, document, key, newsletter_path(code, "read"), change)


@router.post("/sentences/{key}/withdraw")
async def take_verdict_back(request: Request, code: Code, key: SentenceKey, principal: Writer) -> Response:
    """Take the verdict on a sentence back; a newsletter that rested on it becomes a draft again."""
    services = get_state(request).services
    _, document = await open_readable_draft(services, principal, code)
    change = withdraw_verdict(services, principal, code, key)
    return await reader.answer_verdict(request, document, key, newsletter_path(code, "read"), change)
