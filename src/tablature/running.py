"""The two drivers of the sans-I/O core: they perform the effects that operations yield, one waiting, one awaiting."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from tablature.errors import InputError
from tablature.objects import Objects
from tablature.operations.cost import Meter
from tablature.operations.effects import Call, DropObject, Effect, GetObject, PutObject, Steps, Together, Wait
from tablature.transport.port import Transport

T = TypeVar("T")


class Runner:
    """Performs effects and waits for each. With threads, independent steps run at the same time."""

    def __init__(self, transport: Transport, objects: Objects | None, meter: Meter, threads: int = 0) -> None:
        self.transport = transport
        self.objects = objects
        self.meter = meter
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tablature") if threads else None
        self._sleep: Callable[[float], None] = time.sleep

    def run(self, steps: Steps[T]) -> T:
        try:
            effect = next(steps)
            while True:
                try:
                    answer = self._perform(effect)
                except Exception as error:  # noqa: BLE001 - every failure belongs to the step that asked for the effect
                    effect = steps.throw(error)
                else:
                    effect = steps.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result

    def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Call):
            response = self.transport.send(effect.operation, effect.request)
            self.meter.note(effect, response)
            return response
        if isinstance(effect, Wait):
            return self._sleep(effect.seconds)
        if isinstance(effect, Together):
            return self._all(effect.steps)
        return self._store(effect)

    def _all(self, steps: tuple[Steps[Any], ...]) -> list[Any]:
        if self._pool is None or len(steps) == 1:
            return [self.run(part) for part in steps]
        futures = [self._pool.submit(copy_context().run, Runner.run, self._without_pool(), part) for part in steps]
        return [future.result() for future in futures]

    def _without_pool(self) -> "Runner":
        """Steps that run in the pool do their own parts one after another, or they could wait for each other."""
        return Runner(self.transport, self.objects, self.meter)

    def _store(self, effect: PutObject | GetObject | DropObject) -> bytes | None:
        if self.objects is None:
            raise InputError("An item points to the object store, and the database was opened without one.")
        if isinstance(effect, PutObject):
            self.objects.put(effect.key, effect.data)
            return None
        if isinstance(effect, GetObject):
            return self.objects.get(effect.key)
        self.objects.delete(effect.key)
        return None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()


class AsyncRunner:
    """Performs effects and awaits each; independent steps run at the same time."""

    def __init__(self, transport: Transport, objects: Objects | None, meter: Meter) -> None:
        self.transport = transport
        self.objects = objects
        self.meter = meter

    async def run(self, steps: Steps[T]) -> T:
        try:
            effect = next(steps)
            while True:
                try:
                    answer = await self._perform(effect)
                except Exception as error:  # noqa: BLE001 - every failure belongs to the step that asked for the effect
                    effect = steps.throw(error)
                else:
                    effect = steps.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result

    async def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Call):
            response = await self.transport.send_async(effect.operation, effect.request)
            self.meter.note(effect, response)
            return response
        if isinstance(effect, Wait):
            return await asyncio.sleep(effect.seconds)
        if isinstance(effect, Together):
            return await asyncio.gather(*(self.run(part) for part in effect.steps))
        return await self._store(effect)

    async def _store(self, effect: PutObject | GetObject | DropObject) -> bytes | None:
        if self.objects is None:
            raise InputError("An item points to the object store, and the database was opened without one.")
        if isinstance(effect, PutObject):
            await self.objects.put_async(effect.key, effect.data)
            return None
        if isinstance(effect, GetObject):
            return await self.objects.get_async(effect.key)
        await self.objects.delete_async(effect.key)
        return None
