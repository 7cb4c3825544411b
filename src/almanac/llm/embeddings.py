"""The embedding port, and the embedder that asks a model in batches, with retries, within the budget."""

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import Protocol

from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.llm.answer_cache import AnswerCache, run_to_completion
from almanac.llm.budget import ModelBudget
from almanac.llm.errors import MalformedAnswer, ModelFailure, ModelUnavailable
from almanac.llm.model_call import CallUsage, ModelRetryPolicy
from almanac.llm.model_config import ModelEndpoint, TokenPrice
from almanac.llm.provider import EmbeddingProvider, ModelAnswer, ProviderPool
from almanac.llm.store import CANCELLED, WRITTEN, ModelUse


class TextEmbedder(Protocol):
    """Turns texts into vectors of one length. Raises `almanac.llm.errors`."""

    @property
    def model(self) -> str:
        """The name of the model: vectors of different models can't be compared."""

    async def embed(self, texts: Sequence[str], *, desk: str = "search") -> list[list[float]]:
        """One vector per text, in order."""


EMBEDDING_STEP = "vectors"
_BATCH_SIZE = 64


class ModelEmbedder:
    """Embeds texts with the model of the settings."""

    def __init__(
        self,
        model: ModelEndpoint,
        price: TokenPrice | None,
        providers: ProviderPool[EmbeddingProvider],
        answers: AnswerCache,
        budget: ModelBudget,
        clock: Clock,
        retry: ModelRetryPolicy,
    ) -> None:
        self.model = str(model)
        self._model = model
        self._price = price
        self._providers = providers
        self._answers = answers
        self._budget = budget
        self._clock = clock
        self._retry = retry

    async def embed(self, texts: Sequence[str], *, desk: str = "search") -> list[list[float]]:
        """See the port."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _BATCH_SIZE):
            vectors += await self._portion(texts[start : start + _BATCH_SIZE], desk)
        return vectors

    async def close(self) -> None:
        await self._providers.close()

    async def _portion(self, texts: Sequence[str], desk: str) -> list[list[float]]:
        await self._budget.check()
        began, usage, outcome = monotonic(), CallUsage(), CANCELLED
        try:
            vectors = await self._ask(texts, usage)
            outcome = WRITTEN
        except ModelFailure as failure:
            outcome = failure.outcome
            raise
        finally:
            await run_to_completion(self._answers.record_use(self._use(desk, outcome, usage, monotonic() - began)))
        return vectors

    async def _ask(self, texts: Sequence[str], usage: CallUsage) -> list[list[float]]:
        provider = await self._providers.get(self._model)
        try:
            async with asyncio.timeout(self._retry.seconds):
                result = await self._retry.run(lambda: provider.embed(texts))
        except TimeoutError:
            raise ModelUnavailable(
                self.model, gettext("didn't answer within %(seconds)s s", seconds=f"{self._retry.seconds:g}")
            ) from None
        usage.requests += 1
        usage.add(ModelAnswer(text="", input_tokens=result.input_tokens, cost=result.cost), self._price)
        if len(result.vectors) != len(texts) or len({len(vector) for vector in result.vectors}) > 1:
            raise MalformedAnswer(self.model)
        return result.vectors

    def _use(self, desk: str, outcome: str, usage: CallUsage, seconds: float) -> ModelUse:
        return ModelUse(
            at=self._clock.now(),
            desk=desk,
            step=EMBEDDING_STEP,
            subject="",
            model=self.model,
            prompt_version="",
            outcome=outcome,
            requests=usage.requests,
            input_tokens=usage.input_tokens,
            cost=usage.cost,
            priced=usage.priced,
            seconds=seconds,
        )
