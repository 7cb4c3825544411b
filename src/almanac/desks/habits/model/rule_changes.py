"""Changes a habit's rule from a day on, without touching earlier days, and previews the effect on streak and points."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from almanac.desks.habits.model.history import HabitHistory, HabitRule
from almanac.desks.habits.model.stats import compute_stats
from almanac.kit.messages import gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEffect:
    """Streak and points before and after a rule change, as of today."""

    streak_before: int
    streak_after: int
    best_before: int
    best_after: int
    points_before: int
    points_after: int
    sentence: str


def add_rule(rules: Sequence[HabitRule], new: HabitRule) -> tuple[HabitRule, ...]:
    """The rules with a new one that applies from its day on. It replaces rules of the same or a later day."""
    earlier = tuple(rule for rule in rules if rule.since < new.since)
    if not earlier:
        # The first rule also applies to the days before it.
        return (replace(new, since=min(new.since, rules[0].since)),) if rules else (new,)
    if (earlier[-1].schedule, earlier[-1].goal) == (new.schedule, new.goal):
        return earlier
    return (*earlier, new)


def preview_rule_change(history: HabitHistory, new: HabitRule, today: date) -> RuleEffect:
    """Compare today's stats with and without the change."""
    before = compute_stats(history, today)
    after = compute_stats(replace(history, rules=add_rule(history.rules, new)), today)
    unchanged = (before.current_streak, before.points) == (after.current_streak, after.points)
    if unchanged:
        sentence = gettext(
            "From %(day)s on: %(rule)s. Your streak and points stay the same.", day=new.since, rule=new.sentence
        )
    else:
        sentence = gettext(
            "From %(day)s on: %(rule)s. Your streak goes from %(streak_before)s to %(streak_after)s, "
            "your points from %(points_before)s to %(points_after)s.",
            day=new.since,
            rule=new.sentence,
            streak_before=before.current_streak,
            streak_after=after.current_streak,
            points_before=before.points,
            points_after=after.points,
        )
    return RuleEffect(
        streak_before=before.current_streak,
        streak_after=after.current_streak,
        best_before=before.best_streak,
        best_after=after.best_streak,
        points_before=before.points,
        points_after=after.points,
        sentence=sentence,
    )
