"""The calendar of a habit's year calls each day as its reader does."""

from datetime import date

from almanac.desks.habits.pages.year_charts import CalendarCell
from almanac.kit.messages import speaking


def test_two_readers_each_see_a_day_in_their_language() -> None:
    cell, other = CalendarCell(date(2026, 3, 2), "counts"), CalendarCell(date(2026, 3, 2), "breaks")
    english = cell.label
    assert english == "Monday 2 March 2026: done"
    with speaking("de"):
        german = cell.label
        assert "2." in german
    assert german != english
    assert (cell.label, other.label) == (english, "Monday 2 March 2026: missed")
