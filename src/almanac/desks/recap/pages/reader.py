"""A recap in the source reader: its sentences beside the speeches, checked one by one."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap.pages.layout import ArticleId, Reader, Writer
from almanac.desks.recap.service.reader import open_readable_recap
from almanac.desks.recap.urls import PREFIX, WORKSPACE
from almanac.http import reader
from almanac.http.app_state import get_state
from almanac.http.reader import PartName, SentenceKey, SentenceNumber
from almanac.kit.messages import gettext
from almanac.reader import service

router = APIRouter(prefix=PREFIX + "/articles/{article_id}/read")


@router.get("")
async def read_recap(
    request: Request, article_id: ArticleId, principal: Reader, part: PartName = "", sentence: SentenceNumber = 0
) -> Response:
    """The sentences of a level beside the words of the speeches that support them."""
    document = await open_readable_recap(get_state(request).services, article_id, part)
    crumbs = [(gettext("Recap"), PREFIX), (gettext("Meetings"), WORKSPACE.articles()), (document.title, document.path)]
    return await reader.show_reader(request, principal, document, sentence, crumbs)


@router.post("/sentences/{key}/check")
async def check_sentence(
    request: Request, article_id: ArticleId, key: SentenceKey, principal: Writer, part: PartName = ""
) -> Response:
    """Keep that the person checked a sentence beside its speeches."""
    services = get_state(request).services
    document = await open_readable_recap(services, article_id, part)
    change = service.check_sentence(services.database, services.clock, principal, document, key)
    return await reader.answer_verdict(request, document, key, WORKSPACE.reader(article_id), change)


@router.post("/sentences/{key}/withdraw")
async def withdraw_verdict(
    request: Request, article_id: ArticleId, key: SentenceKey, principal: Writer, part: PartName = ""
) -> Response:
    """Take the verdict on a sentence back."""
    services = get_state(request).services
    document = await open_readable_recap(services, article_id, part)
    change = service.withdraw_verdict(services.database, services.clock, principal, document, key)
    return await reader.answer_verdict(request, document, key, WORKSPACE.reader(article_id), change)
