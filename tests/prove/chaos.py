"""Kills one part after the other at random, and starts it again, as long as it is let."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence

from parts import Part


async def wreak_havoc(
    parts: Sequence[tuple[Part, int]],
    chance: random.Random,
    pause: tuple[float, float],
    kills: Counter[str],
    end: float,
) -> None:
    """Each part has a weight: how much likelier it is to be the next than one of weight 1."""
    while True:
        await asyncio.sleep(chance.uniform(*pause))
        if time.monotonic() > end:
            return
        up = [(part, weight) for part, weight in parts if await asyncio.to_thread(part.is_up)]
        if not up:
            continue
        chosen, weights = zip(*up, strict=True)
        part = chance.choices(chosen, weights)[0]
        kills[part.kill()] += 1
        await part.revive()
