"""Performs the steps of a transfer over any transport, blocking with threads or with await."""

from __future__ import annotations

from typing import TypeVar

from tablature.async_runner import AsyncEffectRunner
from tablature.operations.cost import Meter
from tablature.operations.effects import Steps
from tablature.runner import EffectRunner
from tablature.transport.port import Transport

T = TypeVar("T")


def run(transport: Transport, steps: Steps[T], *, threads: int = 4) -> T:
    """Perform the steps; parallel ones in so many threads."""
    return EffectRunner(transport, None, Meter(), threads).run(steps)


async def run_async(transport: Transport, steps: Steps[T]) -> T:
    """Perform the steps with await; parallel ones concurrently."""
    return await AsyncEffectRunner(transport, None, Meter()).run(steps)
