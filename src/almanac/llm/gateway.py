"""The writer used everywhere: chooses who writes a step, asks once for the same question, and believes only what fits.

A model's answer is validated against the step's output, repaired once with the mistakes fed back, remembered, and
booked. Without a model for the step it is written by extraction. Failures are those of `almanac.llm.errors`.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic
from typing import Generic

from pydantic import ValidationError

from almanac.kit.clock import Clock
from almanac.llm.answer_cache import AnswerCache, SingleFlight, answer_key, run_to_completion
from almanac.llm.budget import ModelBudget
from almanac.llm.errors import ModelFailure, ModelNeeded, ModelUnavailable
from almanac.llm.model_call import ModelCall, RetryPolicy
from almanac.llm.model_config import EXTRACTIVE, ModelConfig, ModelEndpoint
from almanac.llm.port import InputT, OutputT, StepProvenance, WritingStep, WrittenStep
from almanac.llm.prompts import render_prompt
from almanac.llm.provider import ModelProvider, ModelQuestion, ProviderPool
from almanac.llm.sources import SourceAliases, build_output_schema
from almanac.llm.store import CANCELLED, REPAIRED, WRITTEN, ModelUse

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _AcceptedAnswer:
    """An accepted answer; `use` is what it took, if it was asked for just now."""

    text: str
    made_at: datetime
    use: ModelUse | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _StepRequest(Generic[OutputT]):
    """One step on its way to a model."""

    model: ModelEndpoint
    question: ModelQuestion
    key: str
    output: type[OutputT]
    aliases: SourceAliases
    use: ModelUse

    def parse_answer(self, text: str) -> OutputT:
        """The answer as the step's own type, with real ids; ValidationError for everything else."""
        return self.output.model_validate_json(text, context=self.aliases)


class ModelGateway:
    """Writes steps by the models that the settings choose, or by extraction."""

    def __init__(
        self,
        config: ModelConfig,
        providers: ProviderPool[ModelProvider],
        answers: AnswerCache,
        budget: ModelBudget,
        clock: Clock,
        retry: RetryPolicy,
    ) -> None:
        self._config = config
        self._providers = providers
        self._answers = answers
        self._budget = budget
        self._clock = clock
        self._retry = retry
        self._flights: SingleFlight[_AcceptedAnswer] = SingleFlight()

    async def write(
        self, step: WritingStep[InputT, OutputT], given: InputT, *, desk: str, subject: str = ""
    ) -> WrittenStep[OutputT]:
        """See the port."""
        model = self._config.for_step(step.name)
        use = ModelUse(
            at=self._clock.now(),
            desk=desk,
            step=step.name,
            subject=subject,
            prompt_version=step.prompt.version,
            model=str(model) if model else EXTRACTIVE,
            outcome=WRITTEN,
        )
        if model is None:
            return await self._extract(step, given, use)
        return await self._by_model(await self._prepare(step, given, model, use))

    async def close(self) -> None:
        await self._providers.close()

    async def _extract(self, step: WritingStep[InputT, OutputT], given: InputT, use: ModelUse) -> WrittenStep[OutputT]:
        if step.extract is None:
            raise ModelNeeded(step.name)
        began = monotonic()
        output = await asyncio.to_thread(step.extract, given)
        use = replace(use, seconds=monotonic() - began)
        await self._answers.record_use(use)
        return WrittenStep(output=output, provenance=_provenance(use, use.at))

    async def _prepare(
        self, step: WritingStep[InputT, OutputT], given: InputT, model: ModelEndpoint, use: ModelUse
    ) -> _StepRequest[OutputT]:
        request = await asyncio.to_thread(render_prompt, step.prompt, given)
        question = ModelQuestion(
            step=step.name,
            instructions=request.instructions,
            sources=request.sources,
            schema=build_output_schema(step.output),
        )
        return _StepRequest(
            model=model,
            question=question,
            key=answer_key(model, step.prompt, question),
            output=step.output,
            aliases=request.aliases,
            use=use,
        )

    async def _by_model(self, writing: _StepRequest[OutputT]) -> WrittenStep[OutputT]:
        told, asked = await self._get_answer(writing)
        try:
            output = writing.parse_answer(told.text)
        except ValidationError:
            # Kept from a time when the step accepted more than it does now.
            await self._answers.forget(writing.key)
            told, asked = await self._get_answer(writing)
            output = writing.parse_answer(told.text)
        if asked and told.use:
            return WrittenStep(output=output, provenance=_provenance(told.use, told.made_at))
        use = replace(writing.use, cached=True)
        await self._answers.record_use(use)
        return WrittenStep(output=output, provenance=_provenance(use, told.made_at))

    async def _get_answer(self, writing: _StepRequest[OutputT]) -> tuple[_AcceptedAnswer, bool]:
        return await self._flights.join(writing.key, lambda: self._find_or_ask(writing))

    async def _find_or_ask(self, writing: _StepRequest[OutputT]) -> _AcceptedAnswer:
        model, step = str(writing.model), writing.question.step
        kept = await self._answers.find(writing.key)
        if kept is not None:
            return _AcceptedAnswer(kept.output, kept.made_at, None)
        await self._budget.check()
        # Opened before the question is claimed: where that fails nobody waits for an answer that isn't asked for.
        provider = await self._providers.get(writing.model)
        kept = await self._answers.find_or_claim(writing.key, model, step, self._retry.seconds)
        return _AcceptedAnswer(kept.output, kept.made_at, None) if kept else await self._ask(writing, provider)

    async def _ask(self, writing: _StepRequest[OutputT], provider: ModelProvider) -> _AcceptedAnswer:
        """Ask, and book what it took whatever comes of it."""
        began, text, outcome = monotonic(), None, CANCELLED
        call = ModelCall(
            model=str(writing.model),
            provider=provider,
            retry=self._retry,
            price=self._config.price_of(writing.model),
        )
        try:
            text, repaired = await self._call_with_timeout(call, writing)
            outcome = REPAIRED if repaired else WRITTEN
        except ModelFailure as failure:
            outcome = failure.outcome
            raise
        finally:
            use = replace(writing.use, at=self._clock.now(), outcome=outcome)
            use = call.usage.apply_to(use, monotonic() - began)
            await run_to_completion(self._answers.save_and_record(writing.key, text, use))
            _log_use(use)
        return _AcceptedAnswer(text, use.at, use)

    async def _call_with_timeout(self, call: ModelCall, writing: _StepRequest[OutputT]) -> tuple[str, bool]:
        try:
            async with asyncio.timeout(self._retry.seconds):
                return await call.complete(writing.question, writing.parse_answer)
        except TimeoutError:
            raise ModelUnavailable(call.model, f"gave no answer within {self._retry.seconds:g} s") from None


def _provenance(use: ModelUse, made_at: datetime) -> StepProvenance:
    return StepProvenance(
        model=use.model,
        step=use.step,
        prompt_version=use.prompt_version,
        made_at=made_at,
        cached=use.cached,
        input_tokens=use.input_tokens,
        output_tokens=use.output_tokens,
        cost=use.cost,
        seconds=use.seconds,
    )


def _log_use(use: ModelUse) -> None:
    facts = {"desk": use.desk, "step": use.step, "model": use.model, "outcome": use.outcome, "seconds": use.seconds}
    logger.info("A model was asked.", extra=facts)
