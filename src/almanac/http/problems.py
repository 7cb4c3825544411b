"""Translates errors into responses: status, code, title and sentence; never a traceback."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from almanac.errors import AlmanacError, FieldErrors, StaleEdit, TooMany
from almanac.kit.catalogs import SOURCE_LANGUAGE
from almanac.kit.logs import request_id
from almanac.kit.messages import gettext, translate

MEDIA_TYPE = "application/problem+json"
log = logging.getLogger(__name__)

_BY_STATUS: Mapping[int, tuple[str, str, str]] = {
    400: ("invalid_input", gettext("The request isn't valid"), gettext("Check the request and send it again.")),
    401: ("sign_in_needed", gettext("Please sign in"), gettext("Sign in, or send a valid API token.")),
    403: ("not_allowed", gettext("You can't do that here"), gettext("Ask an administrator if you need this.")),
    404: ("not_found", gettext("Page not found"), gettext("Check the address, or go to the home page.")),
    405: ("method_not_allowed", gettext("Method not allowed"), gettext("This address doesn't accept that method.")),
    406: ("not_acceptable", gettext("Not available in that format"), gettext("Ask for another content type.")),
    409: ("conflict", gettext("This can't be done right now"), gettext("Check the current state and try again.")),
    410: ("gone", gettext("No longer available"), gettext("Request a new one.")),
    412: (
        "stale_edit",
        gettext("Somebody else changed this first"),
        gettext("Load the current version and make the change again."),
    ),
    413: ("too_large", gettext("Too large"), gettext("Send less at once.")),
    415: (
        "unsupported_media_type",
        gettext("Unsupported format"),
        gettext("Send the content type this address accepts."),
    ),
    422: (
        "invalid_fields",
        gettext("Some fields need to be corrected"),
        gettext("Correct the fields named and send it again."),
    ),
    428: ("edit_guard_missing", gettext("Version missing"), gettext("Send If-Match with the ETag that you read.")),
    429: ("too_many", gettext("Too many requests"), gettext("Wait a moment, then try again.")),
    500: (
        "internal_error",
        gettext("Something went wrong on our side"),
        gettext("Try again; if it happens again, tell an administrator the request id."),
    ),
    503: ("unavailable", gettext("Not available right now"), gettext("Nothing was lost. Try again in a minute.")),
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


def problem_response(problem: Problem, language: str = SOURCE_LANGUAGE) -> JSONResponse:
    """The problem as problem+json, its sentences in a language."""
    body = ProblemBody(
        type=f"urn:almanac:problem:{problem.code}",
        title=translate(problem.title, language),
        status=problem.status,
        detail=translate(problem.detail, language),
        code=problem.code,
        request_id=request_id.get(),
        fields={name: translate(text, language) for name, text in problem.fields.items()} or None,
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
    code, title, detail = _BY_STATUS.get(
        error.status_code, ("error", gettext("That didn't work"), gettext("Try again."))
    )
    sentence = error.detail if error.status_code == 413 else detail
    return Problem(error.status_code, code, title, sentence, headers=dict(error.headers or {}))


# What pydantic says is for programmers; the most usual of it in words for everybody.
_SENTENCES: Mapping[str, str] = {
    "missing": gettext("This is missing."),
    "int_parsing": gettext("Write a whole number."),
    "int_type": gettext("Write a whole number."),
    "bool_parsing": gettext("Write true or false."),
    "string_too_long": gettext("This is too long."),
    "too_long": gettext("This is too long."),
}


def _from_validation(error: RequestValidationError) -> Problem:
    """An address with an id that can't be one leads nowhere; everything else is about fields."""
    if any(item["loc"][:1] == ("path",) for item in error.errors()):
        code, title, detail = _BY_STATUS[404]
        return Problem(404, code, title, detail)
    code, title, detail = _BY_STATUS[422]
    fields = {
        _field_name(item["loc"]): _SENTENCES.get(item["type"]) or f"{str(item['msg']).removeprefix('Value error, ')}."
        for item in error.errors()
    }
    return Problem(422, code, title, detail, fields=fields)


def _field_name(location: tuple[str | int, ...]) -> str:
    """`("body", "email")` is about `email`; a problem with the whole body is about `body`."""
    parts = [str(part) for part in location[1:]] or [str(part) for part in location]
    return ".".join(parts)


PROBLEM_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}}


def documented_problems(*statuses: int) -> dict[int | str, dict[str, object]]:
    """The error responses of a route, for its OpenAPI description."""
    return {status: {"description": _BY_STATUS[status][1], "content": PROBLEM_CONTENT} for status in statuses}
