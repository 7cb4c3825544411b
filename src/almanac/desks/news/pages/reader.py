"""A story in the source reader: its points beside the article, checked one by one."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.news.pages.layout import PREFIX, Reader, RowNumber, Writer
from almanac.desks.news.pages.story_view import choose_languages
from almanac.desks.news.service.reader import open_readable_story
from almanac.desks.news.urls import reader_path, story_path
from almanac.http import reader
from almanac.http.app_state import get_state
from almanac.http.reader import PartName, SentenceKey, SentenceNumber
from almanac.kit.messages import gettext
from almanac.reader import service

router = APIRouter(prefix=PREFIX + "/stories/{number}/read")


@router.get("")
async def read_story(
    request: Request, number: RowNumber, principal: Reader, part: PartName = "", sentence: SentenceNumber = 0
) -> Response:
    """The points in a language beside the words of the article that support them."""
    language = part or choose_languages(request).language
    document = await open_readable_story(get_state(request).services, number, language)
    crumbs = [(gettext("News"), PREFIX), (document.title, story_path(number))]
    return await reader.show_reader(request, principal, document, sentence, crumbs)


@router.post("/sentences/{key}/check")
async def check_sentence(
    request: Request, number: RowNumber, key: SentenceKey, principal: Writer, part: PartName = ""
) -> Response:
    """Keep that the person checked a point beside the article."""
    services = get_state(request).services
    document = await open_readable_story(services, number, part)
    change = service.check_sentence(services.database, services.clock, principal, document, key)
    return await reader.answer_verdict(request, document, key, reader_path(number), change)


@router.post("/sentences/{key}/withdraw")
async def withdraw_verdict(
    request: Request, number: RowNumber, key: SentenceKey, principal: Writer, part: PartName = ""
) -> Response:
    """Take the verdict on a point back."""
    services = get_state(request).services
    document = await open_readable_story(services, number, part)
    change = service.withdraw_verdict(services.database, services.clock, principal, document, key)
    return await reader.answer_verdict(request, document, key, reader_path(number), change)
