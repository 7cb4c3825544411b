"""The choice of the interface language by somebody who is signed in; others choose by `?lang=`."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.pages import FormText, redirect, safe_local_path
from almanac.kit.catalogs import INTERFACE_LANGUAGES
from almanac.kit.messages import gettext

pages = APIRouter()

Myself = Annotated[Principal, require("account.own")]


@pages.post("/language")
async def choose_language(
    request: Request, principal: Myself, language: FormText = "", next_path: Annotated[str, Form(alias="next")] = "/"
) -> Response:
    """Show pages and send mails in this language from now on."""
    if language not in INTERFACE_LANGUAGES:
        raise FieldErrors({"language": gettext("Choose one of the languages listed.")})
    state = get_state(request)
    preferences = replace(principal.preferences, language=language)
    await accounts.set_preferences(state.services.accounts, principal, preferences)
    response = redirect(request, safe_local_path(next_path))
    state.cookies.set_language(response, language)
    return response
