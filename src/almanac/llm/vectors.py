"""The embedder that a model stands behind: in portions, with patience, within the budget, and booked."""

import asyncio
from collections.abc import Sequence
from time import monotonic

from almanac.kit.clock import Clock
from almanac.llm.answers import Answers
from almanac.llm.asking import Spending
from almanac.llm.budget import Budget
from almanac.llm.choices import Model, Price
from almanac.llm.failures import Malformed, ModelFailure, NotAnswering
from almanac.llm.ledger import CANCELLED, WRITTEN, Use
from almanac.llm.patience import Patience
from almanac.llm.provider import Answer, VectorProvider
from almanac.llm.providers import Providers
from almanac.llm.single_flight import finish

STEP = "vectors"
_PORTION = 64


class ModelEmbedder:
    """Asks the embedding model of the settings."""

    def __init__(
        self,
        model: Model,
        price: Price | None,
        providers: Providers[VectorProvider],
        answers: Answers,
        budget: Budget,
        clock: Clock,
        patience: Patience,
    ) -> None:
        self.model = str(model)
        self._model = model
        self._price = price
        self._providers = providers
        self._answers = answers
        self._budget = budget
        self._clock = clock
        self._patience = patience

    async def embed(self, texts: Sequence[str], *, desk: str = "search") -> list[list[float]]:
        """See the port."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _PORTION):
            vectors += await self._portion(texts[start : start + _PORTION], desk)
        return vectors

    async def close(self) -> None:
        await self._providers.close()

    async def _portion(self, texts: Sequence[str], desk: str) -> list[list[float]]:
        await self._budget.check()
        began, spending, outcome = monotonic(), Spending(), CANCELLED
        try:
            vectors = await self._ask(texts, spending)
            outcome = WRITTEN
        except ModelFailure as failure:
            outcome = failure.outcome
            raise
        finally:
            await finish(self._answers.book(self._use(desk, outcome, spending, monotonic() - began)))
        return vectors

    async def _ask(self, texts: Sequence[str], spending: Spending) -> list[list[float]]:
        provider = await self._providers.get(self._model)
        try:
            async with asyncio.timeout(self._patience.seconds):
                told = await self._patience.persist(lambda: provider.embed(texts))
        except TimeoutError:
            raise NotAnswering(self.model, f"gave no answer within {self._patience.seconds:g} s") from None
        spending.requests += 1
        spending.add(Answer(text="", input_tokens=told.input_tokens, cost=told.cost), self._price)
        if len(told.vectors) != len(texts) or len({len(vector) for vector in told.vectors}) > 1:
            raise Malformed(self.model)
        return told.vectors

    def _use(self, desk: str, outcome: str, spending: Spending, seconds: float) -> Use:
        return Use(
            at=self._clock.now(),
            desk=desk,
            step=STEP,
            subject="",
            model=self.model,
            prompt_version="",
            outcome=outcome,
            requests=spending.requests,
            input_tokens=spending.input_tokens,
            cost=spending.cost,
            priced=spending.priced,
            seconds=seconds,
        )
