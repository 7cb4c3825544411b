"""What a week came to follows from histories alone: what was asked, kept, earned, and how firm habits were."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from almanac.desks.habits.model.stats import compute_stats
from almanac.desks.habits.model.week_report import build_week_report, monday_of


@pytest.fixture
def week(today):
    """The report of the week that begins so many weeks before this Monday."""

    def report(*histories, ago=1):
        histories = [
            (
                SimpleNamespace(id=str(number), name=f"Habit {number}", streak_words=str),
                history,
                compute_stats(history, today),
            )
            for number, history in enumerate(histories)
        ]
        return build_week_report("Ada", histories, monday_of(today) - timedelta(weeks=ago), today)

    return report


def figures(week):
    return [(item.kept, item.asked, item.streak, item.points) for item in week.habits]


def test_each_day_of_a_daily_habit_is_asked_for(history, week):
    result = week(history(1, 2, 4, 6, 7))
    assert figures(result) == [(5, 7, 2, 50)]
    assert result.habits[0].days == ("counts", "counts", "breaks", "counts", "breaks", "counts", "counts")
    assert result.kept_by_day[0] == ("Monday", 1)
    assert result.title == "23 February to 1 March 2026"


def test_forgiven_days_are_not_asked_for(history, week, ago):
    result = week(history(1, 2, 3, skips=frozenset({ago(4), ago(5)}), rest_days=frozenset({ago(6)})))
    assert figures(result) == [(3, 4, 3, 30)]


def test_a_week_asks_for_its_times_and_extras_do_not_count_twice(history, week):
    thrice = {"kind": "per_week", "times": 3}
    assert figures(week(history(1, 3, 5, 6, schedule=thrice)))[0][:2] == (3, 3)
    assert figures(week(history(1, schedule=thrice)))[0][:2] == (1, 3)


def test_a_month_is_asked_for_in_the_week_in_which_it_ends(history, week):
    monthly = {"kind": "per_month", "times": 2}
    assert figures(week(history(since=60, schedule=monthly)))[0][:2] == (0, 2)
    assert figures(week(history(20, since=60, schedule=monthly)))[0][:2] == (0, 1)
    assert figures(week(history(since=60, schedule=monthly), ago=2))[0][:2] == (0, 0)


def test_later_entries_do_not_change_an_earlier_week(history, week, today):
    before, after = history(*range(7, 20)), history(*range(20))
    assert figures(week(before, ago=2)) == figures(week(after, ago=2))
    assert week(after, ago=1).habits[0].streak == 19


def test_the_points_of_all_weeks_are_the_points_of_the_habit(history, week, today):
    kept = history(*range(25), 27, 30, 31)
    assert sum(week(kept, ago=ago).points for ago in range(7)) == compute_stats(kept, today).points
    assert week(kept, ago=0).total_points == compute_stats(kept, today).points


def test_only_habits_of_that_time_are_told(history, week, ago):
    result = week(history(since=2), history(archived_on=ago(20)), history(since=ago(-1)))
    assert [item.habit_id for item in result.habits] == ["0"]
    assert week(ago=3).habits == ()


def test_a_streak_that_ends_today_is_at_risk(history, week):
    assert [item.at_risk for item in week(history(1, 2), history(0, 1), history(5)).habits] == [True, False, False]


def test_strength_is_told_for_twelve_weeks_as_far_as_there_were_habits(history, week, today):
    long, short = history(*range(120), since=120), history(*range(1, 15), since=14)
    assert len(week(long).strengths) == 12
    result = week(short).strengths
    assert [item.last_day for item in result] == [today - timedelta(days=8), today - timedelta(days=1)]
    assert result[0].strength < result[1].strength
    assert result[1].strength == pytest.approx(week(short).habits[0].strength)
