"""Errors for programs that read the public side: the same statuses as for people, as problem+json (RFC 9457)."""

from collections.abc import Mapping

from starlette.responses import Response

from almanac.errors import FieldErrors, InputError
from almanac.kit.json_text import encode_json
from almanac.public import cache

PROGRAM_PATHS = ("/data/", "/files/", "/oembed")
_SENTENCES = {
    404: "There is nothing at this address; check the id and the filters.",
    405: "This address can only be read.",
    410: "It was published here and has been withdrawn.",
    429: "Too many requests; wait as long as Retry-After says.",
    501: "Only JSON can be asked for.",
    503: "Not available right now; try again in a minute.",
}


def explain_to_programs(status: int, headers: Mapping[str, str]) -> Response:
    """What went wrong, for a program."""
    return _problem(status, _SENTENCES.get(status, "This can't be done."), headers)


def explain_input(error: InputError) -> Response:
    """Which parameter can't be used, and why."""
    fields = error.fields if isinstance(error, FieldErrors) else {}
    detail = " ".join(f"{name}: {words}" for name, words in fields.items()) or error.sentence
    return _problem(400, "A parameter can't be used.", {"Cache-Control": cache.BRIEFLY}, detail=detail)


def _problem(status: int, title: str, headers: Mapping[str, str], **more: str) -> Response:
    body = {"type": "about:blank", "status": status, "title": title, **more}
    return Response(
        encode_json(body),
        status,
        headers={**headers, **cache.READABLE_ANYWHERE},
        media_type="application/problem+json",
    )
