"""Changing a habit's rule from a day on: the past keeps the rule of its time, and the effect can be seen before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from almanac.desks.habits.model.history import HabitHistory, HabitRule
from almanac.desks.habits.model.stats import compute_stats


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEffect:
    """What a change of rule does to a habit's standing today."""

    streak_before: int
    streak_after: int
    best_before: int
    best_after: int
    points_before: int
    points_after: int
    sentence: str


def add_rule(rules: Sequence[HabitRule], new: HabitRule) -> tuple[HabitRule, ...]:
    """The rules with one that holds from its day on; later ones are replaced, and so is one of the same day."""
    earlier = tuple(rule for rule in rules if rule.since < new.since)
    if not earlier:
        # Nothing is older than the first rule: it holds for all days before it as well.
        return (replace(new, since=min(new.since, rules[0].since)),) if rules else (new,)
    if (earlier[-1].schedule, earlier[-1].goal) == (new.schedule, new.goal):
        return earlier
    return (*earlier, new)


def preview_rule_change(history: HabitHistory, new: HabitRule, today: date) -> RuleEffect:
    """Compare the standing of today with and without the change."""
    before = compute_stats(history, today)
    after = compute_stats(replace(history, rules=add_rule(history.rules, new)), today)
    same = (before.current_streak, before.points) == (after.current_streak, after.points)
    told = f"From {new.since:%-d %B %Y} on: {new.sentence}. " + (
        "Your streak and points stay as they are."
        if same
        else f"Your streak goes from {before.current_streak} to {after.current_streak}, "
        f"your points from {before.points} to {after.points}."
    )
    return RuleEffect(
        streak_before=before.current_streak,
        streak_after=after.current_streak,
        best_before=before.best_streak,
        best_after=after.best_streak,
        points_before=before.points,
        points_after=after.points,
        sentence=told,
    )
