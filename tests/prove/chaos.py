"""Kills one part after the other at random, and starts it again, as long as the load lasts."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence

from parts import Part


async def wreak_havoc(
    parts: Sequence[tuple[Part, int]], chance: random.Random, pause: tuple[float, float], kills: Counter[str]
) -> None:
    """Go on until cancelled. Each part has a weight: how much likelier it is to be the next than one of weight 1."""
    chosen, weights = zip(*parts, strict=True)
    while True:
        await asyncio.sleep(chance.uniform(*pause))
        part = chance.choices(chosen, weights)[0]
        kills[part.kill()] += 1
        await part.revive()
