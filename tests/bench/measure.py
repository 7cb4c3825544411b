"""Measures how often something can be done in a second, and holds one line of the table of results."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ROUNDS = 6


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


def rate(work: Callable[[], object], seconds: float = 1.0) -> float:
    """How many times a second `work` can be done: the best of a few rounds, as noise only ever slows down."""
    return rates({"": work}, seconds)[""]


def rates(works: Mapping[str, Callable[[], object]], seconds: float = 1.0) -> dict[str, float]:
    """The rates of several works, taking turns, so that a busy moment of the machine strikes them alike."""
    for work in works.values():
        work()
    best = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            best[name] = max(best[name], _once(work, seconds / ROUNDS))
    return best


def _once(work: Callable[[], object], seconds: float) -> float:
    done, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
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
