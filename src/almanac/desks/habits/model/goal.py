"""What it takes for a day to be kept: done at all, an amount, several times, no more than a limit, or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from almanac.errors import FieldErrors

GoalKind = Literal["done", "at_least", "times", "at_most", "avoid"]
GOAL_KINDS: tuple[GoalKind, ...] = get_args(GoalKind)
LARGEST = Decimal(1_000_000)
_ONE, _NONE = Decimal(1), Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The measure of a day. `target` is the amount for at_least and at_most, and how often for times.

    Of a limit and of something avoided, silence is good news: a day that is over without an entry was kept.
    """

    kind: GoalKind = "done"
    target: Decimal = _ONE
    unit: str = ""

    def __post_init__(self) -> None:
        if self.kind not in GOAL_KINDS:
            raise FieldErrors({"goal": f"Choose one of {', '.join(GOAL_KINDS)}."})
        if len(self.unit) > 40:
            raise FieldErrors({"goal": "A unit has at most 40 characters."})
        if not self.target.is_finite() or not 0 <= self.target <= LARGEST:
            raise FieldErrors({"goal": f"A target lies between 0 and {LARGEST:,}."})
        if self.kind in ("at_least", "times") and self.target <= 0:
            raise FieldErrors({"goal": "A target to reach is more than nothing."})
        if self.kind == "times" and self.target != self.target.to_integral_value():
            raise FieldErrors({"goal": "How often is a whole number."})

    @property
    def is_a_limit(self) -> bool:
        return self.kind in ("at_most", "avoid")

    @property
    def limit(self) -> Decimal:
        """The most that a day may have, where that is the point."""
        return self.target if self.kind == "at_most" else _NONE

    @property
    def when_just_done(self) -> Decimal:
        """The amount that is meant when somebody says no more than that it is done."""
        if self.is_a_limit:
            return _NONE
        return self.target if self.kind in ("at_least", "times") else _ONE

    def met_by(self, amounts: Mapping[int, Decimal]) -> set[int]:
        """Of some days with their amounts, those that were kept."""
        if self.is_a_limit:
            limit = self.limit
            return {day for day, amount in amounts.items() if amount <= limit}
        enough = self.when_just_done
        return {day for day, amount in amounts.items() if amount >= enough}

    def share(self, amount: Decimal) -> float:
        """How far a day with this amount came, from 0 to 1; for strength, where half done is worth a half."""
        if self.is_a_limit:
            if self.limit == 0:
                return 0.0 if amount > 0 else 1.0
            return max(0.0, min(1.0, float(1 - (amount - self.limit) / self.limit)))
        if self.kind == "done":
            return 1.0 if amount >= _ONE else 0.0
        return min(1.0, float(amount / self.target))

    @property
    def sentence(self) -> str:
        """How a person would say it."""
        amount = f"{self.target.normalize():f} {self.unit}".strip()
        match self.kind:
            case "at_least":
                return f"at least {amount}"
            case "times":
                return f"{amount} times a day"
            case "at_most":
                return f"at most {amount}"
            case "avoid":
                return "not at all"
            case _:
                return "done"


def amount_of(value: Decimal | float | str) -> Decimal:
    """An amount with at most three decimals, or a sentence saying what one is."""
    try:
        amount = Decimal(str(value))
    except ArithmeticError as error:
        raise FieldErrors({"amount": "Write an amount as a number such as 2.5."}) from error
    if not amount.is_finite() or not 0 <= amount <= LARGEST:
        raise FieldErrors({"amount": f"An amount lies between 0 and {LARGEST:,}."})
    return amount.quantize(Decimal("0.001")).normalize() + 0
