"""A writer for tests that does as it is told: outputs and failures by step, extraction where nothing is scripted."""

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from almanac.kit.clock import Clock
from almanac.llm.choices import EXTRACTIVE
from almanac.llm.failures import ModelFailure, ModelNeeded
from almanac.llm.port import Provenance, Written
from almanac.llm.step import Given, Made, Step, StepInput

Scripted = BaseModel | ModelFailure | Callable[[Any], BaseModel]


@dataclass(frozen=True, slots=True)
class Call:
    """What the writer was asked."""

    step: str
    given: StepInput
    desk: str
    subject: str


@dataclass(slots=True)
class ScriptedWriter:
    """`script("summary", output, failure, …)` says what the next calls give; a function is called with the input."""

    clock: Clock
    model: str = "scripted"
    calls: list[Call] = field(default_factory=list)
    _scripts: dict[str, deque[Scripted]] = field(default_factory=lambda: defaultdict(deque))

    def script(self, step: str, *outcomes: Scripted) -> None:
        self._scripts[step].extend(outcomes)

    async def write(self, step: Step[Given, Made], given: Given, *, desk: str, subject: str = "") -> Written[Made]:
        """See the port."""
        self.calls.append(Call(step.name, given, desk, subject))
        scripted = self._scripts[step.name]
        model = self.model if scripted else EXTRACTIVE
        output = self._outcome(step, given, scripted.popleft()) if scripted else self._extract(step, given)
        provenance = Provenance(
            model=model, step=step.name, prompt_version=step.prompt.version, made_at=self.clock.now()
        )
        return Written(output=output, provenance=provenance)

    def _outcome(self, step: Step[Given, Made], given: Given, scripted: Scripted) -> Made:
        if isinstance(scripted, ModelFailure):
            raise scripted
        output = scripted if isinstance(scripted, BaseModel) else scripted(given)
        if not isinstance(output, step.output):
            raise TypeError(f"The step {step.name} makes {step.output.__name__}, not {type(output).__name__}.")
        return output

    def _extract(self, step: Step[Given, Made], given: Given) -> Made:
        if step.extract is None:
            raise ModelNeeded(step.name)
        return step.extract(given)
