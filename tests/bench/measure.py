"""Measures how often something can be done in a second, and holds one line of the table of results."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ROUNDS = 15

Work = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Line:
    """One comparison: what was measured, the figures, and the ratio against its bar."""

    what: str
    figures: str
    ratio: float
    bar: float
    at_most: bool = False

    @property
    def holds(self) -> bool:
        return self.ratio <= self.bar if self.at_most else self.ratio >= self.bar


def rate(work: Work, seconds: float = 1.0, clock: Clock = time.perf_counter) -> float:
    """How many times a second `work` can be done: the best of many rounds, as noise only ever slows down."""
    return rates({"": work}, seconds, clock)[""]


def rates(works: Mapping[str, Work], seconds: float = 1.0, clock: Clock = time.perf_counter) -> dict[str, float]:
    """The rates of several works, taking turns, so that a busy moment of the machine strikes them alike.

    `time.process_time` as the clock leaves out the time in which the machine did something else, or waited for a disk.
    """
    for work in works.values():
        work()
    best = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            best[name] = max(best[name], _once(work, seconds / ROUNDS, clock))
    return best


def _once(work: Work, seconds: float, clock: Clock) -> float:
    done, start = 0, clock()
    while (passed := clock() - start) < seconds:
        work()
        done += 1
    return done / passed


def show(title: str, lines: list[Line]) -> str:
    """Lay results out as a Markdown table."""
    rows = [f"### {title}", "", "| what | figures | ratio | bar | holds |", "| --- | --- | --- | --- | --- |"]
    for line in lines:
        sign = "≤" if line.at_most else "≥"
        verdict = "yes" if line.holds else "**no**"
        rows.append(f"| {line.what} | {line.figures} | {line.ratio:.2f} | {sign} {line.bar:g} | {verdict} |")
    return "\n".join([*rows, ""])
