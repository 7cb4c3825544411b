"""The port that desks write through: steps, the writer protocol, and written steps with their provenance."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from almanac.llm.prompts import Prompt
from almanac.llm.sources import StepInput

InputT = TypeVar("InputT", bound=StepInput)
OutputT = TypeVar("OutputT", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingStep(Generic[InputT, OutputT]):
    """One kind of structured writing. `extract` writes without a model; None where only a model can."""

    name: str
    prompt: Prompt
    output: type[OutputT]
    extract: Callable[[InputT], OutputT] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepProvenance:
    """Which model and prompt wrote a step, and at what cost. `model` is "extractive" without a model."""

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
class WrittenStep(Generic[OutputT]):
    """A finished step with a validated output; failures are raised instead."""

    output: OutputT
    provenance: StepProvenance


class StepWriter(Protocol):
    """Writes steps. Raises `almanac.llm.errors`; cancelling the call cancels the request."""

    async def write(
        self, step: WritingStep[InputT, OutputT], given: InputT, *, desk: str, subject: str = ""
    ) -> WrittenStep[OutputT]:
        """Write one step for a desk; `subject` names the piece of work in the ledger."""
