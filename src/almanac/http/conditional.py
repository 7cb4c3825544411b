"""Conditional GET (RFC 9110): a body with its ETag and date, or "not modified" for who has it already."""

import hashlib
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from starlette.requests import Request
from starlette.responses import Response

from almanac.http.etags import etag

NOT_MODIFIED = 304


def conditional(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    modified: datetime | None = None,
    cache: str = "private, no-cache",
) -> Response:
    """The body, unless the client says that it holds exactly this one. The ETag is the body's own hash."""
    tag = etag(hashlib.sha256(body).hexdigest()[:32])
    headers = {"ETag": tag, "Cache-Control": cache}
    if modified is not None:
        headers["Last-Modified"] = format_datetime(modified.astimezone(UTC), usegmt=True)
    if _has_it(request, tag, modified):
        return Response(status_code=NOT_MODIFIED, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _has_it(request: Request, tag: str, modified: datetime | None) -> bool:
    """A date is looked at only where no ETag is sent: within one second, or after a removal, it can't tell."""
    if (known := request.headers.get("If-None-Match")) is not None:
        return known.strip() == "*" or tag in {one.strip().removeprefix("W/") for one in known.split(",")}
    since = _moment(request.headers.get("If-Modified-Since"))
    return since is not None and modified is not None and modified.replace(microsecond=0) <= since


def _moment(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text) if text else None
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
