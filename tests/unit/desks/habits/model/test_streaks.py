"""What counts, what protects and what breaks, for every kind of schedule and goal."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import HabitRule, Vacation
from almanac.desks.habits.model.rule_changes import add_rule, preview_rule_change
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.errors import FieldErrors


def test_days_in_a_row_make_a_streak(history, stands):
    stats = stands(history(0, 1, 2, 4, 5))
    assert (stats.current_streak, stats.best_streak) == (3, 3)


def test_today_is_not_missed_before_it_is_over(history, stands, today):
    stats = stands(history(1, 2, 3))
    assert (stats.current_streak, stats.due_today, stats.stands_until) == (3, True, today)


def test_a_missed_day_breaks_the_streak(history, stands):
    assert stands(history(2, 3, 4)).current_streak == 0


def test_a_streak_reaches_back_as_far_as_it_does(history, stands):
    stats = stands(history(*range(400), since=400))
    assert (stats.current_streak, [badge.milestone for badge in stats.badges]) == (400, [7, 30, 100, 365])


def test_a_skip_protects_and_does_not_extend(history, stands, ago):
    assert stands(history(0, 1, 3, skips=frozenset({ago(2)}))).current_streak == 3


def test_a_vacation_protects_and_does_not_extend(history, stands, ago):
    stats = stands(history(0, 8, 9, vacations=[Vacation(ago(7), ago(1))]))
    assert stats.current_streak == 3


def test_nothing_extends_the_streak_of_something_avoided_while_nothing_is_asked_for(history, stands, ago):
    away = {"vacations": [Vacation(ago(6), ago(4))], "skips": frozenset({ago(3)}), "rest_days": frozenset({ago(2)})}
    for goal in ({"kind": "avoid"}, {"kind": "at_most", "target": Decimal(2)}):
        assert stands(history(goal=goal, since=9, **away)).current_streak == 4
        confirmed = history(goal=goal, since=9, amounts={ago(5): Decimal(0)}, **away)
        assert (stands(confirmed).current_streak, stands(confirmed).strength) == (5, pytest.approx(1.0))


def test_a_rest_day_and_a_day_cut_short_by_travel_protect(history, stands, ago):
    stats = stands(history(0, 3, rest_days=frozenset({ago(1)}), travel=frozenset({ago(2)})))
    assert stats.current_streak == 2


def test_an_entry_is_worth_more_than_an_excuse(history, stands, ago):
    assert stands(history(0, 1, 2, skips=frozenset({ago(1)}))).current_streak == 3


def test_only_chosen_weekdays_are_asked_for(history, stands):
    # Today is a Monday: Friday, Thursday and Wednesday before it.
    stats = stands(history(3, 4, 5, schedule={"kind": "weekdays", "weekdays": (0, 1, 2, 3, 4)}, since=5))
    assert (stats.current_streak, stats.due_today) == (3, True)


def test_a_day_that_is_not_asked_for_earns_nothing(history, stands):
    stats = stands(history(1, 2, schedule={"kind": "weekdays", "weekdays": (0, 1, 2, 3, 4)}, since=2))
    assert (stats.current_streak, stats.points) == (0, 0)


def test_a_number_of_times_a_week_counts_weeks(history, stands):
    # Three in each of the last two whole weeks, one so far this week.
    stats = stands(history(0, 2, 4, 6, 9, 11, 13, schedule={"kind": "per_week", "times": 3}, since=14))
    assert stats.current_streak == 2


def test_a_week_with_too_few_breaks(history, stands):
    assert stands(history(2, 4, 9, 11, 13, schedule={"kind": "per_week", "times": 3}, since=14)).current_streak == 0


def test_a_skipped_day_takes_its_share_off_a_week(history, stands, ago):
    kept = history(2, 4, 9, 11, 13, schedule={"kind": "per_week", "times": 3}, since=14, skips=frozenset({ago(6)}))
    assert stands(kept).current_streak == 1


def test_once_a_month_counts_months_of_any_length(history, stands):
    done = [date(2026, 1, 31), date(2026, 2, 1), date(2026, 3, 1)]
    stats = stands(history(*done, schedule={"kind": "monthly"}, since=date(2026, 1, 1)))
    assert stats.current_streak == 3


def test_twice_a_month_needs_two_days(history, stands):
    done = [date(2026, 1, 5), date(2026, 1, 6), date(2026, 2, 10), date(2026, 2, 20)]
    stats = stands(history(*done, schedule={"kind": "per_month", "times": 2}, since=date(2026, 1, 1)))
    assert stats.current_streak == 2


def test_once_a_year_is_kept_on_a_leap_day(history, stands):
    done = [date(2024, 2, 29), date(2025, 2, 28), date(2026, 2, 28)]
    stats = stands(history(*done, schedule={"kind": "yearly"}, since=date(2024, 1, 1)))
    assert stats.current_streak == 3


def test_a_daily_streak_passes_over_a_leap_day(history, stands):
    days = [date(2024, 2, 27) + timedelta(days=number) for number in range(4)]
    assert stands(history(*days, since=date(2024, 2, 27)), date(2024, 3, 1)).current_streak == 4
    without = [day for day in days if day != date(2024, 2, 29)]
    assert stands(history(*without, since=date(2024, 2, 27)), date(2024, 3, 1)).current_streak == 1


def test_every_third_day_counts_stretches_of_three(history, stands):
    stats = stands(history(0, 5, 6, schedule={"kind": "every_days", "every": 3}, since=8))
    assert stats.current_streak == 3


def test_an_amount_must_be_reached(history, stands, ago):
    amounts = {ago(0): Decimal("2.5"), ago(1): Decimal(2), ago(2): Decimal("1.9")}
    stats = stands(history(goal={"kind": "at_least", "target": Decimal(2)}, amounts=amounts, since=2))
    assert stats.current_streak == 2


def test_several_times_a_day_are_all_needed(history, stands, ago):
    amounts = {ago(0): Decimal(3), ago(1): Decimal(2)}
    stats = stands(history(goal={"kind": "times", "target": Decimal(3)}, amounts=amounts, since=1))
    assert stats.current_streak == 1


def test_a_limit_is_kept_by_silence_once_the_day_is_over(history, stands, ago):
    amounts = {ago(3): Decimal(5), ago(1): Decimal(2)}
    stats = stands(history(goal={"kind": "at_most", "target": Decimal(2)}, amounts=amounts, since=9))
    assert (stats.current_streak, stats.stands_until) == (2, None)


def test_a_limit_on_a_week_is_for_the_whole_week(history, stands, ago):
    """Today is a Monday: the weeks before began 7, 14 and 21 days ago."""
    weekly = {"schedule": {"kind": "weekly"}, "goal": {"kind": "at_most", "target": Decimal(4)}, "since": 21}
    assert stands(history(amounts={ago(7): Decimal(4), ago(3): Decimal(0)}, **weekly)).current_streak == 3
    over = stands(history(amounts={ago(14): Decimal(3), ago(9): Decimal(2)}, **weekly))
    assert (over.current_streak, over.best_streak) == (1, 1)
    on_two_days = {**weekly, "schedule": {"kind": "per_week", "times": 2}}
    assert stands(history(amounts={ago(14): Decimal(3), ago(9): Decimal(2)}, **on_two_days)).current_streak == 3


def test_a_week_off_neither_keeps_a_limit_nor_breaks_it(history, stands, ago):
    weekly = {"schedule": {"kind": "weekly"}, "goal": {"kind": "avoid"}, "since": 21}
    assert stands(history(vacations=[Vacation(ago(14), ago(8))], **weekly)).current_streak == 2
    assert stands(history(skips=frozenset({ago(10)}), **weekly)).current_streak == 3
    assert stands(history(10, skips=frozenset({ago(12)}), **weekly)).current_streak == 1


def test_something_avoided_breaks_by_an_entry_and_earns_by_a_confirmation(history, stands, ago):
    amounts = {ago(4): Decimal(1), ago(1): Decimal(0)}
    stats = stands(history(goal={"kind": "avoid"}, amounts=amounts, since=9))
    assert (stats.current_streak, stats.best_streak, stats.points) == (3, 5, 10)


def test_days_entered_before_the_first_rule_count(history, stands):
    stats = stands(history(0, 1, 2, 3, 4, since=1))
    assert (stats.current_streak, stats.points) == (5, 50)


def test_the_past_keeps_the_rule_of_its_time(history, stands, ago):
    rules = (HabitRule(ago(20), HabitSchedule(kind="weekly")), HabitRule(ago(2), HabitSchedule()))
    stats = stands(history(0, 1, 2, 9, 16, rules=rules))
    # Two whole weeks, then a week cut short by the change of which nothing is asked, then three days.
    assert stats.current_streak == 5


def test_a_changed_rule_shows_its_effect_before_it_is_made(history, ago, today):
    past = history(0, 1, 2, 4, 5)
    effect = preview_rule_change(past, HabitRule(ago(10), HabitSchedule(kind="weekly")), today)
    assert (effect.streak_before, effect.streak_after) == (3, 2)
    assert "from 3 to 2" in effect.sentence
    assert "stay the same" in preview_rule_change(past, HabitRule(today, HabitSchedule()), today).sentence


def test_a_rule_of_the_same_day_takes_the_place_of_the_other(ago):
    first, second = HabitRule(ago(9), HabitSchedule()), HabitRule(ago(3), HabitSchedule(kind="weekly"))
    again = HabitRule(ago(3), HabitSchedule(kind="monthly"))
    assert add_rule((first, second), again) == (first, again)
    assert add_rule((first, second), HabitRule(ago(3), HabitSchedule())) == (first,)
    assert add_rule((first,), HabitRule(ago(20), HabitSchedule(kind="weekly"))) == (
        HabitRule(ago(20), HabitSchedule(kind="weekly")),
    )


def test_a_rule_that_is_planned_changes_nothing_before_its_day(history, stands, today):
    present = history(0, 1, 2)
    planned = history(
        0, 1, 2, rules=(*present.rules, HabitRule(today + timedelta(days=3), HabitSchedule(kind="weekly")))
    )
    assert stands(planned) == stands(present)
    assert stands(planned, today + timedelta(days=2)).current_streak == 0


def test_an_archived_habit_asks_for_nothing_any_more(history, stands, ago):
    assert stands(history(5, 6, 7, since=7, archived_on=ago(4))).current_streak == 3


def test_a_day_that_was_kept_counts_though_the_habit_was_archived_on_it(history, stands, ago):
    for past in (history(0, 1, 2, since=2, archived_on=ago(0)), history(5, 6, 7, since=7, archived_on=ago(5))):
        stats = stands(past)
        assert (stats.current_streak, stats.points) == (3, 30)


def test_whoever_flew_west_keeps_what_they_entered_for_tomorrow(history, stands, today):
    ahead = history(today + timedelta(days=1), 1, 2, since=2)
    stats = stands(ahead)
    assert (stats.current_streak, stats.due_today) == (3, True)


def test_a_streak_in_a_vacation_stands_until_the_day_after_it(history, stands, ago, today):
    planned = history(0, 1, since=1, vacations=[Vacation(today + timedelta(days=1), today + timedelta(days=10))])
    assert stands(planned).stands_until == today + timedelta(days=11)


def test_a_habit_is_at_risk_when_every_day_that_is_left_is_needed(history, stands):
    sunday = date(2026, 3, 1)
    schedule = {"kind": "per_week", "times": 2}
    assert stands(history(date(2026, 2, 24), schedule=schedule, since=date(2026, 2, 9)), sunday).at_risk
    assert not stands(history(schedule=schedule, since=date(2026, 2, 9)), date(2026, 2, 24)).at_risk


def test_points_rise_with_the_streak(history, stands):
    assert stands(history(*range(6), since=5)).points == 60
    assert stands(history(*range(7), since=6)).points == 60 + 20
    assert stands(history(*range(30), since=29)).points == 60 + 23 * 20 + 50
    assert stands(history(*range(100), since=99)).points == 60 + 23 * 20 + 70 * 50 + 100


def test_repeating_within_a_week_earns_nothing_more(history, stands):
    once, often = history(0, schedule={"kind": "weekly"}), history(*range(1, 8), schedule={"kind": "weekly"})
    assert stands(once).points == stands(often).points == 10


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "weekdays"},
        {"kind": "weekdays", "weekdays": (9,)},
        {"kind": "per_week", "times": 8},
        {"kind": "per_month", "times": 0},
        {"kind": "every_days", "every": 0},
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused_with_a_sentence(wrong):
    with pytest.raises(FieldErrors) as refused:
        HabitSchedule(**wrong)
    assert refused.value.fields["schedule"].endswith(".")


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "at_least", "target": Decimal(0)},
        {"target": Decimal("NaN")},
        {"kind": "times", "target": Decimal("1.5")},
        {"unit": "x" * 41},
    ],
)
def test_a_goal_that_makes_no_sense_is_refused_with_a_sentence(wrong):
    with pytest.raises(FieldErrors) as refused:
        Goal(**wrong)
    assert refused.value.fields["goal"].endswith(".")
