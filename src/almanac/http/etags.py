"""ETags: conditional GET (RFC 9110), and If-Match on edits so that no update is lost."""

import hashlib
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Annotated, Protocol, TypeVar

from fastapi import Header
from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import EditGuardMissing, InputError, StaleEdit
from almanac.kit.messages import gettext

IfMatch = Annotated[str | None, Header(alias="If-Match", description="The ETag of the version that this edit changes.")]


def etag(version: int | str) -> str:
    """A strong ETag."""
    return f'"{version}"'


class Versioned(Protocol):
    """Something whose version rises with each edit."""

    @property
    def version(self) -> int: ...


T = TypeVar("T", bound=Versioned)


def with_etag(response: Response, item: T) -> T:
    """Set the ETag header to the item's version and return the item."""
    response.headers["ETag"] = etag(item.version)
    return item


def parse_if_match(if_match: str | None) -> int:
    """The version in If-Match. EditGuardMissing without one: the edit could overwrite somebody's work."""
    if not if_match:
        raise EditGuardMissing(
            gettext("Send If-Match with the ETag that you read, so that nobody's change is overwritten.")
        )
    value = if_match.strip().removeprefix("W/").strip('"')
    if not value.isdecimal() or len(value) > 18:
        raise InputError('If-Match must be the ETag as it was sent, such as "3".')
    return int(value)


def check_version(if_match: str | None, current: int) -> None:
    """StaleEdit if the edit was made on another version than the current one."""
    if parse_if_match(if_match) != current:
        raise StaleEdit(
            gettext("Somebody else changed this first; load it again and repeat your change."), str(current)
        )


NOT_MODIFIED = 304


def conditional_response(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    modified: datetime | None = None,
    cache: str = "private, no-cache",
) -> Response:
    """The body, or 304 if the client has it already. The ETag is the hash of the body."""
    tag = etag(hashlib.sha256(body).hexdigest()[:32])
    headers = {"ETag": tag, "Cache-Control": cache}
    if modified is not None:
        headers["Last-Modified"] = format_datetime(modified.astimezone(UTC), usegmt=True)
    if _is_cached(request, tag, modified):
        return Response(status_code=NOT_MODIFIED, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _is_cached(request: Request, tag: str, modified: datetime | None) -> bool:
    """If-Modified-Since counts only without an ETag: it can't see changes within a second, or removals."""
    if (tags := request.headers.get("If-None-Match")) is not None:
        return tags.strip() == "*" or tag in {tag_text.strip().removeprefix("W/") for tag_text in tags.split(",")}
    since = _parse_date(request.headers.get("If-Modified-Since"))
    return since is not None and modified is not None and modified.replace(microsecond=0) <= since


def _parse_date(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text) if text else None
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
