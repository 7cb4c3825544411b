"""A writer that asks no model, whatever the settings say: for what must be the same everywhere and cost nothing."""

import asyncio
from dataclasses import dataclass

from almanac.kit.clock import Clock
from almanac.llm.choices import EXTRACTIVE
from almanac.llm.failures import ModelNeeded
from almanac.llm.port import Provenance, Written
from almanac.llm.step import Given, Made, Step


@dataclass(frozen=True, slots=True)
class ExtractiveWriter:
    """Writes every step by extraction; nothing is booked, because nothing is spent."""

    clock: Clock

    async def write(self, step: Step[Given, Made], given: Given, *, desk: str, subject: str = "") -> Written[Made]:  # noqa: ARG002 - the port names them, and only a ledger would need them
        """See the port."""
        if step.extract is None:
            raise ModelNeeded(step.name)
        output = await asyncio.to_thread(step.extract, given)
        provenance = Provenance(
            model=EXTRACTIVE, step=step.name, prompt_version=step.prompt.version, made_at=self.clock.now()
        )
        return Written(output=output, provenance=provenance)
