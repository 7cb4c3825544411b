"""The providers of the models in use: each opened when it is first asked, closed with the product."""

import asyncio
from collections.abc import Callable

from almanac.llm.choices import Model
from almanac.llm.provider import Provider

OpenProvider = Callable[[Model], Provider]


class Providers:
    """Opening loads libraries for a second, so it happens in a thread, once for each model."""

    def __init__(self, open_provider: OpenProvider) -> None:
        self._open_provider = open_provider
        self._opened: dict[Model, Provider] = {}
        self._turn = asyncio.Lock()

    async def get(self, model: Model) -> Provider:
        async with self._turn:
            if model not in self._opened:
                self._opened[model] = await asyncio.to_thread(self._open_provider, model)
            return self._opened[model]

    async def close(self) -> None:
        while self._opened:
            _, provider = self._opened.popitem()
            await provider.close()
