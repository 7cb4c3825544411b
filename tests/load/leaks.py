"""Says whether something grows without end, from samples taken over a while.

The slope is Theil and Sen's, the median of the slopes between all pairs of samples, which a few spikes don't move. It
is taken over the second half, when caches are warm and pools are full. Something leaks where the slope is surely (by
the lower end of its 95 % interval) more than 1 % in ten minutes, and where it shows: what has stopped rising holds.
"""

import math
import statistics
from dataclasses import dataclass
from itertools import combinations

from sampling import Samples

GROWTH, SPAN_SECONDS = 0.01, 600
COUNTED = ("open files", "threads", "connections to PostgreSQL")
DATA = ("table file, MB",)
SHORTEST_SECONDS, SURE = 590, 1.96


@dataclass(frozen=True)
class Verdict:
    """How one series went: typical values of the third and fourth quarter, and its growth in ten minutes."""

    name: str
    before: float
    after: float
    growth: float
    leaks: bool


def verdicts(samples: Samples) -> list[Verdict]:
    """One for each series but the data itself, which grows because people write; none for a run of a few minutes."""
    if not samples.moments or samples.moments[-1] < SHORTEST_SECONDS:
        return []
    return [verdict(name, samples.moments, values) for name, values in samples.series.items() if name not in DATA]


def verdict(name: str, moments: list[float], values: list[float]) -> Verdict:
    half, quarter = len(values) // 2, len(values) // 4
    before, after = statistics.median(values[half : half + quarter]), statistics.median(values[-quarter:])
    likely, least = slope(moments[half:], values[half:])
    allowed = max(GROWTH * after, 1.0 if name in COUNTED else 0.0)
    leaks = least * SPAN_SECONDS > allowed and after > before + allowed / 2
    return Verdict(name, before, after, likely * SPAN_SECONDS, leaks)


def slope(moments: list[float], values: list[float]) -> tuple[float, float]:
    """The median slope, and the lower end of its interval by Kendall's variance."""
    pairs = combinations(zip(moments, values, strict=True), 2)
    slopes = sorted((late - early) / (then - now) for (now, early), (then, late) in pairs)
    count = len(values)
    spread = SURE * math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    return statistics.median(slopes), slopes[max(0, int((len(slopes) - spread) / 2))]
