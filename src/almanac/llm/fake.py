"""Fakes for tests: a writer with scripted outputs and failures by step, and a deterministic embedder."""

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Any

from pydantic import ValidationError

from almanac.kit.clock import Clock
from almanac.llm.answer import LimitedAnswer, StepAnswer
from almanac.llm.errors import MalformedAnswer, ModelFailure, ModelNeeded
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import InputT, OutputT, StepProvenance, WritingStep, WrittenStep
from almanac.llm.sources import StepInput

ScriptedOutcome = StepAnswer | ModelFailure | Callable[[Any], StepAnswer]


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A recorded call of the writer."""

    step: str
    given: StepInput
    desk: str
    subject: str


@dataclass(slots=True)
class ScriptedWriter:
    """`script("summary", output, failure, …)` sets the next results; a function is called with the input.

    Steps without a script are written by extraction.
    """

    clock: Clock
    model: str = "scripted"
    calls: list[ScriptedCall] = field(default_factory=list)
    _scripts: dict[str, deque[ScriptedOutcome]] = field(default_factory=lambda: defaultdict(deque))

    def script(self, step: str, *outcomes: ScriptedOutcome) -> None:
        self._scripts[step].extend(outcomes)

    async def write(
        self, step: WritingStep[InputT, OutputT], given: InputT, *, desk: str, subject: str = ""
    ) -> WrittenStep[OutputT]:
        """See the port."""
        self.calls.append(ScriptedCall(step.name, given, desk, subject))
        scripted = self._scripts[step.name]
        model = self.model if scripted else EXTRACTIVE
        answer = self._outcome(step, given, scripted.popleft()) if scripted else self._extract(step, given)
        provenance = StepProvenance(
            model=model, step=step.name, prompt_version=step.prompt.version, made_at=self.clock.now()
        )
        return WrittenStep(output=answer.output, provenance=provenance, dropped=answer.dropped)

    def _outcome(
        self, step: WritingStep[InputT, OutputT], given: InputT, scripted: ScriptedOutcome
    ) -> LimitedAnswer[OutputT]:
        if isinstance(scripted, ModelFailure):
            raise scripted
        output = scripted if isinstance(scripted, StepAnswer) else scripted(given)
        if not isinstance(output, step.output):
            raise TypeError(f"The step {step.name} makes {step.output.__name__}, not {type(output).__name__}.")
        try:
            return step.review(given, output)
        except ValidationError:
            raise MalformedAnswer(self.model) from None

    def _extract(self, step: WritingStep[InputT, OutputT], given: InputT) -> LimitedAnswer[OutputT]:
        if step.extract is None:
            raise ModelNeeded(step.name)
        return LimitedAnswer(step.extract(given))


class HashedEmbedder:
    """Vectors of hashed letter pairs: similar for texts that share words, the same on every machine."""

    model = "hashed"

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions

    async def embed(self, texts: Sequence[str], *, desk: str = "search") -> list[list[float]]:  # noqa: ARG002 - port
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self._dimensions
        folded = f" {' '.join(text.casefold().split())} "
        for first, second in pairwise(folded):
            digest = hashlib.blake2b((first + second).encode(), digest_size=4).digest()
            vector[int.from_bytes(digest, "big") % self._dimensions] += 1.0
        length = sqrt(sum(value * value for value in vector)) or 1.0
        return [value / length for value in vector]
