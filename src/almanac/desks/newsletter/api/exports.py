"""API, step 4: exports of an issue and the files they leave."""

from typing import Annotated

from fastapi import Path, Request
from starlette.responses import Response, StreamingResponse

from almanac.desks.newsletter import service
from almanac.desks.newsletter.api.dependencies import Author, Code, Reader, StartedBody, new_router
from almanac.http.app_state import get_state
from almanac.http.problems import documented_problems
from almanac.http.responses import attachment_header

router = new_router()
FormatName = Annotated[str, Path(alias="format", max_length=20, description="pdf, docx, html, web, markdown or text.")]


@router.post("/{code}/exports/{format}", status_code=202, responses=documented_problems(409))
async def start_export(request: Request, code: Code, name: FormatName, principal: Author) -> StartedBody:
    """Write the issue in a format, in a job. Unsupported sentences stand in the way."""
    return StartedBody.of(await service.start_export(get_state(request).services, principal, code, name))


@router.get(
    "/{code}/exports/{format}",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "The file."}},
)
async def get_export(request: Request, code: Code, name: FormatName, principal: Reader) -> Response:
    """The file as it was last exported."""
    file = await service.open_export(get_state(request).services, principal, code, name)
    headers = {
        **attachment_header(file.name),
        "Content-Length": str(file.content.info.size),
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(file.content.chunks, media_type=file.media_type, headers=headers)
