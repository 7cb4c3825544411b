"""Charts are drawn from their figures, stay inside the drawing, and have a table with the same figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.http.charts import HEIGHT, NARROW, WIDTH, bar_chart, heatmap, line_chart, miniature, sparkline
from almanac.kit.messages import gettext, translate

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
    assert [bar.kind for bar in chart.bars] == ["heat heat-0", "heat heat-4", "heat heat-1", "heat heat-2"]
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
    chart = bar_chart("Open", [("Late", 1234567.89), ("None", 0.0)], of="EUR", labels=["1,234,567.89", "0.00"])
    assert chart.rows == [("Late", "1,234,567.89"), ("None", "0.00")]
    assert chart.summary == "from 0.00 (None) to 1,234,567.89 (Late)"
    scale = [label for label in chart.labels if label.anchor == "end"]
    assert [label.text for label in scale] == ["0", "1,000,000", "2,000,000"]
    assert all(label.x > 7 * len(label.text) for label in scale)


def test_a_single_bar_is_no_wall():
    [bar] = bar_chart("One", [("a", 1)]).bars
    assert bar.width <= 96


def test_on_a_phone_bars_lie_under_their_words_and_nothing_reaches_beyond_the_edge():
    figures = [("Over ninety days, and nobody answers the telephone", 1234567.89), ("None", 0.0)]
    chart = bar_chart("Open", figures, of="EUR", labels=["1,234,567.89", "0.00"]).narrow
    assert [bar.width for bar in chart.bars] == [NARROW, 0]
    name, words = chart.labels[:2]
    assert (words.text, words.anchor, words.x) == ("1,234,567.89", "end", NARROW)
    assert 7 * (len(name.text) + len(words.text)) < NARROW


def test_on_a_phone_a_line_has_fewer_words_and_only_its_last_mark():
    chart = line_chart("x", [(f"{day} Nov", day) for day in range(1, 31)])
    assert (len(chart.points), len(chart.narrow.points)) == (30, 1)
    below = [label for label in chart.narrow.labels if label.text.endswith("Nov")]
    assert 2 <= len(below) <= 5
    assert all(label.x <= NARROW for label in below)


@pytest.mark.parametrize("make", [line_chart, bar_chart, miniature])
def test_names_are_said_in_the_readers_language(make):
    chart = make("Amounts", [(gettext("Save"), 3.0)])
    drawings = [drawing for drawing in (chart, chart.narrow) if drawing is not None]
    captions = [translate(shape.title, "de") for drawing in drawings for shape in (*drawing.points, *drawing.bars)]
    assert captions
    assert set(captions) == {f"{translate(gettext('Save'), 'de')}: 3"}
    assert "Save" not in captions[0]
    assert translate(chart.summary, "de").startswith("von 3 (")
