"""Choosing a customer by name: suggestions while somebody types, and which customer a typed name or id means."""

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.pages.layout import PREFIX, Reader
from almanac.errors import FieldErrors, NotFound
from almanac.http.app_state import get_state
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/customer-names")
MAX_SUGGESTIONS, MAX_MATCHES = 10, 50
_ID_AT_END = re.compile(r"\(([^()\s]+)\)$")


@dataclass(frozen=True, slots=True)
class CustomerChoice:
    """The customer that a text means; or else why there is none, and the customers it may mean as (id, label)."""

    customer_id: str = ""
    error: str = ""
    matches: tuple[tuple[str, str], ...] = ()

    @property
    def errors(self) -> dict[str, str]:
        return {"customer_id": self.error} if self.error else {}

    def require(self) -> None:
        """FieldErrors unless the text means a customer."""
        if self.error:
            raise FieldErrors(self.errors)


@router.get("")
async def suggest_customers(
    request: Request, principal: Reader, q: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    """Customers whose name begins like this, for the list below a field."""
    services = get_state(request).services
    listed = await service.list_customers(services, principal, name_prefix=q, limit=MAX_SUGGESTIONS)
    return JSONResponse([{"value": label_customer(customer)} for customer in listed.items])


def label_customer(customer: Customer) -> str:
    """A customer as people recognise it; `choose_customer` understands the label."""
    return f"{customer.name} ({customer.id})"


async def choose_customer(services: Services, principal: Principal, text: str) -> CustomerChoice:
    """The customer with this label, id or name, or the only one whose name begins so."""
    typed = one_line(text)
    if not typed:
        return CustomerChoice(error=gettext("Choose a customer."))
    labelled = _ID_AT_END.search(typed)
    for customer_id in (labelled[1], typed) if labelled else (typed,):
        if await service.customer_exists(services, principal, customer_id):
            return CustomerChoice(customer_id)
    listed = (await service.list_customers(services, principal, name_prefix=typed, limit=MAX_MATCHES)).items
    same = [customer for customer in listed if customer.name.casefold() == typed.casefold()]
    if len(same) == 1 or len(listed) == 1:
        return CustomerChoice((same or listed)[0].id)
    if not listed:
        return CustomerChoice(error=gettext("No customer's name starts with this, and none has this id."))
    return CustomerChoice(
        error=gettext("Several customers match; choose one."),
        matches=tuple((customer.id, label_customer(customer)) for customer in listed),
    )


async def describe_customer(services: Services, principal: Principal, customer_id: str) -> str:
    """The label of a customer; the text itself if no customer has this id."""
    try:
        return label_customer(await service.get_customer(services, principal, customer_id))
    except NotFound:
        return customer_id
