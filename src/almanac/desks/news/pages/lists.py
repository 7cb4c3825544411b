"""Lists of feeds from and for other readers, as OPML."""

from fastapi import APIRouter, Request, UploadFile
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.pages.layout import PREFIX, Editor, Reader
from almanac.desks.news.service.feeds import IMPORTED
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.responses import download_response
from almanac.kit.text import counted

router = APIRouter(prefix=PREFIX + "/feeds")


@router.get("/opml")
async def take_feeds(request: Request, _principal: Reader) -> Response:
    """Every feed of every task in a file."""
    content = await service.export_opml(get_state(request).services)
    return download_response(content, "almanac.opml", "text/x-opml")


@router.post("/opml")
async def bring_feeds(
    request: Request, principal: Editor, file: UploadFile | None = None, task_name: FormText = ""
) -> Response:
    """Add the feeds of a file to a task, which is made where there is none."""
    if file is None or not file.filename:
        raise InputError("Choose a file first: the list of feeds (OPML) that another reader has exported.")
    name = task_name.strip() or IMPORTED
    feeds = await service.import_opml(get_state(request).services, principal, await file.read(), task_name=name)
    return redirect_with_message(request, f"{PREFIX}/tasks", f"{counted(feeds, 'feed')} brought to the task “{name}”.")
