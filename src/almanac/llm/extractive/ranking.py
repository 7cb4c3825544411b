"""How much each sentence is worth, for a purpose: central words, place, title, figures, decisions, length."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from almanac.llm.extractive.reading import Line, Reading

_RARE_WORD = 0.25
_LEAD, _LEAD_STEP = 0.6, 0.05
_PARAGRAPH_START = 0.12
_CONTINUING, _POINTING_BACK = 0.2, 0.25


@dataclass(frozen=True, slots=True)
class Purpose:
    """What weighs how much. `ideal` is the length in words below and above which a sentence loses."""

    central: float = 1.0
    place: float = 0.75
    title: float = 0.5
    figure: float = 0.2
    decision: float = 0.25
    speech: float = 0.5
    length: float = 0.4
    ideal: tuple[float, float] = (9.0, 34.0)


SUMMARY = Purpose()
DRAFT = Purpose(place=0.55, title=1.3)
KEY_POINTS = Purpose(place=0.5, figure=0.4, decision=0.5, speech=0.7)
BULLETS = Purpose(place=0.5, figure=0.35, decision=0.35, speech=0.7, length=0.7, ideal=(7.0, 26.0))
PLAIN = Purpose(place=1.0, figure=0.0, decision=0.2, speech=0.9, length=0.9, ideal=(7.0, 18.0))


def rank(readings: Sequence[Reading], purpose: Purpose, wanted: frozenset[str] = frozenset()) -> dict[Line, float]:
    """The worth of every usable sentence; `wanted` are words that it should be about, if any line is."""
    wanted = wanted if any(wanted & line.about for reading in readings for line in reading.lines) else frozenset()
    counts = Counter(word for reading in readings for line in reading.lines for word in line.about)
    weights = {word: log(1 + count) if count > 1 else _RARE_WORD for word, count in counts.items()}
    raw = {line: _centrality(line, weights) for reading in readings for line in reading.lines}
    highest = max(raw.values(), default=0.0) or 1.0
    return {
        line: purpose.central * raw[line] / highest
        + purpose.place * _place(reading.lines, line)
        + purpose.title * _affinity(line, wanted or reading.title_about)
        + _manner(line, purpose)
        for reading in readings
        for line in reading.lines
    }


def _centrality(line: Line, weights: dict[str, float]) -> float:
    return sum(weights[word] for word in line.about) / (len(line.about) + 5)


def _place(lines: Sequence[Line], line: Line) -> float:
    if line.order == 0:
        return 1.0
    opens = lines[line.order - 1].paragraph != line.paragraph
    return max(0.0, _LEAD - _LEAD_STEP * line.order) + (_PARAGRAPH_START if opens else 0.0)


def _affinity(line: Line, wanted: frozenset[str]) -> float:
    return len(line.about & wanted) / len(wanted) if wanted else 0.0


def _manner(line: Line, purpose: Purpose) -> float:
    low, high = purpose.ideal
    excess = max(low - line.size, 0.0) / low + max(line.size - high, 0.0) / high
    cues = line.cues
    worth = purpose.figure * cues.figure + purpose.decision * cues.decision
    worth -= purpose.length * min(excess, 1.5)
    worth -= purpose.speech * (cues.quoted + cues.first_person)
    return worth - _CONTINUING * cues.continues - _POINTING_BACK * cues.points_back
