"""Choosing sentences: the best ones, none that repeats another, none that leans on a sentence left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from almanac.llm.extractive.reading import Line
from almanac.llm.sources import Cited

_REPEATS = 0.62
_COST_OF_LIKENESS = 0.9
_COST_OF_CROWDING = 0.25
_FAIR_OVERSHOOT = 1.15
_FLOOR = 0.12


@dataclass(frozen=True, slots=True)
class Budget:
    """At most so many sentences and, where given, about so many words."""

    sentences: int
    words: float | None = None


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """From 0 to 1: how much of the shorter sentence is in the longer one, less where there is much else."""
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return 0.75 * shared / min(len(one), len(other)) + 0.25 * shared / max(len(one), len(other))


@dataclass(slots=True)
class _Choosing:
    worth: dict[Line, float]
    flowing: bool
    sources: int
    nearest: dict[Line, float] = field(default_factory=dict)
    chosen: dict[tuple[str, int], Line] = field(default_factory=dict)
    crowd: dict[str, int] = field(default_factory=dict)
    size: float = 0.0

    def best(self, budget: Budget) -> Line | None:
        """The worthiest sentence that may be added now; the earlier one where two are alike worth."""
        room = budget.words * _FAIR_OVERSHOOT - self.size if budget.words else None
        candidates = (
            line
            for line in self.worth
            if self.nearest[line] < _REPEATS
            and (room is None or line.size <= room or not self.chosen)
            and (line.alone or (self.flowing and (line.source, line.index - 1) in self.chosen))
        )
        return max(candidates, key=lambda line: (self.value(line), -line.order), default=None)

    def value(self, line: Line) -> float:
        fair_share = len(self.chosen) / max(1, self.sources)
        crowding = max(0.0, self.crowd.get(line.source, 0) - fair_share)
        return self.worth[line] - _COST_OF_LIKENESS * self.nearest[line] - _COST_OF_CROWDING * crowding

    def add(self, line: Line) -> None:
        self.chosen[line.source, line.index] = line
        self.crowd[line.source] = self.crowd.get(line.source, 0) + 1
        self.size += line.size
        del self.worth[line]
        for other in self.worth:
            self.nearest[other] = max(self.nearest[other], likeness(line.about, other.about))


def choose(
    worth: dict[Line, float],
    budget: Budget,
    *,
    flowing: bool = True,
    used: Iterable[frozenset[str]] = (),
) -> list[Line]:
    """The chosen lines, the worthiest first. In a flowing text a line may lean on the one just before it."""
    choosing = _Choosing(dict(worth), flowing, len({line.source for line in worth}))
    taken = list(used)
    choosing.nearest = {
        line: max((likeness(line.about, other) for other in taken), default=0.0) for line in choosing.worth
    }
    # Where a length is asked for, weaker sentences may fill it; where not, few good ones are better than many.
    floor = 0.0 if budget.words else _FLOOR * max(worth.values(), default=0.0)
    while len(choosing.chosen) < budget.sentences:
        if budget.words and choosing.size >= 0.9 * budget.words:
            break
        best = choosing.best(budget)
        if best is None or (choosing.chosen and choosing.value(best) < floor):
            break
        choosing.add(best)
    return list(choosing.chosen.values())


def in_order(lines: Iterable[Line], sources: Sequence[str]) -> list[Line]:
    """The lines as the sources have them."""
    place = {source: number for number, source in enumerate(sources)}
    return sorted(lines, key=lambda line: (place[line.source], line.index))


def flowing_text(lines: Sequence[Line]) -> tuple[Cited, ...]:
    """The lines as a text: one that follows its predecessor keeps its connective, any other stands alone."""
    written: list[Cited] = []
    before: Line | None = None
    for line in lines:
        follows = before is not None and before.source == line.source and before.index == line.index - 1
        written.append(line.cited(line.text if follows else line.alone))
        before = line
    return tuple(written)
