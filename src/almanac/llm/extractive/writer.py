"""A writer that never asks a model, for content that must be reproducible and free of cost."""

import asyncio
from dataclasses import dataclass

from almanac.kit.clock import Clock
from almanac.llm.errors import ModelNeeded
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import InputT, OutputT, StepProvenance, WritingStep, WrittenStep


@dataclass(frozen=True, slots=True)
class ExtractiveWriter:
    """Writes every step by extraction; nothing is recorded in the ledger."""

    clock: Clock

    async def write(
        self,
        step: WritingStep[InputT, OutputT],
        given: InputT,
        *,
        desk: str,  # noqa: ARG002 - the port names it, and only a ledger would need it
        subject: str = "",  # noqa: ARG002 - as above
    ) -> WrittenStep[OutputT]:
        """See the port."""
        if step.extract is None:
            raise ModelNeeded(step.name)
        output = await asyncio.to_thread(step.extract, given)
        provenance = StepProvenance(
            model=EXTRACTIVE, step=step.name, prompt_version=step.prompt.version, made_at=self.clock.now()
        )
        return WrittenStep(output=output, provenance=provenance)
