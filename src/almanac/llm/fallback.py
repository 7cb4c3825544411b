"""Extraction in place of a model whose answer can't be used: with the reason, and when to ask the model again."""

import asyncio

from almanac.errors import Retryable
from almanac.kit.clock import Clock
from almanac.llm.errors import EmptyAnswer, ModelFailure
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import InputT, OutputT, StepFallback, StepProvenance, StepWriter, WritingStep, WrittenStep


async def write_or_extract(
    writer: StepWriter, clock: Clock, step: WritingStep[InputT, OutputT], given: InputT, *, desk: str, subject: str = ""
) -> WrittenStep[OutputT]:
    """What the writer makes; if a model's answer is empty or unusable, extraction with `fallback` set.

    Failures that a job retries by itself are raised, as are all failures of a step that has no extraction.
    """
    try:
        written = await writer.write(step, given, desk=desk, subject=subject)
        if not written.output.is_empty or written.provenance.model == EXTRACTIVE:
            return written
        failure: ModelFailure = EmptyAnswer(written.provenance.model)
    except ModelFailure as error:
        if isinstance(error, Retryable) or step.extract is None:
            raise
        failure = error
    return await extract_instead(step, given, failure, clock)


async def extract_instead(
    step: WritingStep[InputT, OutputT], given: InputT, failure: ModelFailure, clock: Clock
) -> WrittenStep[OutputT]:
    """The step by extraction, because of this failure, which is raised where the step has no extraction."""
    if step.extract is None:
        raise failure
    now = clock.now()
    output = await asyncio.to_thread(step.extract, given)
    return WrittenStep(
        output=output,
        provenance=StepProvenance(
            model=EXTRACTIVE, step=step.name, prompt_version=step.prompt.version, made_at=clock.now()
        ),
        fallback=StepFallback(
            reason=str(failure.sentence), retry_at=now + failure.retry_later if failure.retry_later else None
        ),
    )
