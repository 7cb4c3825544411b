"""Money: an exact decimal amount with its currency; amounts of different currencies never mix."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from functools import lru_cache
from typing import Self

_NO_MINOR_UNIT = frozenset("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split())
_THREE_PLACES = frozenset("BHD IQD JOD KWD LYD OMR TND".split())


def currency_decimals(currency: str) -> int:
    """How many decimal places amounts of this currency have."""
    if currency in _NO_MINOR_UNIT:
        return 0
    return 3 if currency in _THREE_PLACES else 2


@lru_cache(maxsize=256)
def _smallest(currency: str) -> Decimal:
    """The smallest unit of a currency; a ledger asks for the same few again and again."""
    if not (len(currency) == 3 and currency.isascii() and currency.isupper()):
        raise ValueError(f"{currency!r} isn't a currency code; use three capital letters such as EUR.")
    return Decimal(1).scaleb(-currency_decimals(currency))


@dataclass(frozen=True, slots=True, order=False)
class Money:
    """An amount rounded to its currency's smallest unit. Floats are refused: they can't hold a cent."""

    amount: Decimal
    currency: str

    def __post_init__(self) -> None:
        if isinstance(self.amount, float):
            raise TypeError("Money takes a Decimal, an int or text, never a float.")
        step = _smallest(self.currency)
        amount = Decimal(self.amount)
        if not amount.is_finite():
            raise ValueError(f"{self.amount} isn't an amount of money.")
        if amount is not self.amount or not amount.same_quantum(step):
            object.__setattr__(self, "amount", amount.quantize(step, rounding=ROUND_HALF_EVEN))

    @classmethod
    def parse(cls, text: str, currency: str) -> Self:
        """Read an amount written with a decimal point; thousands separators must be gone by now."""
        try:
            amount = Decimal(text.strip())
        except InvalidOperation as error:
            raise ValueError(f"{text!r} isn't an amount; use 1500.00.") from error
        return cls(amount, currency)

    @classmethod
    def zero(cls, currency: str) -> Self:
        return cls(Decimal(0), currency)

    def __add__(self, other: "Money") -> "Money":
        return Money(self.amount + self._same_currency(other), self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.amount - self._same_currency(other), self.currency)

    def __neg__(self) -> "Money":
        return Money(-self.amount, self.currency)

    def __lt__(self, other: "Money") -> bool:
        return self.amount < self._same_currency(other)

    def __le__(self, other: "Money") -> bool:
        return self.amount <= self._same_currency(other)

    def __gt__(self, other: "Money") -> bool:
        return self.amount > self._same_currency(other)

    def __ge__(self, other: "Money") -> bool:
        return self.amount >= self._same_currency(other)

    def __bool__(self) -> bool:
        return bool(self.amount)

    def __str__(self) -> str:
        return f"{self.amount:,f} {self.currency}"

    def _same_currency(self, other: "Money") -> Decimal:
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency} don't add up; convert one of them first.")
        return other.amount
