"""Charts as plain shapes: pure functions turn figures into lines, bars and cells that one template draws.

A drawing is as wide as its place and its text never scales: positions across are percentages, heights are pixels. How
many labels fit below a line depends on the width, so each label says at which widths it is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar
from unicodedata import east_asian_width

from almanac.kit.messages import figure_text, gettext, join_texts, translate

# The plot's pixels from its top to its bottom; the outermost lines keep half a line of text away from its edges.
PLOT_HEIGHT, _EDGE = 124, 9
# The least width in pixels of each step; charts.css shows labels by the same steps.
PLOT_WIDTHS = (150, 200, 260, 340, 440, 560, 720, 920)
MAX_LABELS = 8
# Pixels of a letter at 13 px, a little more than most fonts need, and between two labels.
_LETTER, _WIDE_LETTER, _GAP = 8, 14, 16
# Marks of more points than this would touch each other on a phone, so only the last of them is drawn.
_MAX_MARKS = 24
_WHOLE_FROM = 1000


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a line with the tooltip of its mark: percent from the left, pixels from the top."""

    x: float
    y: float
    title: str = ""


@dataclass(frozen=True, slots=True)
class ScaleLine:
    """A line across the plot and its label beside it."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text below the plot: percent from the left, and the steps of PLOT_WIDTHS at which it is shown."""

    x: float
    text: str
    anchor: str
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What every chart has: title, unit, a summary in words, and its figures as table rows."""

    kind: ClassVar[str]
    title: str
    unit: str
    summary: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart(Chart):
    """A line over time. A single figure is a point with its value, since a line needs two."""

    kind: ClassVar[str] = "line"
    names: list[str]
    scale: list[ScaleLine]
    points: list[Point]

    @property
    def path(self) -> str:
        return _path(self.points) if len(self.points) > 1 else ""

    @property
    def marks(self) -> list[Point]:
        return self.points if len(self.points) <= _MAX_MARKS else self.points[-1:]

    @property
    def labels(self) -> list[Label]:
        """As many names as fit at each width, in the language that is being spoken; the last is always among them."""
        names = [translate(name) for name in self.names]
        places, lengths = [point.x / 100 for point in self.points], [text_width(name) for name in names]
        chosen: dict[tuple[int, str], list[int]] = {}
        for step, width in enumerate(PLOT_WIDTHS):
            for index, anchor in _fitting(places, lengths, width):
                chosen.setdefault((index, anchor), []).append(step)
        return [
            Label(self.points[index].x, names[index], anchor, tuple(steps))
            for (index, anchor), steps in sorted(chosen.items())
        ]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its whole name and value; `share` is its length in percent."""

    name: str
    value: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart(Chart):
    """Bars of separate values, one below the other."""

    kind: ClassVar[str] = "bars"
    bars: list[Bar]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a heat map: its figure, its tooltip, and how dark it is, from 0 to 4."""

    text: str
    title: str
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap(Chart):
    """A table whose cells are darker where the figure is higher."""

    kind: ClassVar[str] = "heat"
    cells: list[tuple[str, list[Cell]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sparkline:
    """A line without text, for a line of text; only its end is marked."""

    title: str
    summary: str
    path: str
    points: list[Point]


Figures = Sequence[tuple[str, float]]


def line_chart(title: str, figures: Figures, *, of: str = gettext("Value")) -> LineChart:
    """A line over ordered figures, the latest last."""
    top = _round_top(figures)
    rows = _rows(figures)
    between, last = 100 / max(len(figures) - 1, 1), len(figures) - 1
    points = [
        Point(
            round(i * between, 2) if last else 50,
            _y(value, top),
            _caption(*rows[i]) if i == last or last < _MAX_MARKS else "",
        )
        for i, (_, value) in enumerate(figures)
    ]
    return LineChart(
        title=title,
        unit=of,
        summary=_summary(figures),
        columns=("", of),
        rows=rows,
        names=[name for name, _ in figures],
        scale=[ScaleLine(_y(mark, top), _figure(mark)) for mark in (top, top / 2, 0)],
        points=points,
    )


def bar_chart(
    title: str,
    figures: Figures,
    *,
    of: str = gettext("Value"),
    labels: Sequence[str] = (),
    whole: float | None = None,
) -> BarChart:
    """Bars of separate values, each with its name and value.

    `labels` are exact figures as text, for amounts of money: bars are drawn from floats, which can't hold cents.
    `whole` is the figure of a full bar, such as 100 for percent; otherwise the largest one is.
    """
    words = labels or [_figure(value) for _, value in figures]
    most = whole or max((value for _, value in figures), default=0) or 1
    return BarChart(
        title=title,
        unit=of,
        summary=_summary(figures, words),
        columns=("", of),
        rows=[(name, words[i]) for i, (name, _) in enumerate(figures)],
        bars=[Bar(name, words[i], round(100 * value / most, 1)) for i, (name, value) in enumerate(figures)],
    )


def heatmap(
    title: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]], *, of: str = gettext("Value")
) -> HeatMap:
    """A cell with its figure for each row and column; darker is more."""
    busiest = max(rows, key=lambda name: sum(rows[name]), default="")
    most = max((value for values in rows.values() for value in values), default=0) or 1
    cells = [
        (
            name,
            [
                Cell(_figure(value), _caption(join_texts((name, columns[i])), _figure(value)), _level(value, most))
                for i, value in enumerate(values)
            ],
        )
        for name, values in rows.items()
    ]
    return HeatMap(
        title=title,
        unit=of,
        summary=gettext("busiest %(row)s", row=busiest) if busiest else gettext("no figures"),
        columns=("", *columns),
        rows=[(name, *(cell.text for cell in line)) for name, line in cells],
        cells=cells,
    )


def sparkline(title: str, values: Sequence[float]) -> Sparkline:
    """A small line chart of 96 by 24 pixels."""
    low, high = min(values, default=0), max(values, default=0)
    step = 92 / max(len(values) - 1, 1)
    points = [
        Point(round(2 + i * step, 1), round(21 - (value - low) / ((high - low) or 1) * 18, 1))
        for i, value in enumerate(values)
    ]
    figures = [(str(i + 1), value) for i, value in enumerate(values)]
    return Sparkline(title=title, summary=_summary(figures), path=_path(points), points=points[-1:])


def _round_top(figures: Figures) -> float:
    """The next 1, 2 or 5 times a power of ten above the largest figure."""
    most = max((value for _, value in figures), default=0)
    power = 1.0
    while power * 10 <= most:
        power *= 10
    return next((power * factor for factor in (1, 2, 5, 10) if power * factor >= most), power)


def _y(value: float, top: float) -> float:
    return round(PLOT_HEIGHT - _EDGE - (value / top) * (PLOT_HEIGHT - 2 * _EDGE), 1)


def _level(value: float, most: float) -> int:
    return 0 if value <= 0 else min(4, 1 + int(value / most * 3.999))


def _fitting(places: Sequence[float], lengths: Sequence[int], width: int) -> list[tuple[int, str]]:
    """The indexes and anchors of labels that don't touch each other at a width, evenly spread back from the last."""
    last = len(lengths) - 1
    for every in range(-(-len(lengths) // MAX_LABELS), len(lengths)):
        labels = [(i, *_span(places[i] * width, lengths[i], width)) for i in range(last, -1, -every)]
        if all(labels[n + 1][3] + _GAP <= labels[n][2] for n in range(len(labels) - 1)):
            return [(i, anchor) for i, anchor, _, _ in labels]
    return [(last, _span(places[last] * width, lengths[last], width)[0])] if lengths else []


def _span(x: float, length: int, width: int) -> tuple[str, float, float]:
    """Anchor, left and right edge of a label; at the ends of the plot it is aligned so that it stays inside."""
    if x + length / 2 > width:
        return "end", x - length, x
    if x - length / 2 < 0:
        return "start", x, x + length
    return "middle", x - length / 2, x + length / 2


def text_width(text: str) -> int:
    """The pixels that a text at 13 px takes at most."""
    if text.isascii():
        return _LETTER * len(text)
    return sum(_WIDE_LETTER if east_asian_width(letter) in "WF" else _LETTER for letter in text)


def _path(points: Sequence[Point]) -> str:
    return " ".join(f"{'M' if i == 0 else 'L'}{point.x} {point.y}" for i, point in enumerate(points))


def _caption(name: str, value: str) -> str:
    return join_texts((name, value), ": ")


def _figure(value: float) -> str:
    """The shortest form of a float would write a million as 1e+06."""
    return figure_text(Decimal(round(value))) if value >= _WHOLE_FROM else figure_text(value)


def _rows(figures: Figures) -> list[tuple[str, str]]:
    return [(name, _figure(value)) for name, value in figures]


def _summary(figures: Figures, labels: Sequence[str] = ()) -> str:
    if not figures:
        return gettext("no figures")
    words = labels or [_figure(value) for _, value in figures]
    order = sorted(range(len(figures)), key=lambda i: figures[i][1])
    low, high = order[0], order[-1]
    return gettext(
        "from %(lowest)s (%(at_lowest)s) to %(highest)s (%(at_highest)s)",
        lowest=words[low],
        at_lowest=figures[low][0],
        highest=words[high],
        at_highest=figures[high][0],
    )
