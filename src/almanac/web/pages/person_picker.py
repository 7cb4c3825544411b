"""Choosing a person by name: suggestions while somebody types, and whom a typed name or address means."""

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.fields import is_email
from almanac.accounts.model import Principal, User
from almanac.accounts.service import UserFilter
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.name_picker import MAX_MATCHES, MAX_SUGGESTIONS, NameChoice, NamePicker
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.services import Services

pages = APIRouter(prefix="/people/names")
_EMAIL_AT_END = re.compile(r"\(([^()\s]+@[^()\s]+)\)$")


PEOPLE: NamePicker[User] = NamePicker(
    name=lambda user: user.name,
    key=lambda user: user.email,
    none_match=gettext("Nobody here has this name or address; invite them first."),
    several_match=gettext("Several people match; choose one."),
)


@pages.get("")
async def suggest_people(
    request: Request,
    principal: Annotated[Principal, require("users.manage")],
    q: Annotated[str, Query(max_length=300)] = "",
) -> Response:
    """Active people whose name or address holds this, for the list below a field."""
    wanted = UserFilter(text=one_line(q) or None, active=True)
    listed = await accounts.list_users(get_state(request).services.accounts, principal, wanted, limit=MAX_SUGGESTIONS)
    return PEOPLE.suggest(listed.items)


async def choose_person(services: Services, principal: Principal, text: str) -> NameChoice:
    """The person with this label, address or name, or the only one whose name or address holds the text."""
    typed = one_line(text)
    if not typed:
        return NameChoice(error=gettext("Choose a person."))
    labelled = _EMAIL_AT_END.search(typed)
    email = labelled[1] if labelled else typed
    if is_email(email):
        try:
            return NameChoice((await accounts.get_user_by_email(services.accounts, principal, email)).email)
        except NotFound:
            return NameChoice(error=gettext("Nobody here has this address; invite them first."))
    wanted = UserFilter(text=typed, active=True)
    listed = (await accounts.list_users(services.accounts, principal, wanted, limit=MAX_MATCHES)).items
    return PEOPLE.choose(typed, listed)
