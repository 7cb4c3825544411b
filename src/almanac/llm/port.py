"""A step: one kind of structured writing, with its prompt for models and its way of doing it by extraction alone."""

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
    """`extract` writes without a model; a step that has none, such as a translation, needs one and says so."""

    name: str
    prompt: Prompt
    output: type[OutputT]
    extract: Callable[[InputT], OutputT] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepProvenance:
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
class WrittenStep(Generic[OutputT]):
    """A finished step. Only a validated output can be in here; a failure is raised, never text."""

    output: OutputT
    provenance: StepProvenance


class StepWriter(Protocol):
    """Writes steps. Failures are raised as `almanac.llm.errors`; cancelling the call cancels the request."""

    async def write(
        self, step: WritingStep[InputT, OutputT], given: InputT, *, desk: str, subject: str = ""
    ) -> WrittenStep[OutputT]:
        """Write one step for a desk; `subject` says for which piece of work, in the ledger."""
        ...
