"""The port that desks write through: steps, the writer protocol, and written steps with their provenance."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Generic, Protocol, TypeVar

from almanac.llm.answer import DroppedSentence, LimitedAnswer, StepAnswer, refuse_repeats
from almanac.llm.prompts import Prompt
from almanac.llm.sources import StepInput

InputT = TypeVar("InputT", bound=StepInput)
OutputT = TypeVar("OutputT", bound=StepAnswer)


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingStep(Generic[InputT, OutputT]):
    """One kind of structured writing. `extract` writes without a model; None where only a model can.

    `limit` drops what goes beyond the limits of the input, such as the sixth of five points.
    """

    name: str
    prompt: Prompt
    output: type[OutputT]
    extract: Callable[[InputT], OutputT] | None = None
    limit: Callable[[InputT, OutputT], LimitedAnswer[OutputT]] | None = None

    def review(self, given: InputT, answer: OutputT) -> LimitedAnswer[OutputT]:
        """A model's answer within the limits of the step; raises ValidationError if it repeats a sentence."""
        refuse_repeats(answer)
        return self.limit(given, answer) if self.limit else LimitedAnswer(answer)


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
class StepFallback:
    """Why a model's answer was not used, in a sentence for people, and when to ask it again; None: not by itself."""

    reason: str
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStep(Generic[OutputT]):
    """A finished step with a validated output; failures are raised instead.

    `dropped` lists what of a model's answer is not in the output. `fallback` is set where extraction took the place of
    a model.
    """

    output: OutputT
    provenance: StepProvenance
    dropped: tuple[DroppedSentence, ...] = ()
    fallback: StepFallback | None = None


class StepWriter(Protocol):
    """Writes steps. Raises `almanac.llm.errors`; cancelling the call cancels the request."""

    async def write(
        self, step: WritingStep[InputT, OutputT], given: InputT, *, desk: str, subject: str = ""
    ) -> WrittenStep[OutputT]:
        """Write one step for a desk; `subject` names the piece of work in the ledger."""
