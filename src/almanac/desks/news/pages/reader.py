"""A story in the source reader: its points beside the article, checked one by one."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.news.pages.layout import PREFIX, Reader, RowNumber
from almanac.desks.news.pages.story_view import choose_languages
from almanac.desks.news.permissions import WRITE
from almanac.desks.news.service.reader import open_readable_story
from almanac.desks.news.urls import story_path
from almanac.http import reader
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.reader import PartName, SentenceNumber
from almanac.kit.messages import gettext
from almanac.reader.model import ReadableDocument

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


async def _open(request: Request, number: RowNumber, part: PartName = "") -> ReadableDocument:
    return await open_readable_story(get_state(request).services, number, part)


reader.add_verdict_routes(router, _open, require(WRITE))
