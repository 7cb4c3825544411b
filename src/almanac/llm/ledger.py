"""What the ledger holds: one line for each use of a step, without a word of what was asked or answered."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

WRITTEN, REPAIRED, CANCELLED = "written", "repaired", "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use. `priced` is false where tokens were used whose price nobody knows."""

    at: datetime
    desk: str
    step: str
    subject: str
    model: str
    prompt_version: str
    outcome: str
    cached: bool = False
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    priced: bool = True
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfUse:
    """One day's uses and their cost."""

    day: date
    uses: int
    cost: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOfUse:
    """What one step of one desk took from one model; `median_seconds` leaves out what came from the cache."""

    desk: str
    step: str
    model: str
    uses: int
    cached: int
    failed: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: Decimal
    unpriced: int
    median_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthOfUse:
    """A month of the ledger against its cap; `paused_until` is set while the cap is used up."""

    start: datetime
    end: datetime
    spent: Decimal
    cap: Decimal | None
    paused_until: datetime | None
    days: list[DayOfUse] = field(default_factory=list)
    steps: list[StepOfUse] = field(default_factory=list)

    @property
    def unpriced(self) -> int:
        """Uses whose cost is not known, and therefore not counted against the cap."""
        return sum(step.unpriced for step in self.steps)
