"""One question put to one model until its answer is accepted: tries, one repair, and what all of it took."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from pydantic import ValidationError

from almanac.llm.choices import Price
from almanac.llm.failures import Malformed, Refused, TooLong
from almanac.llm.ledger import Use
from almanac.llm.patience import Patience
from almanac.llm.provider import Answer, Correction, Provider, Question

Accept = Callable[[str], object]
_MOST_MISTAKES = 20


@dataclass(slots=True)
class Spending:
    """What was used up so far, failed tries included."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    priced: bool = True

    def add(self, answer: Answer, price: Price | None) -> None:
        cost = price.of(answer.input_tokens, answer.output_tokens) if price else answer.cost
        self.input_tokens += answer.input_tokens
        self.output_tokens += answer.output_tokens
        self.cost += cost or 0
        self.priced = self.priced and cost is not None

    def booked(self, use: Use, seconds: float) -> Use:
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
class Asking:
    """A question on its way. `accept` raises ValidationError for an answer that hasn't the form asked for."""

    model: str
    provider: Provider
    patience: Patience
    price: Price | None = None
    spending: Spending = field(default_factory=Spending)

    async def settle(self, question: Question, accept: Accept) -> tuple[str, bool]:
        """The accepted answer, and whether it took a repair. A second wrong answer is Malformed."""
        answer = await self._ask(question, None)
        wrong = _mistakes(accept, answer.text)
        if wrong is None:
            return answer.text, False
        answer = await self._ask(question, Correction(answer, wrong))
        if _mistakes(accept, answer.text) is not None:
            raise Malformed(self.model)
        return answer.text, True

    async def _ask(self, question: Question, correction: Correction | None) -> Answer:
        answer = await self._try(question, correction)
        self.spending.add(answer, self.price)
        if answer.refused:
            raise Refused(self.model)
        if answer.cut_off:
            raise TooLong(self.model, "The answer would be")
        return answer

    async def _try(self, question: Question, correction: Correction | None) -> Answer:
        async def once() -> Answer:
            self.spending.requests += 1
            return await self.provider.ask(question, correction)

        return await self.patience.persist(once)


def _mistakes(accept: Accept, text: str) -> str | None:
    """What is wrong, for the model to read; None when the answer is accepted."""
    try:
        accept(text)
    except ValidationError as error:
        mistakes = error.errors(include_url=False, include_context=False, include_input=False)
        return "\n".join(f"- {'.'.join(map(str, m['loc'])) or 'answer'}: {m['msg']}" for m in mistakes[:_MOST_MISTAKES])
    return None
