"""Writes steps with the configured model: cached, validated, repaired once and recorded in the ledger.

Without a model for the step it is written by extraction. Raises `almanac.llm.errors`.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Generic

from pydantic import ValidationError

from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.single_flight import SingleFlight
from almanac.kit.trace import span
from almanac.llm.answer import DroppedSentence, LimitedAnswer
from almanac.llm.answer_cache import AnswerCache, answer_key, run_to_completion
from almanac.llm.budget import ModelBudget
from almanac.llm.errors import ModelFailure, ModelNeeded, ModelUnavailable
from almanac.llm.model_call import ModelCall, ModelRetryPolicy
from almanac.llm.model_config import EXTRACTIVE, ModelConfig, ModelEndpoint
from almanac.llm.port import InputT, OutputT, StepProvenance, WritingStep, WrittenStep
from almanac.llm.prompts import render_prompt
from almanac.llm.provider import ModelProvider, ModelQuestion, ProviderPool
from almanac.llm.sources import SourceAliases, build_output_schema
from almanac.llm.store import CANCELLED, EMPTY, REPAIRED, WRITTEN, ModelUse

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _AcceptedAnswer:
    """A valid answer; `use` is its cost if it was asked just now, None if it comes from the cache."""

    text: str
    made_at: datetime
    use: ModelUse | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _StepRequest(Generic[OutputT]):
    """One step to be written by a model."""

    model: ModelEndpoint
    question: ModelQuestion
    key: str
    output: type[OutputT]
    aliases: SourceAliases
    use: ModelUse
    review: Callable[[OutputT], LimitedAnswer[OutputT]]

    def parse_answer(self, text: str) -> LimitedAnswer[OutputT]:
        """The answer as the step's output type, with real source ids and within its limits; raises ValidationError."""
        return self.review(self.output.model_validate_json(text, context=self.aliases))

    def list_excess(self, text: str) -> Sequence[DroppedSentence]:
        """What of the answer is beyond the limits; raises ValidationError."""
        return self.parse_answer(text).dropped

    def parse_stored(self, text: str) -> LimitedAnswer[OutputT] | None:
        """A cached answer; None if it was cached when the step accepted more than it does now."""
        try:
            answer = self.parse_answer(text)
        except ValidationError:
            return None
        return None if answer.output.is_empty else answer


class ModelGateway:
    """Writes steps with the configured models, or by extraction."""

    def __init__(
        self,
        config: ModelConfig,
        providers: ProviderPool[ModelProvider],
        answers: AnswerCache,
        budget: ModelBudget,
        clock: Clock,
        retry: ModelRetryPolicy,
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
            review=partial(step.review, given),
        )

    async def _by_model(self, request: _StepRequest[OutputT]) -> WrittenStep[OutputT]:
        answer, asked = await self._get_answer(request)
        if answer.use is None and request.parse_stored(answer.text) is None:
            await self._answers.forget(request.key)
            answer, asked = await self._get_answer(request)
        parsed = request.parse_answer(answer.text)
        use = answer.use if asked else None
        if use is None:
            use = replace(request.use, cached=True)
            await self._answers.record_use(use)
        provenance = _provenance(use, answer.made_at)
        return WrittenStep(output=parsed.output, provenance=provenance, dropped=parsed.dropped)

    async def _get_answer(self, request: _StepRequest[OutputT]) -> tuple[_AcceptedAnswer, bool]:
        return await self._flights.join(request.key, lambda: self._find_or_ask(request))

    async def _find_or_ask(self, request: _StepRequest[OutputT]) -> _AcceptedAnswer:
        model, step = str(request.model), request.question.step
        kept = await self._answers.find(request.key)
        if kept is not None:
            return _AcceptedAnswer(kept.output, kept.made_at, None)
        await self._budget.check()
        # Opened before the question is claimed: where that fails nobody waits for an answer that isn't asked for.
        provider = await self._providers.get(request.model)
        kept = await self._answers.find_or_claim(request.key, model, step, self._retry.seconds)
        return _AcceptedAnswer(kept.output, kept.made_at, None) if kept else await self._ask(request, provider)

    async def _ask(self, request: _StepRequest[OutputT], provider: ModelProvider) -> _AcceptedAnswer:
        """Ask in a span that holds names and numbers only."""
        use = request.use
        with span("model", desk=use.desk, step=use.step, model=use.model) as traced:
            answer = await self._ask_and_record(request, provider)
            if answer.use is not None:
                tokens = {"input_tokens": answer.use.input_tokens, "output_tokens": answer.use.output_tokens}
                traced.note(outcome=answer.use.outcome, **tokens)
            return answer

    async def _ask_and_record(self, request: _StepRequest[OutputT], provider: ModelProvider) -> _AcceptedAnswer:
        """Ask, and record the cost whatever happens."""
        began, remembered, outcome = monotonic(), None, CANCELLED
        call = ModelCall(
            model=str(request.model),
            provider=provider,
            retry=self._retry,
            price=self._config.price_of(request.model),
        )
        try:
            text, repaired = await self._call_with_timeout(call, request)
            if request.parse_answer(text).output.is_empty:
                outcome = EMPTY
            else:
                remembered, outcome = text, REPAIRED if repaired else WRITTEN
        except ModelFailure as failure:
            outcome = failure.outcome
            raise
        finally:
            use = replace(request.use, at=self._clock.now(), outcome=outcome)
            use = call.usage.apply_to(use, monotonic() - began)
            await run_to_completion(self._answers.save_and_record(request.key, remembered, use))
            _log_use(use)
        return _AcceptedAnswer(text, use.at, use)

    async def _call_with_timeout(self, call: ModelCall, request: _StepRequest[OutputT]) -> tuple[str, bool]:
        try:
            async with asyncio.timeout(self._retry.seconds):
                return await call.complete(request.question, request.list_excess)
        except TimeoutError:
            raise ModelUnavailable(
                call.model, gettext("didn't answer within %(seconds)s s", seconds=f"{self._retry.seconds:g}")
            ) from None


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
