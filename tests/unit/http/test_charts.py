"""Charts are drawn from their figures, stay inside the drawing, and have a table with the same figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.http.charts import (
    MAX_LABELS,
    PLOT_HEIGHT,
    PLOT_WIDTHS,
    bar_chart,
    heatmap,
    line_chart,
    sparkline,
    text_width,
)
from almanac.kit.messages import gettext, speaking, translate

FIGURES = [("Mon", 12.0), ("Tue", 0.0), ("Wed", 31.0)]


def test_a_line_goes_through_every_figure_and_the_table_repeats_them():
    chart = line_chart("Articles", FIGURES, of="Articles")
    assert [point.x for point in chart.points] == [0, 50, 100]
    assert chart.path.startswith("M0.0 ")
    assert chart.rows == [("Mon", "12"), ("Tue", "0"), ("Wed", "31")]
    assert chart.summary == "from 0 (Tue) to 31 (Wed)"
    assert [line.text for line in chart.scale] == ["50", "25", "0"]


def test_a_single_figure_is_a_point_in_the_middle():
    chart = line_chart("Articles", [("Mon", 12.0)])
    assert (chart.path, [point.x for point in chart.marks]) == ("", [50])
    assert [(label.text, label.anchor) for label in chart.labels] == [("Mon", "middle")]


def test_bars_are_as_long_as_their_figures():
    assert [bar.share for bar in bar_chart("Articles", FIGURES).bars] == [38.7, 0, 100]


def test_percent_are_shares_of_a_hundred():
    assert [bar.share for bar in bar_chart("Kept", [("Mon", 87), ("Tue", 43.5)], whole=100).bars] == [87, 43.5]


def test_a_heatmap_has_five_levels_and_says_each_figure():
    chart = heatmap("Kept", ["Mon", "Tue"], {"Walk": [0, 4], "Read": [1, 2]})
    cells = [cell for _, line in chart.cells for cell in line]
    assert [cell.level for cell in cells] == [0, 4, 1, 2]
    assert [cell.text for cell in cells] == ["0", "4", "1", "2"]
    assert cells[1].title == "Walk, Tue: 4"


def test_a_sparkline_marks_its_end():
    chart = sparkline("Trend", [1, 5, 3])
    assert len(chart.points) == 1


@pytest.mark.parametrize("make", [line_chart, bar_chart])
def test_no_figures_make_an_empty_chart(make):
    assert make("Nothing", []).summary == "no figures"


def test_a_line_without_figures_has_no_labels():
    assert line_chart("Nothing", []).labels == []


@given(st.lists(st.floats(min_value=0, max_value=1e9), min_size=1, max_size=40))
def test_every_mark_lies_inside_the_drawing(values):
    figures = [(str(i), value) for i, value in enumerate(values)]
    for point in line_chart("x", figures).points:
        assert 0 <= point.x <= 100
        assert 0 <= point.y <= PLOT_HEIGHT
    for bar in bar_chart("x", figures).bars:
        assert 0 <= bar.share <= 100


@given(st.lists(st.text(min_size=1, max_size=14), min_size=1, max_size=60))
def test_labels_never_touch_and_stay_inside_at_any_width(names):
    labels = line_chart("x", [(name, 1.0) for name in names]).labels
    for step, width in enumerate(PLOT_WIDTHS):
        shown = [label for label in labels if step in label.steps]
        assert 1 <= len(shown) <= MAX_LABELS
        edges = []
        for label in shown:
            share = {"start": 0, "middle": 0.5, "end": 1}[label.anchor]
            left = label.x / 100 * width - share * text_width(label.text)
            edges += [left, left + text_width(label.text)]
        assert edges == sorted(edges)
        assert len(names) == 1 or (edges[0] >= 0 and edges[-1] <= width)


def test_the_latest_label_is_always_shown():
    labels = line_chart("x", [(f"{day} Nov", day) for day in range(1, 31)]).labels
    last = [label for label in labels if label.text == "30 Nov"]
    assert [label.anchor for label in last] == ["end"]
    assert last[0].steps == tuple(range(len(PLOT_WIDTHS)))


def test_wide_letters_leave_room_for_fewer_labels():
    def count(name: str) -> int:
        return len([label for label in line_chart("x", [(name, 1)] * 30).labels if 3 in label.steps])

    assert count("十一月三十日") < count("30 Nov")


def test_labels_are_measured_in_the_readers_language():
    chart = line_chart("x", [(gettext("Save"), float(i)) for i in range(12)])
    with speaking("de"):
        assert {label.text for label in chart.labels} == {translate(gettext("Save"), "de")}


def test_many_points_have_no_mark_but_the_last():
    chart = line_chart("x", [(f"day {i}", i) for i in range(60)])
    assert chart.marks == chart.points[-1:]


def test_sums_of_money_are_told_exactly():
    chart = bar_chart("Open", [("Late", 1234567.89), ("None", 0.0)], of="EUR", labels=["1,234,567.89", "0.00"])
    assert chart.rows == [("Late", "1,234,567.89"), ("None", "0.00")]
    assert [bar.value for bar in chart.bars] == ["1,234,567.89", "0.00"]
    assert chart.summary == "from 0.00 (None) to 1,234,567.89 (Late)"


def test_a_million_is_written_in_full():
    assert line_chart("x", [("a", 1234567.0), ("b", 0.5)]).rows == [("a", "1,234,567"), ("b", "0.5")]


def test_names_are_said_in_the_readers_language():
    chart = line_chart("Amounts", [(gettext("Save"), 3.0), (gettext("Save"), 3.0)])
    captions = {translate(point.title, "de") for point in chart.points}
    assert captions == {f"{translate(gettext('Save'), 'de')}: 3"}
    assert "Save" not in captions.pop()
    assert translate(chart.summary, "de").startswith("von 3 (")
