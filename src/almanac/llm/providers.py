"""The providers of the models in use: each opened when it is first asked, closed with the product."""

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from almanac.llm.choices import Model


class Closable(Protocol):
    """Holds connections until it is closed."""

    async def close(self) -> None: ...


Opened = TypeVar("Opened", bound=Closable)


class Providers(Generic[Opened]):
    """Opening loads libraries for a second, so it happens in a thread, once for each model."""

    def __init__(self, open_provider: Callable[[Model], Opened]) -> None:
        self._open_provider = open_provider
        self._opened: dict[Model, Opened] = {}
        self._turn = asyncio.Lock()

    async def get(self, model: Model) -> Opened:
        async with self._turn:
            if model not in self._opened:
                self._opened[model] = await asyncio.to_thread(self._open_provider, model)
            return self._opened[model]

    async def close(self) -> None:
        while self._opened:
            _, provider = self._opened.popitem()
            await provider.close()
