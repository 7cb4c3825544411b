"""A recap in the source reader: its sentences beside the speeches, checked one by one."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap.pages.layout import ArticleId, Reader
from almanac.desks.recap.permissions import WRITE
from almanac.desks.recap.service.reader import open_readable_recap
from almanac.desks.recap.urls import PREFIX, WORKSPACE
from almanac.http import reader
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.reader import PartName, SentenceNumber
from almanac.kit.messages import gettext
from almanac.reader.model import ReadableDocument

router = APIRouter(prefix=PREFIX + "/articles/{article_id}/read")


@router.get("")
async def read_recap(
    request: Request, article_id: ArticleId, principal: Reader, part: PartName = "", sentence: SentenceNumber = 0
) -> Response:
    """The sentences of a level beside the words of the speeches that support them."""
    document = await open_readable_recap(get_state(request).services, article_id, part)
    crumbs = [(gettext("Recap"), PREFIX), (gettext("Meetings"), WORKSPACE.articles()), (document.title, document.path)]
    return await reader.show_reader(request, principal, document, sentence, crumbs)


async def _open(request: Request, article_id: ArticleId, part: PartName = "") -> ReadableDocument:
    return await open_readable_recap(get_state(request).services, article_id, part)


reader.add_verdict_routes(router, _open, require(WRITE))
