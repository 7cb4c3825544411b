"""The port that desks write through, and what they get: an object of the step's own type, or a typed failure."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Generic, Protocol

from almanac.llm.step import Given, Made, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Who wrote it, by which prompt, at what price. `model` is "extractive" where no model took part."""

    model: str
    step: str
    prompt_version: str
    made_at: datetime
    cached: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Written(Generic[Made]):
    """A finished step. Only a validated output can be in here; a failure is raised, never text."""

    output: Made
    provenance: Provenance


class Writer(Protocol):
    """Writes steps. Failures are raised as `almanac.llm.failures`; cancelling the call cancels the request."""

    async def write(self, step: Step[Given, Made], given: Given, *, desk: str, subject: str = "") -> Written[Made]:
        """Write one step for a desk; `subject` says for which piece of work, in the ledger."""
        ...
