"""The writer used everywhere: chooses who writes a step, asks once for the same question, and believes only what fits.

A model's answer is validated against the step's output, repaired once with the mistakes fed back, remembered, and
booked. Without a model for the step it is written by extraction. Failures are those of `almanac.llm.failures`.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic
from typing import Generic

from pydantic import ValidationError

from almanac.kit.clock import Clock
from almanac.llm.answers import Answers, key_of
from almanac.llm.asking import Asking
from almanac.llm.budget import Budget
from almanac.llm.choices import EXTRACTIVE, Choices, Model
from almanac.llm.failures import ModelFailure, ModelNeeded, NotAnswering
from almanac.llm.ledger import CANCELLED, REPAIRED, WRITTEN, Use
from almanac.llm.patience import Patience
from almanac.llm.port import Provenance, Written
from almanac.llm.provider import Provider, Question
from almanac.llm.providers import Providers
from almanac.llm.rendering import render
from almanac.llm.schema import schema_for_models
from almanac.llm.single_flight import SingleFlight, finish
from almanac.llm.stand_ins import StandIns
from almanac.llm.step import Given, Made, Step

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Told:
    """An accepted answer; `use` is what it took, if it was asked for just now."""

    text: str
    made_at: datetime
    use: Use | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writing(Generic[Made]):
    """One step on its way to a model."""

    model: Model
    question: Question
    key: str
    output: type[Made]
    stand_ins: StandIns
    use: Use

    def believe(self, text: str) -> Made:
        """The answer as the step's own type, with real ids; ValidationError for everything else."""
        return self.output.model_validate_json(text, context=self.stand_ins)


class Gateway:
    """Writes steps by the models that the settings choose, or by extraction."""

    def __init__(
        self,
        choices: Choices,
        providers: Providers[Provider],
        answers: Answers,
        budget: Budget,
        clock: Clock,
        patience: Patience,
    ) -> None:
        self._choices = choices
        self._providers = providers
        self._answers = answers
        self._budget = budget
        self._clock = clock
        self._patience = patience
        self._flights: SingleFlight[_Told] = SingleFlight()

    async def write(self, step: Step[Given, Made], given: Given, *, desk: str, subject: str = "") -> Written[Made]:
        """See the port."""
        model = self._choices.for_step(step.name)
        use = Use(
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

    async def _extract(self, step: Step[Given, Made], given: Given, use: Use) -> Written[Made]:
        if step.extract is None:
            raise ModelNeeded(step.name)
        began = monotonic()
        output = await asyncio.to_thread(step.extract, given)
        use = replace(use, seconds=monotonic() - began)
        await self._answers.book(use)
        return Written(output=output, provenance=_provenance(use, use.at))

    async def _prepare(self, step: Step[Given, Made], given: Given, model: Model, use: Use) -> _Writing[Made]:
        request = await asyncio.to_thread(render, step.prompt, given)
        question = Question(
            step=step.name,
            instructions=request.instructions,
            sources=request.sources,
            schema=schema_for_models(step.output),
        )
        return _Writing(
            model=model,
            question=question,
            key=key_of(model, step.prompt, question),
            output=step.output,
            stand_ins=request.stand_ins,
            use=use,
        )

    async def _by_model(self, writing: _Writing[Made]) -> Written[Made]:
        told, asked = await self._tell(writing)
        try:
            output = writing.believe(told.text)
        except ValidationError:
            # Kept from a time when the step accepted more than it does now.
            await self._answers.forget(writing.key)
            told, asked = await self._tell(writing)
            output = writing.believe(told.text)
        if asked and told.use:
            return Written(output=output, provenance=_provenance(told.use, told.made_at))
        use = replace(writing.use, cached=True)
        await self._answers.book(use)
        return Written(output=output, provenance=_provenance(use, told.made_at))

    async def _tell(self, writing: _Writing[Made]) -> tuple[_Told, bool]:
        return await self._flights.join(writing.key, lambda: self._find_or_ask(writing))

    async def _find_or_ask(self, writing: _Writing[Made]) -> _Told:
        model, step = str(writing.model), writing.question.step
        kept = await self._answers.find(writing.key)
        if kept is not None:
            return _Told(kept.output, kept.made_at, None)
        await self._budget.check()
        # Opened before the question is claimed: where that fails nobody waits for an answer that isn't asked for.
        provider = await self._providers.get(writing.model)
        kept = await self._answers.find_or_claim(writing.key, model, step, self._patience.seconds)
        return _Told(kept.output, kept.made_at, None) if kept else await self._ask(writing, provider)

    async def _ask(self, writing: _Writing[Made], provider: Provider) -> _Told:
        """Ask, and book what it took whatever comes of it."""
        began, text, outcome = monotonic(), None, CANCELLED
        asking = Asking(
            model=str(writing.model),
            provider=provider,
            patience=self._patience,
            price=self._choices.price_of(writing.model),
        )
        try:
            text, repaired = await self._settle(asking, writing)
            outcome = REPAIRED if repaired else WRITTEN
        except ModelFailure as failure:
            outcome = failure.outcome
            raise
        finally:
            use = replace(writing.use, at=self._clock.now(), outcome=outcome)
            use = asking.spending.booked(use, monotonic() - began)
            await finish(self._answers.conclude(writing.key, text, use))
            _log(use)
        return _Told(text, use.at, use)

    async def _settle(self, asking: Asking, writing: _Writing[Made]) -> tuple[str, bool]:
        try:
            async with asyncio.timeout(self._patience.seconds):
                return await asking.settle(writing.question, writing.believe)
        except TimeoutError:
            raise NotAnswering(asking.model, f"gave no answer within {self._patience.seconds:g} s") from None


def _provenance(use: Use, made_at: datetime) -> Provenance:
    return Provenance(
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


def _log(use: Use) -> None:
    facts = {"desk": use.desk, "step": use.step, "model": use.model, "outcome": use.outcome, "seconds": use.seconds}
    logger.info("A model was asked.", extra=facts)
