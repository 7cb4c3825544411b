"""Help: the documentation inside the product, with its search; every signed-in person may read it."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response

from almanac.accounts.model import Principal
from almanac.http.auth import signed_in
from almanac.http.pages import render_page
from almanac.web.palette import help_finder, help_library

pages = APIRouter(prefix="/help")
_IMAGE_CACHE = "private, max-age=3600"

Reader = Annotated[Principal, signed_in()]


@pages.get("")
async def show_start(request: Request, _principal: Reader, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The list of all pages, or the sections that match."""
    hits = await asyncio.to_thread(help_finder().find, q) if q.strip() else []
    page = help_library().page("README")
    return await render_page(request, "help.html", page=page, q=q, hits=hits)


@pages.get("/images/{name}")
async def show_image(name: str, _principal: Reader) -> Response:
    """An image of the documentation."""
    return FileResponse(help_library().image(f"images/{name}"), headers={"Cache-Control": _IMAGE_CACHE})


@pages.get("/{name:path}")
async def show_page(request: Request, name: str, _principal: Reader) -> Response:
    """A page of the documentation."""
    page = await asyncio.to_thread(help_library().page, name)
    return await render_page(request, "help.html", page=page, q="", hits=[])
