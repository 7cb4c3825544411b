"""The port to whoever hosts a model: one question, one answer as JSON text, not yet believed.

Adapters raise `almanac.llm.errors` for everything that goes wrong on the way. Whether the answer has the form of
the step, what to do about it and what to remember is decided by the gateway.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, Protocol, TypeVar

from almanac.llm.model_config import ModelEndpoint

JsonSchema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuestion:
    """What a model is asked: its instructions, the sources, and the form of the answer."""

    step: str
    instructions: str
    sources: str
    schema: JsonSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What came back, and what it took. `turn` lets the adapter go on with the conversation; nobody else reads it."""

    text: str
    refused: bool = False
    cut_off: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = None
    turn: object = None


@dataclass(frozen=True, slots=True)
class AnswerCorrection:
    """An answer that was wrong, and in which way."""

    answer: ModelAnswer
    wrong: str


class ModelProvider(Protocol):
    """Asks one model. Cancelling the call closes its connection."""

    async def ask(self, question: ModelQuestion, correction: AnswerCorrection | None = None) -> ModelAnswer: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TextVectors:
    """Texts as vectors, in their order, and what it took."""

    vectors: list[list[float]]
    input_tokens: int = 0
    cost: Decimal | None = None


class EmbeddingProvider(Protocol):
    """Asks one model for vectors."""

    async def embed(self, texts: Sequence[str]) -> TextVectors: ...

    async def close(self) -> None: ...


class ClosableProvider(Protocol):
    """Holds connections until it is closed."""

    async def close(self) -> None: ...


ProviderT = TypeVar("ProviderT", bound=ClosableProvider)


class ProviderPool(Generic[ProviderT]):
    """Opening loads libraries for a second, so it happens in a thread, once for each model."""

    def __init__(self, open_provider: Callable[[ModelEndpoint], ProviderT]) -> None:
        self._open_provider = open_provider
        self._opened: dict[ModelEndpoint, ProviderT] = {}
        self._turn = asyncio.Lock()

    async def get(self, model: ModelEndpoint) -> ProviderT:
        async with self._turn:
            if model not in self._opened:
                self._opened[model] = await asyncio.to_thread(self._open_provider, model)
            return self._opened[model]

    async def close(self) -> None:
        while self._opened:
            _, provider = self._opened.popitem()
            await provider.close()
