import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.http.charts import HEIGHT, WIDTH, bar_chart, heatmap, line_chart, sparkline

FIGURES = [("Mon", 12.0), ("Tue", 0.0), ("Wed", 31.0)]


def test_a_line_goes_through_every_figure_and_the_table_repeats_them():
    chart = line_chart("Articles", FIGURES, of="Articles")
    assert len(chart.points) == 3
    assert chart.path.startswith("M")
    assert chart.rows == [("Mon", "12"), ("Tue", "0"), ("Wed", "31")]
    assert chart.summary == "from 0 (Tue) to 31 (Wed)"


def test_bars_are_as_high_as_their_figures():
    chart = bar_chart("Articles", FIGURES)
    heights = [bar.height for bar in chart.bars]
    assert heights[1] == 0
    assert heights[2] == pytest.approx(heights[0] * 31 / 12, rel=0.01)


def test_a_heatmap_has_five_levels_and_says_each_figure():
    chart = heatmap("Kept", ["Mon", "Tue"], {"Walk": [0, 4], "Read": [1, 2]})
    assert [bar.kind for bar in chart.bars] == ["cell cell-0", "cell cell-4", "cell cell-1", "cell cell-2"]
    assert chart.bars[1].title == "Walk, Tue: 4"


def test_a_sparkline_marks_its_end():
    chart = sparkline("Trend", [1, 5, 3])
    assert len(chart.points) == 1


@pytest.mark.parametrize("make", [line_chart, bar_chart])
def test_no_figures_make_an_empty_chart(make):
    assert make("Nothing", []).summary == "no figures"


@given(st.lists(st.floats(min_value=0, max_value=1e9), min_size=1, max_size=40))
def test_every_mark_lies_inside_the_drawing(values):
    figures = [(str(i), value) for i, value in enumerate(values)]
    for point in line_chart("x", figures).points:
        assert 0 <= point.x <= WIDTH
        assert 0 <= point.y <= HEIGHT
    for bar in bar_chart("x", figures).bars:
        assert bar.height >= 0
        assert bar.y >= 0


def test_many_labels_are_thinned():
    chart = line_chart("x", [(f"day {i}", i) for i in range(60)])
    assert sum(label.text.startswith("day") for label in chart.labels) <= 8


def test_the_last_word_below_a_line_is_not_cut_off():
    chart = line_chart("x", [(f"{day} November", day) for day in range(1, 9)])
    last = next(label for label in chart.labels if label.text == "8 November")
    assert (last.x, last.anchor) == (WIDTH, "end")


def test_sums_of_money_are_told_exactly_and_fit_beside_the_axis():
    chart = bar_chart("Open", [("Late", 1234567.89), ("None", 0.0)], of="EUR", told=["1,234,567.89", "0.00"])
    assert chart.rows == [("Late", "1,234,567.89"), ("None", "0.00")]
    assert chart.summary == "from 0.00 (None) to 1,234,567.89 (Late)"
    scale = [label for label in chart.labels if label.anchor == "end"]
    assert [label.text for label in scale] == ["0", "1,000,000", "2,000,000"]
    assert all(label.x > 7 * len(label.text) for label in scale)


def test_a_single_bar_is_no_wall():
    [bar] = bar_chart("One", [("a", 1)]).bars
    assert bar.width <= 96
