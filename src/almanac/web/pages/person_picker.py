"""Choosing a person by name: suggestions while somebody types, and whom a typed name or address means."""

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from almanac.accounts import service as accounts
from almanac.accounts.fields import is_email
from almanac.accounts.model import Principal, User
from almanac.accounts.service import UserFilter
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.services import Services

pages = APIRouter(prefix="/people/names")
MAX_SUGGESTIONS, MAX_MATCHES = 10, 50
_EMAIL_AT_END = re.compile(r"\(([^()\s]+@[^()\s]+)\)$")


@dataclass(frozen=True, slots=True)
class PersonChoice:
    """The address of the person that a text means; or else why it means nobody, and whom it may mean."""

    email: str = ""
    error: str = ""
    matches: tuple[tuple[str, str], ...] = ()


@pages.get("")
async def suggest_people(
    request: Request,
    principal: Annotated[Principal, require("users.manage")],
    q: Annotated[str, Query(max_length=300)] = "",
) -> Response:
    """Active people whose name or address holds this, for the list below a field."""
    wanted = UserFilter(text=one_line(q) or None, active=True)
    listed = await accounts.list_users(get_state(request).services.accounts, principal, wanted, limit=MAX_SUGGESTIONS)
    return JSONResponse([{"value": label_person(user)} for user in listed.items])


def label_person(user: User) -> str:
    """A person as people recognise them; `choose_person` understands the label."""
    return f"{user.name} ({user.email})"


async def choose_person(services: Services, principal: Principal, text: str) -> PersonChoice:
    """The person with this label, address or name, or the only one whose name or address holds the text."""
    typed = one_line(text)
    if not typed:
        return PersonChoice(error=gettext("Choose a person."))
    labelled = _EMAIL_AT_END.search(typed)
    email = labelled[1] if labelled else typed
    if is_email(email):
        try:
            return PersonChoice((await accounts.get_user_by_email(services.accounts, principal, email)).email)
        except NotFound:
            return PersonChoice(error=gettext("Nobody here has this address; invite them first."))
    wanted = UserFilter(text=typed, active=True)
    listed = (await accounts.list_users(services.accounts, principal, wanted, limit=MAX_MATCHES)).items
    same = [user for user in listed if user.name.casefold() == typed.casefold()]
    if len(same) == 1 or len(listed) == 1:
        return PersonChoice((same or listed)[0].email)
    if not listed:
        return PersonChoice(error=gettext("Nobody here has this name or address; invite them first."))
    return PersonChoice(
        error=gettext("Several people match; choose one."),
        matches=tuple((user.email, label_person(user)) for user in listed),
    )
