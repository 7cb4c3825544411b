"""How often a model is asked again, and how long to wait first. Longer waits are left to the job that asked."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TypeVar

from pydantic import ValidationError

from almanac.llm.errors import MalformedAnswer, ModelRateLimited, ModelRefused, ModelUnavailable, TooLongForModel
from almanac.llm.model_config import TokenPrice
from almanac.llm.provider import AnswerCorrection, ModelAnswer, ModelProvider, ModelQuestion
from almanac.llm.store import ModelUse

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Waits double from `first_seconds`, spread at random. `seconds` bounds the step with all its tries and waits."""

    tries: int = 3
    first_seconds: float = 1.0
    longest_seconds: float = 20.0
    seconds: float = 120.0
    sleep: Sleep = asyncio.sleep

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """What the call gives, as soon as it gives something; its last failure when patience is at an end."""
        tried = 0
        while True:
            tried += 1
            try:
                return await call()
            except (ModelRateLimited, ModelUnavailable) as failure:
                wait = self.wait(tried, failure)
                if wait is None:
                    raise
            await self.sleep(wait)

    def wait(self, tried: int, failure: ModelRateLimited | ModelUnavailable) -> float | None:
        """Seconds to wait before the next try, or None when there is no next one."""
        if tried >= self.tries:
            return None
        if isinstance(failure, ModelRateLimited) and failure.asked is not None:
            return failure.asked if failure.asked <= self.longest_seconds else None
        wait = min(self.first_seconds * 2.0 ** (tried - 1), self.longest_seconds)
        return wait * random.uniform(0.5, 1.5)  # noqa: S311 - spreads tries; nobody gains by guessing it


AnswerValidator = Callable[[str], object]
_MAX_ERRORS = 20


@dataclass(slots=True)
class CallUsage:
    """What was used up so far, failed tries included."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    priced: bool = True

    def add(self, answer: ModelAnswer, price: TokenPrice | None) -> None:
        cost = price.cost(answer.input_tokens, answer.output_tokens) if price else answer.cost
        self.input_tokens += answer.input_tokens
        self.output_tokens += answer.output_tokens
        self.cost += cost or 0
        self.priced = self.priced and cost is not None

    def apply_to(self, use: ModelUse, seconds: float) -> ModelUse:
        """A use with what was used up for it."""
        return replace(
            use,
            requests=self.requests,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cost=self.cost,
            priced=self.priced,
            seconds=seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A question on its way. `accept` raises ValidationError for an answer that hasn't the form asked for."""

    model: str
    provider: ModelProvider
    retry: RetryPolicy
    price: TokenPrice | None = None
    usage: CallUsage = field(default_factory=CallUsage)

    async def complete(self, question: ModelQuestion, accept: AnswerValidator) -> tuple[str, bool]:
        """The accepted answer, and whether it took a repair. A second wrong answer is Malformed."""
        answer = await self._ask(question, None)
        wrong = _list_errors(accept, answer.text)
        if wrong is None:
            return answer.text, False
        answer = await self._ask(question, AnswerCorrection(answer, wrong))
        if _list_errors(accept, answer.text) is not None:
            raise MalformedAnswer(self.model)
        return answer.text, True

    async def _ask(self, question: ModelQuestion, correction: AnswerCorrection | None) -> ModelAnswer:
        answer = await self._try(question, correction)
        self.usage.add(answer, self.price)
        if answer.refused:
            raise ModelRefused(self.model)
        if answer.cut_off:
            raise TooLongForModel(self.model, "The answer would be")
        return answer

    async def _try(self, question: ModelQuestion, correction: AnswerCorrection | None) -> ModelAnswer:
        async def once() -> ModelAnswer:
            self.usage.requests += 1
            return await self.provider.ask(question, correction)

        return await self.retry.run(once)


def _list_errors(accept: AnswerValidator, text: str) -> str | None:
    """What is wrong, for the model to read; None when the answer is accepted."""
    try:
        accept(text)
    except ValidationError as error:
        mistakes = error.errors(include_url=False, include_context=False, include_input=False)
        return "\n".join(f"- {'.'.join(map(str, m['loc'])) or 'answer'}: {m['msg']}" for m in mistakes[:_MAX_ERRORS])
    return None
