"""Passkeys on a page: the site that they belong to, and what the page's script sends and gets."""

from typing import Annotated

from fastapi import Form
from starlette.requests import Request
from starlette.responses import JSONResponse

from almanac.accounts.passkey_site import PasskeySite, passkey_address, passkey_site
from almanac.accounts.service import PasskeyAnswer, PasskeyRequest
from almanac.errors import Conflict
from almanac.http.app_state import get_state
from almanac.kit.messages import gettext

CeremonyField = Annotated[str, Form(max_length=200)]
CredentialField = Annotated[str, Form(max_length=20_000)]


def find_site(request: Request) -> PasskeySite | None:
    """The site of passkeys at the visited address; None where they don't work."""
    return passkey_site(get_state(request).services.settings.base_url, str(request.url))


def find_other_address(request: Request) -> str | None:
    """Where passkeys work, if they don't here."""
    return passkey_address(get_state(request).services.settings.base_url, str(request.url))


def require_site(request: Request) -> PasskeySite:
    """The site of passkeys, or a sentence on where they work."""
    site = find_site(request)
    if site is None:
        other = find_other_address(request)
        if other:
            raise Conflict(gettext("Passkeys don't work at this address; open %(address)s instead.", address=other))
        raise Conflict(
            gettext("Passkeys don't work at this address; they need a name and https as address, not a number.")
        )
    return site


def begin_response(begun: PasskeyRequest) -> JSONResponse:
    """What the page's script hands to the browser."""
    return JSONResponse({"ceremony": begun.ceremony, "options": begun.options})


def read_answer(request: Request, ceremony: str, credential: str) -> PasskeyAnswer:
    """What the page's script got from the browser."""
    return PasskeyAnswer(require_site(request), ceremony, credential)
