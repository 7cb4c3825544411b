"""Charts as plain shapes: pure functions turn figures into lines, bars and labels that one template draws as SVG.

Text in a drawing shrinks with it, so each chart has two drawings: a wide one, and a narrow one for phones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from almanac.kit.messages import figure_text, gettext, join_texts, pgettext
from almanac.kit.text import shorten

WIDTH, NARROW, HEIGHT = 640, 300, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 12, 28
_MAX_LABELS = 8
_LETTER, _WIDEST_BAR, _THOUSAND = 7, 96, 1000
# Marks closer to each other than this overlap, so only the last of them is drawn.
_MIN_MARK_DISTANCE = 9
_ROW, _WORDS_IN_ROW, _BAR_IN_ROW = 38, 13, 10


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line of an axis."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle with its tooltip."""

    x: float
    y: float
    width: float
    height: float
    title: str
    kind: str = "bar"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a line with its tooltip."""

    x: float
    y: float
    title: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a position."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Everything the template needs, and the same figures as table rows; `narrow` is the drawing for phones."""

    title: str
    summary: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    width: int = WIDTH
    height: int = HEIGHT
    axes: list[Line] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    path: str = ""
    narrow: "Chart | None" = None


Figures = Sequence[tuple[str, float]]


def line_chart(title: str, figures: Figures, *, of: str = gettext("Value")) -> Chart:
    """A line chart over an ordered axis."""
    return replace(_line(title, figures, of, WIDTH), narrow=_line(title, figures, of, NARROW))


def _line(title: str, figures: Figures, of: str, width: int) -> Chart:
    top = _round_top(figures)
    step = (width - _LEFT - _RIGHT) / max(len(figures) - 1, 1)
    points = [
        Point(round(_LEFT + i * step, 1), _y(value, top), _caption(name, figure_text(value)))
        for i, (name, value) in enumerate(figures)
    ]
    below = [(point.x, name) for point, (name, _) in zip(points, figures, strict=True)]
    return Chart(
        title=title,
        summary=_summary(figures),
        columns=("", of),
        rows=_rows(figures),
        width=width,
        axes=_axes(top, width),
        points=points if step >= _MIN_MARK_DISTANCE else points[-1:],
        labels=_scale_labels(top) + _below(below, width),
        path=_path(points),
    )


def bar_chart(title: str, figures: Figures, *, of: str = gettext("Value"), labels: Sequence[str] = ()) -> Chart:
    """A bar chart of separate values, each with its label above the bar.

    `labels` are exact figures as text, for amounts of money: bars are drawn from floats, which can't hold cents.
    """
    words = labels or [figure_text(value) for _, value in figures]
    rows: list[tuple[str, ...]] = [(name, words[i]) for i, (name, _) in enumerate(figures)]
    chart = Chart(title=title, summary=_summary(figures, words), columns=("", of), rows=rows)
    return replace(_vertical_bars(chart, figures), narrow=_horizontal_bars(chart, figures))


def _vertical_bars(chart: Chart, figures: Figures) -> Chart:
    top = _round_top(figures)
    left = max(_LEFT, 12 + _LETTER * len(f"{top:,.0f}"))
    slot = (WIDTH - left - _RIGHT) / max(len(figures), 1)
    width = min(slot * 0.6, _WIDEST_BAR)
    middles = [round(left + (i + 0.5) * slot, 1) for i in range(len(figures))]
    bars, labels = [], _scale_labels(top, left)
    for x, (_, value), (name, words) in zip(middles, figures, chart.rows, strict=True):
        y = _y(value, top)
        bars.append(
            Bar(round(x - width / 2, 1), y, round(width, 1), round(HEIGHT - _BOTTOM - y, 1), _caption(name, words))
        )
        labels.append(Label(x, y - 4, words))
    below = [(x, name) for x, (name, _) in zip(middles, figures, strict=True)]
    return replace(chart, axes=_axes(top, WIDTH, left), bars=bars, labels=labels + _below(below, WIDTH))


def _horizontal_bars(chart: Chart, figures: Figures) -> Chart:
    """Horizontal bars below each other, each under its name and value, since a narrow drawing has no room for text side
    by side.
    """
    top = max((value for _, value in figures), default=0) or 1
    bars, labels = [], []
    for i, ((_, value), (name, words)) in enumerate(zip(figures, chart.rows, strict=True)):
        y, room = i * _ROW + _WORDS_IN_ROW, NARROW // _LETTER - len(words) - 2
        labels += [Label(0, y, _fit(name, max(room, 8)), "start"), Label(NARROW, y, words, "end")]
        bars.append(Bar(0, y + 6, round(NARROW * value / top, 1), _BAR_IN_ROW, _caption(name, words)))
    return replace(chart, width=NARROW, height=max(len(figures), 1) * _ROW, bars=bars, labels=labels)


def heatmap(title: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> Chart:
    """A cell for each row and column; darker is more, and each cell has its figure as text."""
    table = [(name, *(figure_text(value) for value in values)) for name, values in rows.items()]
    busiest = max(rows, key=lambda name: sum(rows[name]), default="")
    chart = Chart(
        title=title,
        summary=gettext("busiest %(row)s", row=busiest) if busiest else gettext("no figures"),
        columns=("", *columns),
        rows=table,
    )
    return replace(_cells(chart, rows, WIDTH), narrow=_cells(chart, rows, NARROW))


def _cells(chart: Chart, rows: Mapping[str, Sequence[float]], width: int) -> Chart:
    columns, most = chart.columns[1:], max((value for values in rows.values() for value in values), default=0) or 1
    cell, left = (width - 72) / max(len(columns), 1), 64
    size = min(cell, 28)
    bars, labels = (
        [],
        [Label(round(left + (i + 0.5) * cell, 1), 14, name) for i, name in _thin_out(columns, width - 72)],
    )
    for r, (name, values) in enumerate(rows.items()):
        y = 22 + r * (size + 4)
        labels.append(Label(left - 8, round(y + size / 2 + 4, 1), name, "end"))
        for c, value in enumerate(values):
            level = 0 if value <= 0 else min(4, 1 + int(value / most * 3.999))
            label = _caption(join_texts((name, columns[c])), figure_text(value))
            bars.append(Bar(round(left + c * cell, 1), y, round(cell - 4, 1), size, label, f"heat heat-{level}"))
    return replace(chart, width=width, height=round(30 + len(rows) * (size + 4)), bars=bars, labels=labels)


def sparkline(title: str, values: Sequence[float]) -> Chart:
    """A small line chart to be set in a line of text."""
    low, high = min(values, default=0), max(values, default=0)
    step = 92 / max(len(values) - 1, 1)
    points = [
        Point(round(2 + i * step, 1), round(21 - (value - low) / ((high - low) or 1) * 18, 1))
        for i, value in enumerate(values)
    ]
    figures = [(str(i + 1), value) for i, value in enumerate(values)]
    return Chart(
        title=title,
        summary=_summary(figures),
        columns=("", gettext("Value")),
        rows=_rows(figures),
        width=96,
        height=24,
        points=points[-1:],
        path=_path(points),
    )


def miniature(title: str, figures: Figures, *, over_time: bool = True) -> Chart:
    """A chart the size of a card: a line over time, otherwise bars; the figures are in its table."""
    width, height, top = 240, 48, max((value for _, value in figures), default=0) or 1
    slot = width / max(len(figures), 1)
    wide = min(slot * 0.6, 24)
    # A stub for zero, so that it isn't taken for a missing value.
    heights = [max(2.0, round(value / top * (height - 6), 1)) for _, value in figures]
    bars, points = [], []
    for i, (name, value) in enumerate(figures):
        label = _caption(name, figure_text(value))
        bars.append(Bar(round((i + 0.5) * slot - wide / 2, 1), height - heights[i], round(wide, 1), heights[i], label))
        points.append(Point(round((i + 0.5) * slot, 1), round(height - 3 - value / top * (height - 8), 1), label))
    shape = {"points": points[-1:], "path": _path(points)} if over_time else {"bars": bars}
    return Chart(
        title=title,
        summary=_summary(figures),
        columns=("", pgettext("how many", "Number")),
        rows=_rows(figures),
        width=width,
        height=height,
        **shape,
    )


def _round_top(figures: Figures) -> float:
    """The next 1, 2 or 5 times a power of ten above the largest figure."""
    most = max((value for _, value in figures), default=0)
    power = 1.0
    while power * 10 <= most:
        power *= 10
    return next((power * factor for factor in (1, 2, 5, 10) if power * factor >= most), power)


def _y(value: float, top: float) -> float:
    return round(HEIGHT - _BOTTOM - (value / top) * (HEIGHT - _TOP - _BOTTOM), 1)


def _axes(top: float, width: int, left: float = _LEFT) -> list[Line]:
    return [Line(left, _y(mark, top), width - _RIGHT, _y(mark, top)) for mark in (0, top / 2, top)]


def _scale_labels(top: float, left: float = _LEFT) -> list[Label]:
    return [Label(left - 8, _y(mark, top) + 4, _scale(mark), "end") for mark in (0, top / 2, top)]


def _scale(mark: float) -> str:
    return figure_text(Decimal(round(mark))) if mark >= _THOUSAND else figure_text(mark)


def _thin_out(names: Sequence[str], room: float) -> list[tuple[int, str]]:
    """As many labels as fit beside each other, evenly spread."""
    widest = _LETTER * (max(map(len, names), default=0) + 1)
    fitting = min(_MAX_LABELS, 1 + int(room // widest))
    every = -(-len(names) // fitting) or 1
    return [(i, name) for i, name in enumerate(names) if i % every == 0]


def _below(places: Sequence[tuple[float, str]], width: int) -> list[Label]:
    shown = {i for i, _ in _thin_out([name for _, name in places], width - _LEFT - _RIGHT)}
    return [_label_below(x, name, width) for i, (x, name) in enumerate(places) if i in shown]


def _label_below(x: float, name: str, width: int) -> Label:
    """A label under its position; at the edges it is aligned so that it stays inside the drawing."""
    reaches_out = x + _LETTER * len(name) / 2 > width
    return Label(width, HEIGHT - 8, name, "end") if reaches_out else Label(x, HEIGHT - 8, name)


def _path(points: Sequence[Point]) -> str:
    return " ".join(f"{'M' if i == 0 else 'L'}{point.x} {point.y}" for i, point in enumerate(points))


def _fit(name: str, length: int) -> str:
    """The name itself where it fits, so that it can still be said in the reader's language."""
    return name if len(name) <= length else shorten(name, length)


def _caption(name: str, value: str) -> str:
    return join_texts((name, value), ": ")


def _rows(figures: Figures) -> list[tuple[str, ...]]:
    return [(name, figure_text(value)) for name, value in figures]


def _summary(figures: Figures, labels: Sequence[str] = ()) -> str:
    if not figures:
        return gettext("no figures")
    words = labels or [figure_text(value) for _, value in figures]
    order = sorted(range(len(figures)), key=lambda i: figures[i][1])
    low, high = order[0], order[-1]
    return gettext(
        "from %(lowest)s (%(at_lowest)s) to %(highest)s (%(at_highest)s)",
        lowest=words[low],
        at_lowest=figures[low][0],
        highest=words[high],
        at_highest=figures[high][0],
    )
