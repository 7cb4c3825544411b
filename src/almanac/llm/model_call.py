"""One call of a model: retries with backoff, one repair of an invalid answer, and the usage of all attempts.

Longer waits are left to the job that asked.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TypeVar

from pydantic import ValidationError

from almanac.kit.messages import gettext
from almanac.kit.text import shorten
from almanac.llm.answer import DroppedSentence
from almanac.llm.errors import MalformedAnswer, ModelRateLimited, ModelRefused, ModelUnavailable, TooLongForModel
from almanac.llm.model_config import TokenPrice
from almanac.llm.provider import AnswerCorrection, ModelAnswer, ModelProvider, ModelQuestion
from almanac.llm.store import ModelUse

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRetryPolicy:
    """Exponential backoff from `first_seconds` with jitter. `seconds` is the timeout of a step with all its retries."""

    tries: int = 3
    first_seconds: float = 1.0
    longest_seconds: float = 20.0
    seconds: float = 120.0
    sleep: Sleep = asyncio.sleep

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """The result of the call; raises its last error when no retry is left."""
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
        """Seconds to wait before the next attempt; None if there is none."""
        if tried >= self.tries:
            return None
        if isinstance(failure, ModelRateLimited) and failure.asked is not None:
            return failure.asked if failure.asked <= self.longest_seconds else None
        wait = min(self.first_seconds * 2.0 ** (tried - 1), self.longest_seconds)
        return wait * random.uniform(0.5, 1.5)  # noqa: S311 - spreads tries; nobody gains by guessing it


AnswerValidator = Callable[[str], Sequence[DroppedSentence]]
_MAX_ERRORS = 20
_FAULTS = {
    "json_invalid": "it isn't JSON",
    "missing": gettext("a required field is missing"),
    "extra_forbidden": gettext("it has a field that wasn't asked for"),
    "repeated_sentence": gettext("it repeats a sentence"),
    "value_error": gettext("it refers to a source that doesn't exist"),
}
_OTHER_FAULT = gettext("it doesn't have the form asked for")


@dataclass(frozen=True, slots=True)
class _AnswerProblems:
    """What is wrong with an answer: `wrong` for the model to read, `fault` for people; unusable only with a fault."""

    wrong: str = ""
    fault: str = ""


@dataclass(slots=True)
class CallUsage:
    """Usage so far, failed attempts included."""

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
        """The use with this usage filled in."""
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
    """A question to one model. `accept` raises ValidationError for an invalid answer, and lists what is beyond limits.

    Either is sent back once. What is then still beyond the limits is left to the caller to drop.
    """

    model: str
    provider: ModelProvider
    retry: ModelRetryPolicy
    price: TokenPrice | None = None
    usage: CallUsage = field(default_factory=CallUsage)

    async def complete(self, question: ModelQuestion, accept: AnswerValidator) -> tuple[str, bool]:
        """The valid answer, and whether it was repaired. Raises MalformedAnswer after a second invalid one."""
        first = await self._ask(question, None)
        problems = _find_problems(accept, first.text)
        if not problems.wrong:
            return first.text, False
        second = await self._ask(question, AnswerCorrection(first, problems.wrong))
        if not (fault := _find_problems(accept, second.text).fault):
            return second.text, True
        if problems.fault:
            raise MalformedAnswer(self.model, fault)
        return first.text, False

    async def _ask(self, question: ModelQuestion, correction: AnswerCorrection | None) -> ModelAnswer:
        answer = await self._try(question, correction)
        self.usage.add(answer, self.price)
        if answer.refused:
            raise ModelRefused(self.model)
        if answer.cut_off:
            raise TooLongForModel(self.model, answer=True)
        return answer

    async def _try(self, question: ModelQuestion, correction: AnswerCorrection | None) -> ModelAnswer:
        async def once() -> ModelAnswer:
            self.usage.requests += 1
            return await self.provider.ask(question, correction)

        return await self.retry.run(once)


def _find_problems(accept: AnswerValidator, text: str) -> _AnswerProblems:
    try:
        beyond = accept(text)
    except ValidationError as error:
        mistakes = error.errors(include_url=False, include_context=False, include_input=False)
        lines = [f"- {'.'.join(map(str, m['loc'])) or 'answer'}: {m['msg']}" for m in mistakes[:_MAX_ERRORS]]
        return _AnswerProblems("\n".join(lines), _FAULTS.get(mistakes[0]["type"], _OTHER_FAULT))
    return _AnswerProblems("\n".join(f"- {part.reason} {shorten(part.text, 120)}" for part in beyond[:_MAX_ERRORS]))
