"""The writer that never asks a model: extraction where a step has it, a clear refusal where it has none."""

from dataclasses import replace

import pytest

from almanac.llm.errors import ModelNeeded
from almanac.llm.extractive.writer import ExtractiveWriter
from almanac.llm.sources import StepSource
from almanac.llm.steps.summaries import HEADLINE, HeadlineInput

GIVEN = HeadlineInput(
    sources=(StepSource(id="a", text="The river rose by two metres in Garissa on Monday, traders said."),)
)


async def test_a_step_is_extracted_and_says_so(clock):
    written = await ExtractiveWriter(clock).write(HEADLINE, GIVEN, desk="newsletter")
    assert "river rose" in written.output.text
    assert (written.provenance.model, written.provenance.made_at) == ("extractive", clock.now())


async def test_a_step_that_needs_a_model_says_so(clock):
    with pytest.raises(ModelNeeded):
        await ExtractiveWriter(clock).write(replace(HEADLINE, extract=None), GIVEN, desk="newsletter")
