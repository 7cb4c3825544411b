"""Web search by a model, within the budget, recorded in the ledger and never cached.

Only pages that the search tool returned are used; the model's own text is dropped, because it may be invented.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from pydantic import BaseModel

from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.llm.answer_cache import AnswerCache, run_to_completion
from almanac.llm.budget import ModelBudget
from almanac.llm.errors import ModelFailure, ModelNeeded, ModelUnavailable, NoSearchPerformed
from almanac.llm.model_call import ModelCall, ModelRetryPolicy
from almanac.llm.model_config import ModelConfig, ModelEndpoint
from almanac.llm.prompts import load_prompt
from almanac.llm.provider import ModelProvider, ModelQuestion, ProviderPool
from almanac.llm.store import CANCELLED, WRITTEN, ModelUse

WEB_SEARCH = "web_search"
_PROMPT = load_prompt("almanac.llm.steps", WEB_SEARCH)


class WebSearchPage(BaseModel):
    """A page found by a search."""

    url: str
    title: str = ""


class WebSearchResult(BaseModel):
    """How often the model searched, and every page found, each once."""

    searches: int
    pages: list[WebSearchPage]


class WebSearch:
    """Searches with the model configured for the step `web_search`."""

    def __init__(
        self,
        config: ModelConfig,
        open_provider: Callable[[ModelEndpoint], ModelProvider],
        answers: AnswerCache,
        budget: ModelBudget,
        clock: Clock,
        retry: ModelRetryPolicy,
    ) -> None:
        self._config = config
        self._providers = ProviderPool(open_provider)
        self._answers = answers
        self._budget = budget
        self._clock = clock
        self._retry = retry

    async def search(self, words: str, *, desk: str, subject: str = "") -> list[WebSearchPage]:
        """The pages found for these words; raises ModelFailure."""
        model = self._config.for_step(WEB_SEARCH)
        if model is None:
            raise ModelNeeded(WEB_SEARCH)
        await self._budget.check()
        use = ModelUse(
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

    async def _ask(self, model: ModelEndpoint, words: str, use: ModelUse) -> WebSearchResult:
        """Ask, and record the cost whatever happens."""
        provider, price = await self._providers.get(model), self._config.price_of(model)
        call = ModelCall(model=str(model), provider=provider, retry=self._retry, price=price)
        began, outcome = monotonic(), CANCELLED
        try:
            searched = await self._call_with_timeout(call, words)
            outcome = WRITTEN
        except ModelFailure as failure:
            outcome = failure.outcome
            raise
        finally:
            spent = call.usage.apply_to(replace(use, at=self._clock.now(), outcome=outcome), monotonic() - began)
            await run_to_completion(self._answers.record_use(spent))
        return searched

    async def _call_with_timeout(self, call: ModelCall, words: str) -> WebSearchResult:
        question = ModelQuestion(step=WEB_SEARCH, instructions=_PROMPT.template, sources=words, schema={})
        try:
            async with asyncio.timeout(self._retry.seconds):
                text, _ = await call.complete(question, _accept)
        except TimeoutError:
            raise ModelUnavailable(
                call.model, gettext("didn't answer within %(seconds)s s", seconds=f"{self._retry.seconds:g}")
            ) from None
        searched = WebSearchResult.model_validate_json(text)
        if not searched.searches:
            raise NoSearchPerformed(call.model)
        return searched


def _accept(text: str) -> tuple[()]:
    """A search has no limits; raises ValidationError."""
    WebSearchResult.model_validate_json(text)
    return ()
