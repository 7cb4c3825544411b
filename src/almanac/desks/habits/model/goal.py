"""Goals: what makes a day count. Done, at least an amount, several times, at most an amount, or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext, pgettext

GoalKind = Literal["done", "at_least", "times", "at_most", "avoid"]
GOAL_KINDS: tuple[GoalKind, ...] = get_args(GoalKind)
MAX_AMOUNT = Decimal(1_000_000)
_ONE, _NONE = Decimal(1), Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What a day must reach. `target` is the amount for at_least and at_most, and the count for times.

    For at_most and avoid, a finished day without an entry counts as kept.
    """

    kind: GoalKind = "done"
    target: Decimal = _ONE
    unit: str = ""

    def __post_init__(self) -> None:
        if self.kind not in GOAL_KINDS:
            raise FieldErrors({"goal": gettext("Choose one of %(choices)s.", choices=", ".join(GOAL_KINDS))})
        if len(self.unit) > 40:
            raise FieldErrors({"goal": gettext("A unit has at most 40 characters.")})
        if not self.target.is_finite() or not 0 <= self.target <= MAX_AMOUNT:
            raise FieldErrors(
                {"goal": gettext("Choose a target between 0 and %(max_amount)s.", max_amount=f"{MAX_AMOUNT:,}")}
            )
        if self.kind in ("at_least", "times") and self.target <= 0:
            raise FieldErrors({"goal": gettext("Choose a target above 0.")})
        if self.kind == "times" and self.target != self.target.to_integral_value():
            raise FieldErrors({"goal": gettext("Use a whole number of times.")})

    @property
    def is_limit(self) -> bool:
        return self.kind in ("at_most", "avoid")

    @property
    def limit(self) -> Decimal:
        """The most a day may have; 0 unless the goal is at_most."""
        return self.target if self.kind == "at_most" else _NONE

    @property
    def default_amount(self) -> Decimal:
        """The amount to enter when a day is marked done without one."""
        if self.is_limit:
            return _NONE
        return self.target if self.kind in ("at_least", "times") else _ONE

    def met_by(self, amounts: Mapping[int, Decimal]) -> set[int]:
        """The days whose amount meets the goal."""
        if self.is_limit:
            limit = self.limit
            return {day for day, amount in amounts.items() if amount <= limit}
        enough = self.default_amount
        return {day for day, amount in amounts.items() if amount >= enough}

    def share(self, amount: Decimal) -> float:
        """How much of the goal an amount reaches, from 0 to 1. Strength uses it: half done counts half."""
        if self.is_limit:
            if self.limit == 0:
                return 0.0 if amount > 0 else 1.0
            return max(0.0, min(1.0, float(1 - (amount - self.limit) / self.limit)))
        if self.kind == "done":
            return 1.0 if amount >= _ONE else 0.0
        return min(1.0, float(amount / self.target))

    @property
    def sentence(self) -> str:
        """The goal in plain words, such as `at least 20 pages`."""
        amount = self.with_unit(self.target)
        match self.kind:
            case "at_least":
                return gettext("at least %(amount)s", amount=amount)
            case "times":
                return gettext("%(amount)s times a day", amount=amount)
            case "at_most":
                return gettext("at most %(amount)s", amount=amount)
            case "avoid":
                return gettext("not at all")
            case _:
                return pgettext("goal of a habit", "done")

    def with_unit(self, amount: Decimal) -> Decimal | str:
        """An amount with the goal's unit, such as `20 pages`."""
        shown = Decimal(f"{amount.normalize():f}")
        return gettext("%(amount)s %(unit)s", amount=shown, unit=self.unit) if self.unit else shown


def parse_amount(value: Decimal | float | str) -> Decimal:
    """Parse an amount and round it to three decimals; raises FieldErrors if it isn't a number in range."""
    try:
        amount = Decimal(str(value))
    except ArithmeticError as error:
        raise FieldErrors({"amount": gettext("Use a number such as 2.5.")}) from error
    if not amount.is_finite() or not 0 <= amount <= MAX_AMOUNT:
        raise FieldErrors(
            {"amount": gettext("Use an amount between 0 and %(max_amount)s.", max_amount=f"{MAX_AMOUNT:,}")}
        )
    return amount.quantize(Decimal("0.001")).normalize() + 0
