"""Parsers for dates, numbers and amounts in forms; errors name their field."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from almanac.desks.reminders.model.ledger import AMOUNT_LIMIT
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext
from almanac.kit.money import Money, currency_decimals

T = TypeVar("T")


class FieldErrorCollector:
    """Parses fields one by one and collects their errors, so that a person sees all of them at once."""

    def __init__(self) -> None:
        self.errors: dict[str, str] = {}

    def __call__(self, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except FieldErrors as error:
            self.errors.update(error.fields)
            return None

    def raise_errors(self) -> None:
        """FieldErrors if any field was invalid."""
        if self.errors:
            raise FieldErrors(self.errors)


def parse_day_field(text: str, field: str) -> date:
    """A required date."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise FieldErrors({field: gettext("Enter a date, such as 2026-03-31.")}) from None


def parse_optional_day(text: str, field: str) -> date | None:
    """A date, or None if the field is empty."""
    return parse_day_field(text, field) if text.strip() else None


def parse_amount_field(text: str, field: str) -> Decimal:
    """An amount with a decimal point; commas as thousands separators are allowed."""
    try:
        amount = Decimal(text.replace(",", "").strip())
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or abs(amount) >= AMOUNT_LIMIT:
        raise FieldErrors({field: gettext("Enter an amount, such as 1500.00.")})
    return amount


def parse_money_field(text: str, currency: str, field: str = "amount") -> Money:
    """An amount in a currency, with no more decimals than the currency has."""
    amount = parse_amount_field(text, field)
    try:
        money = Money(amount, currency.strip().upper())
    except ValueError:
        raise FieldErrors({"currency": gettext("Enter a currency code such as EUR.")}) from None
    if money.amount != amount:
        raise FieldErrors({field: f"{money.currency} amounts have {currency_decimals(money.currency)} decimals."})
    return money


def parse_count_field(text: str, field: str) -> int:
    """A whole number from 0."""
    if not text.strip().isdecimal() or len(text.strip()) > 6:
        raise FieldErrors({field: gettext("Enter a whole number, 0 or more.")})
    return int(text)
