"""What the desk's API routes share: permissions, path parameters, and validated dates, times and amounts."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field

from almanac.accounts.model import Principal
from almanac.desks.reminders.model.ledger import FIRST_DAY, LAST_DAY, is_plausible_date
from almanac.desks.reminders.permissions import APPROVE, READ, SEND, WRITE
from almanac.errors import FieldErrors
from almanac.http.api_models import API_PREFIX, ApiModel, Text
from almanac.http.auth import require
from almanac.http.idempotency.route import IdempotentRoute
from almanac.kit.money import Money, currency_decimals

PREFIX = f"{API_PREFIX}/reminders"

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Approver = Annotated[Principal, require(APPROVE)]
Sender = Annotated[Principal, require(SEND)]


def _check_date(day: date) -> date:
    if not is_plausible_date(day):
        raise ValueError(f"Choose a day between {FIRST_DAY} and {LAST_DAY}")
    return day


def _check_moment(moment: datetime) -> datetime:
    _check_date(moment.date())
    return moment.astimezone(UTC)


CustomerId = Annotated[str, Path(min_length=1, max_length=100, description="The customer's id.")]
DraftId = Annotated[str, Path(min_length=1, max_length=200, description="Such as 20250921_143022_cust_001.")]
SentId = Annotated[str, Path(min_length=1, max_length=200, description="Such as 20250921_150000_first@cust_001.")]
HoldId = Annotated[str, Path(min_length=1, max_length=100)]
TemplateId = Annotated[str, Path(min_length=1, max_length=60, description="Such as reminder_first.")]
InvoiceNumber = Annotated[str, Path(min_length=1, max_length=100, description="The invoice's number.")]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Day = Annotated[date, AfterValidator(_check_date)]
Moment = Annotated[AwareDatetime, AfterValidator(_check_moment)]
MomentQuery = Annotated[Moment, Query(description="A time with its time zone, such as 2025-09-21T00:00:00Z.")]
Amount = Annotated[Decimal, Field(max_digits=15, decimal_places=3, description="An exact amount, preferably as text.")]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="Three capital letters, such as EUR.")]
Note = Annotated[Text, Field(description="A note for other people.")]


def new_router() -> APIRouter:
    """A router of this desk; POSTs may carry an Idempotency-Key."""
    return APIRouter(prefix=PREFIX, tags=["reminders"], route_class=IdempotentRoute)


def parse_money(amount: Decimal, currency: str, field: str = "amount") -> Money:
    """An amount in a currency. Refused, not rounded, if it has more decimals than the currency."""
    money = Money(amount, currency)
    if money.amount != amount:
        raise FieldErrors(
            {field: f"{currency} amounts have {currency_decimals(currency)} decimals; {amount} has more."}
        )
    return money


def _format_amount(value: object) -> object:
    return str(value.amount if isinstance(value, Money) else value) if isinstance(value, (Money, Decimal)) else value


# An exact amount in a response: text, so that no client reads it as a float.
AmountText = Annotated[str, BeforeValidator(_format_amount)]


class MoneyBody(ApiModel):
    """An exact amount as text, with its currency."""

    amount: AmountText
    currency: str

    @classmethod
    def from_model(cls, money: Money) -> "MoneyBody":
        return cls.model_validate(money)
