"""Kills one part after the other at random, and starts again what has ended, as a supervisor does."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence

from parts import Part, Process

Weighed = Sequence[tuple[Part, int]]


async def wreak_havoc(
    parts: Weighed, chance: random.Random, pause: tuple[float, float], kills: Counter[str], end: float
) -> None:
    """Until the end, and until something was killed. A weight says how much likelier a part is than one of weight 1."""
    chosen, weights = zip(*parts, strict=True)
    while time.monotonic() < end or not kills:
        await asyncio.sleep(chance.uniform(*pause))
        part: Part = chance.choices(chosen, weights)[0]
        if await asyncio.to_thread(part.is_up):
            kills[part.kill()] += 1
            part.revive()


async def supervise(processes: Sequence[Process]) -> None:
    """Until cancelled: what ended by itself is noted and started again."""
    while True:
        await asyncio.sleep(1)
        for process in processes:
            process.start_again_if_ended()
