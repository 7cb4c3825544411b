"""The port to model providers, and the pool of open ones. Answers are JSON text that isn't validated yet.

Adapters raise `almanac.llm.errors`. The gateway validates and caches answers.
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
    """Instructions, sources and the schema of the answer."""

    step: str
    instructions: str
    sources: str
    schema: JsonSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """An answer and its usage. `turn` lets the adapter continue the conversation; only the adapter reads it."""

    text: str
    refused: bool = False
    cut_off: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = None
    turn: object = None


@dataclass(frozen=True, slots=True)
class AnswerCorrection:
    """An invalid answer and what is wrong with it."""

    answer: ModelAnswer
    wrong: str


class ModelProvider(Protocol):
    """Asks one model. Cancelling the call closes its connection."""

    async def ask(self, question: ModelQuestion, correction: AnswerCorrection | None = None) -> ModelAnswer: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TextVectors:
    """Vectors of texts, in order, and their usage."""

    vectors: list[list[float]]
    input_tokens: int = 0
    cost: Decimal | None = None


class EmbeddingProvider(Protocol):
    """Embeds texts with one model."""

    async def embed(self, texts: Sequence[str]) -> TextVectors: ...

    async def close(self) -> None: ...


class ClosableProvider(Protocol):
    """Holds connections until it is closed."""

    async def close(self) -> None: ...


ProviderT = TypeVar("ProviderT", bound=ClosableProvider)


class ProviderPool(Generic[ProviderT]):
    """Opens providers on first use, in a thread, because that imports their libraries."""

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
