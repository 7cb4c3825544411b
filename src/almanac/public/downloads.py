"""Stored files for programs: sent in pieces, so their size doesn't matter, with the digest of their content as tag."""

from email.utils import format_datetime

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from almanac.public import cache
from almanac.public.model import PublicDownload


async def send_download(request: Request, download: PublicDownload) -> Response:
    """The file, or 304 for whoever has it. HEAD opens nothing."""
    tag = f'"{download.digest}"'
    headers = {
        "ETag": tag,
        "Cache-Control": cache.CACHED,
        "Last-Modified": format_datetime(download.modified, usegmt=True),
        **cache.READABLE_ANYWHERE,
    }
    if cache.is_cached(request, tag):
        return Response(status_code=cache.NOT_MODIFIED, headers=headers)
    headers |= {
        "Content-Length": str(download.size),
        "Content-Disposition": f'attachment; filename="{download.name}"',
    }
    if request.method == "HEAD":
        return Response(headers=headers, media_type=download.media_type)
    return StreamingResponse(await download.open(), headers=headers, media_type=download.media_type)
