"""Addresses from a model that searches the web: asked within the month's budget, booked, and never remembered.

Only what its search tool brought back is taken; what the model itself says is dropped, because it may be invented.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from pydantic import BaseModel

from almanac.kit.clock import Clock
from almanac.llm.answers import Answers
from almanac.llm.asking import Asking
from almanac.llm.budget import Budget
from almanac.llm.choices import Choices, Model
from almanac.llm.failures import ModelFailure, ModelNeeded, NotAnswering, NothingSearched
from almanac.llm.ledger import CANCELLED, WRITTEN, Use
from almanac.llm.patience import Patience
from almanac.llm.prompts import load_prompt
from almanac.llm.provider import Provider, Question
from almanac.llm.providers import Providers
from almanac.llm.single_flight import finish

WEB_SEARCH = "web_search"
_PROMPT = load_prompt("almanac.llm.steps", WEB_SEARCH)


class FoundPage(BaseModel):
    """A page that a search named."""

    url: str
    title: str = ""


class Searched(BaseModel):
    """How often the model searched, and every page that this brought back, each once."""

    searches: int
    pages: list[FoundPage]


class WebSearch:
    """Searches by the model that the settings choose for the step `web_search`."""

    def __init__(
        self,
        choices: Choices,
        open_provider: Callable[[Model], Provider],
        answers: Answers,
        budget: Budget,
        clock: Clock,
        patience: Patience,
    ) -> None:
        self._choices = choices
        self._providers = Providers(open_provider)
        self._answers = answers
        self._budget = budget
        self._clock = clock
        self._patience = patience

    async def search(self, words: str, *, desk: str, subject: str = "") -> list[FoundPage]:
        """The pages that a search for these words finds now; a ModelFailure says why there was none."""
        model = self._choices.for_step(WEB_SEARCH)
        if model is None:
            raise ModelNeeded(WEB_SEARCH)
        await self._budget.check()
        use = Use(
            at=self._clock.now(),
            desk=desk,
            step=WEB_SEARCH,
            subject=subject,
            prompt_version=_PROMPT.version,
            model=str(model),
            outcome=CANCELLED,
        )
        return (await self._ask(model, words, use)).pages

    async def close(self) -> None:
        await self._providers.close()

    async def _ask(self, model: Model, words: str, use: Use) -> Searched:
        """Ask, and book what it took whatever comes of it."""
        provider, price = await self._providers.get(model), self._choices.price_of(model)
        asking = Asking(model=str(model), provider=provider, patience=self._patience, price=price)
        began, outcome = monotonic(), CANCELLED
        try:
            searched = await self._settle(asking, words)
            outcome = WRITTEN
        except ModelFailure as failure:
            outcome = failure.outcome
            raise
        finally:
            spent = asking.spending.booked(replace(use, at=self._clock.now(), outcome=outcome), monotonic() - began)
            await finish(self._answers.book(spent))
        return searched

    async def _settle(self, asking: Asking, words: str) -> Searched:
        question = Question(step=WEB_SEARCH, instructions=_PROMPT.template, sources=words, schema={})
        try:
            async with asyncio.timeout(self._patience.seconds):
                text, _ = await asking.settle(question, Searched.model_validate_json)
        except TimeoutError:
            raise NotAnswering(asking.model, f"gave no answer within {self._patience.seconds:g} s") from None
        searched = Searched.model_validate_json(text)
        if not searched.searches:
            raise NothingSearched(asking.model)
        return searched
