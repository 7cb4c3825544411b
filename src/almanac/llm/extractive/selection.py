"""Ranks sentences for a purpose and selects the best, without repetition."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log

from almanac.llm.extractive.essentials import Essential
from almanac.llm.extractive.source_parser import ParsedSource, SourceLine
from almanac.llm.sources import Cited

_RARE_WORD = 0.25
_LEAD, _LEAD_STEP = 0.6, 0.05
_PARAGRAPH_START = 0.12
_CONTINUING, _POINTING_BACK = 0.2, 0.25


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Weights of the ranking. A sentence shorter or longer than `ideal` words loses."""

    central: float = 1.0
    place: float = 0.75
    title: float = 0.5
    figure: float = 0.2
    decision: float = 0.25
    speech: float = 0.5
    length: float = 0.4
    ideal: tuple[float, float] = (9.0, 34.0)


SUMMARY = RankingWeights()
DRAFT = RankingWeights(place=0.55, title=1.3)
KEY_POINTS = RankingWeights(place=0.5, figure=0.4, decision=0.5, speech=0.7)
BULLETS = RankingWeights(place=0.5, figure=0.35, decision=0.35, speech=0.7, length=0.7, ideal=(7.0, 26.0))
PLAIN = RankingWeights(place=1.0, figure=0.0, decision=0.2, speech=0.9, length=0.9, ideal=(7.0, 18.0))


def rank_lines(
    readings: Sequence[ParsedSource], purpose: RankingWeights, wanted: frozenset[str] = frozenset()
) -> dict[SourceLine, float]:
    """The score of every usable sentence; `wanted` are topic words, ignored if no sentence has any."""
    wanted = wanted if any(wanted & line.topic_words for reading in readings for line in reading.lines) else frozenset()
    counts = Counter(word for reading in readings for line in reading.lines for word in line.topic_words)
    weights = {word: log(1 + count) if count > 1 else _RARE_WORD for word, count in counts.items()}
    raw = {line: _centrality_score(line, weights) for reading in readings for line in reading.lines}
    highest = max(raw.values(), default=0.0) or 1.0
    return {
        line: purpose.central * raw[line] / highest
        + purpose.place * _position_score(reading.lines, line)
        + purpose.title * _title_score(line, wanted or reading.title_words)
        + _style_score(line, purpose)
        for reading in readings
        for line in reading.lines
    }


def _centrality_score(line: SourceLine, weights: dict[str, float]) -> float:
    return sum(weights[word] for word in line.topic_words) / (len(line.topic_words) + 5)


def _position_score(lines: Sequence[SourceLine], line: SourceLine) -> float:
    if line.order == 0:
        return 1.0
    opens = lines[line.order - 1].paragraph != line.paragraph
    return max(0.0, _LEAD - _LEAD_STEP * line.order) + (_PARAGRAPH_START if opens else 0.0)


def _title_score(line: SourceLine, wanted: frozenset[str]) -> float:
    return len(line.topic_words & wanted) / len(wanted) if wanted else 0.0


def _style_score(line: SourceLine, purpose: RankingWeights) -> float:
    low, high = purpose.ideal
    excess = max(low - line.size, 0.0) / low + max(line.size - high, 0.0) / high
    cues = line.cues
    worth = purpose.figure * cues.figure + purpose.decision * cues.decision
    worth -= purpose.length * min(excess, 1.5)
    worth -= purpose.speech * (cues.quoted + cues.first_person)
    return worth - _CONTINUING * cues.continues - _POINTING_BACK * cues.points_back


_REPEAT_OVERLAP = 0.62
_COST_OF_LIKENESS = 0.9
_COST_OF_CROWDING = 0.25
_FAIR_OVERSHOOT = 1.15
_FLOOR = 0.12
_DEEPEST_NEED = 3


@dataclass(frozen=True, slots=True)
class LengthBudget:
    """A maximum number of sentences and, where given, an approximate number of words."""

    sentences: int
    words: float | None = None


def word_overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Similarity from 0 to 1, mainly the share of the shorter sentence that is in the longer one."""
    if not first or not second:
        return 0.0
    shared = len(first & second)
    return 0.75 * shared / min(len(first), len(second)) + 0.25 * shared / max(len(first), len(second))


@dataclass(slots=True)
class _Selection:
    worth: dict[SourceLine, float]
    flowing: bool
    sources: int
    budget: LengthBudget
    nearest: dict[SourceLine, float] = field(default_factory=dict)
    chosen: dict[tuple[str, int], SourceLine] = field(default_factory=dict)
    crowd: dict[str, int] = field(default_factory=dict)
    following: dict[tuple[str, int], SourceLine] = field(default_factory=dict)
    told: frozenset[SourceLine] = frozenset()
    size: float = 0.0

    def best(self) -> list[SourceLine]:
        """The best sentence that may be added now with what it needs, the earlier one on a tie; empty if none may."""
        candidates = (
            bundle
            for line in self.worth
            if self.nearest[line] < _REPEAT_OVERLAP and (line.standalone or self.flowing)
            if (bundle := self.bundle(line)) and self.has_room(bundle)
        )
        return max(candidates, key=lambda bundle: (self.bundle_value(bundle), -bundle[-1].order), default=[])

    def bundle(self, line: SourceLine, *, leaning: bool = False) -> list[SourceLine]:
        """The line after the lines that it needs and before one that limits it, as far as not chosen yet.

        Empty where it needs too many, or one that isn't usable. Points lean on each other only if `leaning`.
        """
        needed = self._needed(line, 0)
        if needed and not (leaning or self.flowing or all(need.standalone for need in needed)):
            return []
        if needed is None:
            return []
        proviso = self.following.get((line.source, line.index))
        after = [proviso] if proviso is not None and (line.source, line.index + 1) not in self.chosen else []
        return [*dict.fromkeys(needed), line, *after]

    def _needed(self, line: SourceLine, depth: int) -> list[SourceLine] | None:
        if not line.can_be_read or depth > _DEEPEST_NEED:
            return None
        needed: list[SourceLine] = []
        for need in line.needs:
            if (need.source, need.index) in self.chosen or (line.standalone and need in self.told):
                continue
            more = self._needed(need, depth + 1)
            if more is None:
                return None
            needed += [*more, need]
        return needed

    def has_room(self, bundle: Sequence[SourceLine]) -> bool:
        if len(self.chosen) + len(bundle) > self.budget.sentences:
            return False
        if self.budget.words is None or not self.chosen:
            return True
        return sum(line.size for line in bundle) <= self.budget.words * _FAIR_OVERSHOOT - self.size

    def value(self, line: SourceLine) -> float:
        fair_share = len(self.chosen) / max(1, self.sources)
        crowding = max(0.0, self.crowd.get(line.source, 0) - fair_share)
        return self.worth[line] - _COST_OF_LIKENESS * self.nearest[line] - _COST_OF_CROWDING * crowding

    def bundle_value(self, bundle: Sequence[SourceLine]) -> float:
        """The mean value; headings and header rows have none of their own."""
        values = [self.value(line) for line in bundle if line in self.worth]
        return sum(values) / len(values)

    def add(self, bundle: Sequence[SourceLine]) -> None:
        for line in bundle:
            self.chosen[line.source, line.index] = line
            self.crowd[line.source] = self.crowd.get(line.source, 0) + 1
            self.size += line.size
            self.worth.pop(line, None)
            for other in self.worth:
                self.nearest[other] = max(self.nearest[other], word_overlap(line.topic_words, other.topic_words))

    def add_essentials(self, source: str) -> None:
        """What may not be left out of this source, as far as there is room."""
        for kind in Essential:
            most = max(1, self.budget.sentences // 2) if kind is Essential.RECOMMENDATION else 1
            for _ in range(most - sum(kind in line.essentials for line in self.chosen.values())):
                bundles = (
                    self.bundle(line) for line in self.worth if line.source == source and kind in line.essentials
                )
                room = [
                    bundle for bundle in bundles if bundle and len(self.chosen) + len(bundle) <= self.budget.sentences
                ]
                if room:
                    self.add(max(room, key=lambda bundle: self.value(bundle[-1]) if bundle[-1] in self.worth else 0.0))


def select_lines(
    worth: dict[SourceLine, float],
    budget: LengthBudget,
    *,
    flowing: bool = True,
    used: Iterable[frozenset[str]] = (),
) -> list[SourceLine]:
    """The selected lines, best first. In a flowing text a line may depend on the one just before it."""
    choosing = _Selection(dict(worth), flowing, len({line.source for line in worth}), budget)
    choosing.following = {(line.source, line.index - 1): line for line in worth if line.proviso}
    taken = list(used)
    choosing.nearest = {
        line: max((word_overlap(line.topic_words, other) for other in taken), default=0.0) for line in choosing.worth
    }
    choosing.told = frozenset(line for line, nearest in choosing.nearest.items() if nearest >= _REPEAT_OVERLAP)
    # Where a length is asked for, weaker sentences may fill it; where not, few good ones are better than many.
    floor = 0.0 if budget.words else _FLOOR * max(worth.values(), default=0.0)
    begun: set[str] = set()
    while len(choosing.chosen) < budget.sentences:
        if budget.words and choosing.size >= 0.9 * budget.words:
            break
        best = choosing.best()
        if not best or (choosing.chosen and choosing.bundle_value(best) < floor):
            break
        choosing.add(best)
        if best[0].source not in begun:
            begun.add(best[0].source)
            choosing.add_essentials(best[0].source)
    return list(choosing.chosen.values())


def sort_by_source(lines: Iterable[SourceLine], sources: Sequence[str]) -> list[SourceLine]:
    """The lines in the order of the sources."""
    place = {source: number for number, source in enumerate(sources)}
    return sorted(lines, key=lambda line: (place[line.source], line.index))


def flowing_text(lines: Sequence[SourceLine]) -> tuple[Cited, ...]:
    """The lines as a text: one that follows its predecessor keeps its connective, others are standalone."""
    written: list[Cited] = []
    before: SourceLine | None = None
    for line in lines:
        follows = before is not None and before.source == line.source and before.index == line.index - 1
        written.append(line.cite(line.text if follows else line.standalone))
        before = line
    return tuple(written)
