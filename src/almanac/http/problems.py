"""Translates errors into responses: status, code, title and sentence; never a traceback."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from almanac.errors import AlmanacError, FieldErrors, StaleEdit, TooMany
from almanac.kit.logs import request_id

MEDIA_TYPE = "application/problem+json"
log = logging.getLogger(__name__)

_BY_STATUS: Mapping[int, tuple[str, str, str]] = {
    400: ("invalid_input", "The request isn't valid", "Check the request and send it again."),
    401: ("sign_in_needed", "Please sign in", "Sign in, or send a valid API token."),
    403: ("not_allowed", "You can't do that here", "Ask an administrator if you need this."),
    404: ("not_found", "Page not found", "Check the address, or go to the home page."),
    405: ("method_not_allowed", "Method not allowed", "This address doesn't accept that method."),
    406: ("not_acceptable", "Not available in that format", "Ask for another content type."),
    409: ("conflict", "This can't be done right now", "Check the current state and try again."),
    410: ("gone", "No longer available", "Request a new one."),
    412: ("stale_edit", "Somebody else changed this first", "Load the current version and make the change again."),
    413: ("too_large", "Too large", "Send less at once."),
    415: ("unsupported_media_type", "Unsupported format", "Send the content type this address accepts."),
    422: ("invalid_fields", "Some fields need to be corrected", "Correct the fields named and send it again."),
    428: ("edit_guard_missing", "Version missing", "Send If-Match with the ETag that you read."),
    429: ("too_many", "Too many requests", "Wait a moment, then try again."),
    500: (
        "internal_error",
        "Something went wrong on our side",
        "Try again; if it happens again, tell an administrator the request id.",
    ),
    503: ("unavailable", "Not available right now", "Nothing was lost. Try again in a minute."),
}


class ProblemBody(BaseModel):
    """An error as problem+json (RFC 9457), with a stable code and the id of the request."""

    type: str = Field(examples=["urn:almanac:problem:not_found"])
    title: str
    status: int
    detail: str
    code: str
    request_id: str | None = None
    fields: dict[str, str] | None = Field(None, description="One sentence for each invalid field.")
    current: str | None = Field(None, description="The current version, if an edit was stale.")


RETRY_AFTER_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Problem:
    """An error ready to be shown to a person or a program."""

    status: int
    code: str
    title: str
    detail: str
    fields: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    current: str | None = None


def problem_from(error: Exception) -> Problem:
    """Translate any error. One that isn't an AlmanacError becomes a plain 500; its cause is only in the log."""
    if isinstance(error, AlmanacError):
        return _from_ours(error)
    if isinstance(error, RequestValidationError):
        return _from_validation(error)
    if isinstance(error, HTTPException):
        return _from_framework(error)
    code, title, detail = _BY_STATUS[500]
    return Problem(500, code, title, detail)


def problem_response(problem: Problem) -> JSONResponse:
    """The problem as problem+json."""
    body = ProblemBody(
        type=f"urn:almanac:problem:{problem.code}",
        title=problem.title,
        status=problem.status,
        detail=problem.detail,
        code=problem.code,
        request_id=request_id.get(),
        fields=problem.fields or None,
        current=problem.current,
    )
    return JSONResponse(
        body.model_dump(exclude_none=True), problem.status, headers=problem.headers, media_type=MEDIA_TYPE
    )


def _from_ours(error: AlmanacError) -> Problem:
    _, title, _ = _BY_STATUS.get(error.status, _BY_STATUS[500])
    return Problem(
        error.status,
        error.code,
        title,
        error.sentence,
        fields=error.fields if isinstance(error, FieldErrors) else {},
        headers=_headers_of(error),
        current=error.current if isinstance(error, StaleEdit) else None,
    )


def _headers_of(error: AlmanacError) -> dict[str, str]:
    if isinstance(error, TooMany):
        return {"Retry-After": str(error.retry_after)}
    if error.status == 503:
        return {"Retry-After": str(RETRY_AFTER_SECONDS)}
    if isinstance(error, StaleEdit):
        return {"ETag": f'"{error.current}"'}
    return {"WWW-Authenticate": 'Bearer realm="almanac"'} if error.status == 401 else {}


def _from_framework(error: HTTPException) -> Problem:
    code, title, detail = _BY_STATUS.get(error.status_code, ("error", "That didn't work", "Try again."))
    sentence = error.detail if error.status_code == 413 else detail
    return Problem(error.status_code, code, title, sentence, headers=dict(error.headers or {}))


def _from_validation(error: RequestValidationError) -> Problem:
    code, title, detail = _BY_STATUS[422]
    fields = {_field_name(item["loc"]): f"{str(item['msg']).removeprefix('Value error, ')}." for item in error.errors()}
    return Problem(422, code, title, detail, fields=fields)


def _field_name(location: tuple[str | int, ...]) -> str:
    """`("body", "email")` is about `email`; a problem with the whole body is about `body`."""
    parts = [str(part) for part in location[1:]] or [str(part) for part in location]
    return ".".join(parts)


PROBLEM_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}}


def documented_problems(*statuses: int) -> dict[int | str, dict[str, object]]:
    """The error responses of a route, for its OpenAPI description."""
    return {status: {"description": _BY_STATUS[status][1], "content": PROBLEM_CONTENT} for status in statuses}
