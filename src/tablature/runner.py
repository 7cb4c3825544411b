"""The blocking runner: performs the effects that operations yield."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

from tablature.errors import InputError
from tablature.objects import Objects
from tablature.operations.cost import Meter
from tablature.operations.effects import DeleteObject, GetObject, Parallel, PutObject, ServiceCall, Sleep, Steps
from tablature.transport.port import Transport

T = TypeVar("T")


class EffectRunner:
    """Performs effects one after another. With threads, parallel steps run concurrently."""

    def __init__(self, transport: Transport, objects: Objects | None, meter: Meter, threads: int = 0) -> None:
        self.transport = transport
        self.objects = objects
        self.meter = meter
        self._threads = threads
        self._send = transport.send
        self._record_call = meter.record_call
        self._sleep: Callable[[float], None] = time.sleep

    def run(self, steps: Steps[T]) -> T:
        try:
            effect = next(steps)
            while True:
                try:
                    if isinstance(effect, ServiceCall):
                        outcome = self._send(effect.operation, effect.request)
                        self._record_call(effect, outcome)
                    else:
                        outcome = self._perform(effect)
                except Exception as error:  # noqa: BLE001 - every failure belongs to the step that asked for the effect
                    effect = steps.throw(error)
                else:
                    effect = steps.send(outcome)
        except StopIteration as stop:
            result: T = stop.value
            return result

    def _perform(self, effect: Sleep | Parallel | PutObject | GetObject | DeleteObject) -> Any:
        if isinstance(effect, Sleep):
            return self._sleep(effect.seconds)
        if isinstance(effect, Parallel):
            return self._all(effect.steps)
        return self._store(effect)

    def _all(self, steps: tuple[Steps[Any], ...]) -> list[Any]:
        if not self._threads or len(steps) == 1:
            return [self.run(part) for part in steps]
        outcomes: list[Any] = [None] * len(steps)
        failures: list[BaseException] = []
        waiting = list(enumerate(steps))

        def work() -> None:
            while waiting and not failures:
                try:
                    at, part = waiting.pop()
                    outcomes[at] = self.run(part)
                except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
                    failures.append(error)

        threads = [Thread(target=copy_context().run, args=(work,)) for _ in range(min(self._threads, len(steps)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        return outcomes

    def _store(self, effect: PutObject | GetObject | DeleteObject) -> bytes | None:
        if self.objects is None:
            raise InputError("An item points to the object store, and the database was opened without one.")
        if isinstance(effect, PutObject):
            self.objects.put(effect.key, effect.data)
            return None
        if isinstance(effect, GetObject):
            return self.objects.get(effect.key)
        self.objects.delete(effect.key)
        return None
