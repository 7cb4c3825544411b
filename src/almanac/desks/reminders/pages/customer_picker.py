"""Choosing a customer by name: suggestions while somebody types, and which customer a typed name or id means."""

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.pages.layout import PREFIX, Reader
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.name_picker import MAX_MATCHES, MAX_SUGGESTIONS, NameChoice, NamePicker
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/customer-names")
_ID_AT_END = re.compile(r"\(([^()\s]+)\)$")


CUSTOMERS: NamePicker[Customer] = NamePicker(
    name=lambda customer: customer.name,
    key=lambda customer: customer.id,
    none_match=gettext("No customer's name starts with this, and none has this id."),
    several_match=gettext("Several customers match; choose one."),
)


@router.get("")
async def suggest_customers(
    request: Request, principal: Reader, q: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    """Customers whose name begins like this, for the list below a field."""
    services = get_state(request).services
    listed = await service.list_customers(services, principal, name_prefix=q, limit=MAX_SUGGESTIONS)
    return CUSTOMERS.suggest(listed.items)


async def choose_customer(services: Services, principal: Principal, text: str) -> NameChoice:
    """The customer with this label, id or name, or the only one whose name begins so."""
    typed = one_line(text)
    if not typed:
        return NameChoice(error=gettext("Choose a customer."))
    labelled = _ID_AT_END.search(typed)
    for customer_id in (labelled[1], typed) if labelled else (typed,):
        if await service.customer_exists(services, principal, customer_id):
            return NameChoice(customer_id)
    listed = (await service.list_customers(services, principal, name_prefix=typed, limit=MAX_MATCHES)).items
    return CUSTOMERS.choose(typed, listed)


async def describe_customer(services: Services, principal: Principal, customer_id: str) -> str:
    """The label of a customer; the text itself if no customer has this id."""
    try:
        return CUSTOMERS.label(await service.get_customer(services, principal, customer_id))
    except NotFound:
        return customer_id
