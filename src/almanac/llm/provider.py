"""The port to whoever hosts a model: one question, one answer as JSON text, not yet believed.

Adapters raise `almanac.llm.failures` for everything that goes wrong on the way. Whether the answer has the form of
the step, what to do about it and what to remember is decided by the gateway.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

JsonSchema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a model is asked: its instructions, the sources, and the form of the answer."""

    step: str
    instructions: str
    sources: str
    schema: JsonSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, and what it took. `turn` lets the adapter go on with the conversation; nobody else reads it."""

    text: str
    refused: bool = False
    cut_off: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = None
    turn: object = None


@dataclass(frozen=True, slots=True)
class Correction:
    """An answer that was wrong, and in which way."""

    answer: Answer
    wrong: str


class Provider(Protocol):
    """Asks one model. Cancelling the call closes its connection."""

    async def ask(self, question: Question, correction: Correction | None = None) -> Answer: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """Texts as vectors, in their order, and what it took."""

    vectors: list[list[float]]
    input_tokens: int = 0
    cost: Decimal | None = None


class VectorProvider(Protocol):
    """Asks one model for vectors."""

    async def embed(self, texts: Sequence[str]) -> Vectors: ...

    async def close(self) -> None: ...
