"""What pages with forms share: fields as text, the version a form was made from, and the way on after a change."""

from typing import Annotated

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from almanac.errors import InputError
from almanac.http.cookies import Flash
from almanac.http.pages import redirect

Word = Annotated[str, Form()]
Words = Annotated[list[str] | None, Form()]


def version_in(form_value: str) -> int:
    """The version that a form was made from."""
    if not form_value.isdecimal() or len(form_value) > 12:
        raise InputError("This form is incomplete; load the page again and repeat your change.")
    return int(form_value)


def back_to(request: Request, path: str, words: str = "", *, undo: str = "") -> Response:
    """Send the browser on after a change."""
    return redirect(request, path, Flash(words, undo=undo) if words else None)


def is_fragment(request: Request) -> bool:
    """Whether the page's own script asks, and not a browser that loads a page."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"
