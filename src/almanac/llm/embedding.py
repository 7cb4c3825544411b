"""The port that turns texts into vectors, and a deterministic stand-in for tests. Search uses it where one is set."""

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors of one length. Failures are those of `almanac.llm.failures`."""

    @property
    def model(self) -> str:
        """The name of the model: vectors of different models can't be compared."""
        ...

    async def embed(self, texts: Sequence[str], *, desk: str = "search") -> list[list[float]]:
        """One vector for each text, in their order."""
        ...


class HashedEmbedder:
    """Vectors from hashed pairs of letters: alike for texts that share words, the same on every machine."""

    model = "hashed"

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions

    async def embed(self, texts: Sequence[str], *, desk: str = "search") -> list[list[float]]:  # noqa: ARG002 - port
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self._dimensions
        folded = f" {' '.join(text.casefold().split())} "
        for first, second in pairwise(folded):
            digest = hashlib.blake2b((first + second).encode(), digest_size=4).digest()
            vector[int.from_bytes(digest, "big") % self._dimensions] += 1.0
        length = sqrt(sum(value * value for value in vector)) or 1.0
        return [value / length for value in vector]
