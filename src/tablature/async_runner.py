"""The asyncio runner: performs the effects that operations yield."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from tablature.errors import InputError
from tablature.objects import Objects
from tablature.operations.cost import Meter
from tablature.operations.effects import DeleteObject, Effect, GetObject, Parallel, PutObject, ServiceCall, Sleep, Steps
from tablature.transport.port import Transport

T = TypeVar("T")


class AsyncEffectRunner:
    """Performs effects with await. Parallel steps run concurrently."""

    def __init__(self, transport: Transport, objects: Objects | None, meter: Meter) -> None:
        self.transport = transport
        self.objects = objects
        self.meter = meter

    async def run(self, steps: Steps[T]) -> T:
        try:
            effect = next(steps)
            while True:
                try:
                    outcome = await self._perform(effect)
                except Exception as error:  # noqa: BLE001 - every failure belongs to the step that asked for the effect
                    effect = steps.throw(error)
                else:
                    effect = steps.send(outcome)
        except StopIteration as stop:
            result: T = stop.value
            return result

    async def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, ServiceCall):
            response = await self.transport.send_async(effect.operation, effect.request)
            self.meter.record_call(effect, response)
            return response
        if isinstance(effect, Sleep):
            return await asyncio.sleep(effect.seconds)
        if isinstance(effect, Parallel):
            if len(effect.steps) == 1:
                # A task of its own would cost more than most calls to an engine in process.
                return [await self.run(effect.steps[0])]
            return await asyncio.gather(*(self.run(part) for part in effect.steps))
        return await self._store(effect)

    async def _store(self, effect: PutObject | GetObject | DeleteObject) -> bytes | None:
        if self.objects is None:
            raise InputError("An item points to the object store, and the database was opened without one.")
        if isinstance(effect, PutObject):
            await self.objects.put_async(effect.key, effect.data)
            return None
        if isinstance(effect, GetObject):
            return await self.objects.get_async(effect.key)
        await self.objects.delete_async(effect.key)
        return None
