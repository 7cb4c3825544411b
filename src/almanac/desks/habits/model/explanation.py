"""Explains a streak day by day: whether the day counted, protected or broke it, and which rule decided."""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from operator import attrgetter
from typing import Literal, TypeAlias

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import Forgiveness, HabitHistory
from almanac.desks.habits.model.stats import HabitStats, JudgedSpan
from almanac.kit.text import counted

DayEffect = Literal["counts", "protects", "breaks", "open", "nothing"]

Explanation: TypeAlias = tuple[DayEffect, str, str]
"""The effect of a day, the name of the rule that decided, and a sentence about it."""

_FIRST_DAY = attrgetter("first")
_NOT_OVER = "The day isn't over yet."
_FORGIVEN: dict[Forgiveness, str] = {
    "skip": "Skipped: the streak is protected.",
    "vacation": "On vacation: the streak is protected.",
    "rest": "A rest day: the streak is protected.",
    "travel": "Cut short by travel across time zones: the streak is protected.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReason:
    """What one day did to the streak, the rule that decided, and the streak after it."""

    day: date
    effect: DayEffect
    rule: str
    sentence: str
    streak: int
    points: int = 0
    amount: Decimal | None = None


def explain_days(history: HabitHistory, stats: HabitStats, first: date, last: date) -> list[DayReason]:
    """A reason for every day from `first` to `last` that is not before the habit's start or after today."""
    begin = max(first.toordinal(), history.first_day.toordinal())
    return [
        _reason(history, stats, date.fromordinal(day), _span_at(stats.judged, day))
        for day in range(begin, min(last.toordinal(), stats.today.toordinal()) + 1)
    ]


def _span_at(judged: list[JudgedSpan], day: int) -> tuple[JudgedSpan | None, int]:
    """The span that contains a day, or None, and the streak before it."""
    index = bisect_right(judged, day, key=_FIRST_DAY) - 1
    if index < 0:
        return None, 0
    if judged[index].last < day:
        return None, judged[index].streak
    return judged[index], judged[index - 1].streak if index else 0


def _reason(history: HabitHistory, stats: HabitStats, day: date, position: tuple[JudgedSpan | None, int]) -> DayReason:
    span, before = position
    effect, rule, sentence = _explain(history, stats, day, span)
    award = stats.award_on(day)
    return DayReason(
        day=day,
        effect=effect,
        rule=rule,
        sentence=sentence,
        streak=_streak_after(span, before, day.toordinal(), stats),
        points=award.points if award else 0,
        amount=_plain(history.log.get(day)),
    )


def _plain(amount: Decimal | None) -> Decimal | None:
    """Without trailing zeros: 7, not 7.000."""
    return None if amount is None else Decimal(f"{amount.normalize():f}")


def _streak_after(span: JudgedSpan | None, before: int, day: int, stats: HabitStats) -> int:
    if span is None:
        return before
    if span.state == "kept":
        return span.streak if _kept_until(stats, span, day) >= span.asked else before
    return span.streak if day == span.last else before


def _kept_until(stats: HabitStats, span: JudgedSpan, day: int) -> int:
    """How many days of a span were kept up to a day, that day included."""
    return sum(1 for ordinal in range(span.first, day + 1) if ordinal in stats.kept_days)


def _explain(history: HabitHistory, stats: HabitStats, day: date, span: JudgedSpan | None) -> Explanation:
    ordinal, rule = day.toordinal(), history.rule_on(day)
    if span is None:
        schedule = rule.schedule.sentence
        if ordinal in stats.kept_days and day in history.log:
            return "nothing", "extra", f"Extra: it wasn't due on this day, only {schedule}."
        return "nothing", "off-schedule", f"Not due on this day, only {schedule}."
    if rule.limits_whole_span:
        return _explain_limited_span(history, stats, day, span)
    if rule.schedule.is_daily_span:
        return _explain_single_day(stats, day, span, rule.goal, history.log.get(day))
    return _explain_day_in_span(stats, day, span, rule.goal, history.log.get(day))


def _explain_single_day(
    stats: HabitStats, day: date, span: JudgedSpan, goal: Goal, amount: Decimal | None
) -> Explanation:
    if span.state == "kept":
        return "counts", *_why_kept(goal, amount)
    if span.state == "broken":
        return "breaks", *_why_missed(goal, amount)
    if forgiveness := stats.forgiven.get(day.toordinal()):
        return "protects", forgiveness, _FORGIVEN[forgiveness]
    return "open", "not-over", _NOT_OVER


def _explain_day_in_span(
    stats: HabitStats, day: date, span: JudgedSpan, goal: Goal, amount: Decimal | None
) -> Explanation:
    ordinal, dates = day.toordinal(), _dates(span)
    progress = f"{span.done} of {span.asked} from {dates}"
    if ordinal in stats.kept_days:
        number = _kept_until(stats, span, ordinal)
        if number > span.asked:
            return "nothing", "extra", f"Extra: {span.asked} from {dates} were already done."
        rule, sentence = _why_kept(goal, amount)
        return "counts", rule, f"{sentence} {counted(number, 'day')} of {span.asked} from {dates}."
    if ordinal in stats.forgiven:
        return "protects", stats.forgiven[ordinal], _FORGIVEN[stats.forgiven[ordinal]]
    if ordinal == span.last and span.state in ("broken", "protected"):
        return _explain_span_end(span, progress)
    if amount is not None:
        return "nothing", *_why_missed(goal, amount)
    return ("open" if span.state == "open" else "nothing"), "within-a-span", f"Nothing entered; {progress}."


def _explain_span_end(span: JudgedSpan, progress: str) -> Explanation:
    if span.state == "broken":
        return "breaks", "too-few", f"Only {progress}; {span.needed} were needed, so the streak ended."
    return "protects", "cut-short", f"{progress}; some days were off, so the streak continues."


def _explain_limited_span(history: HabitHistory, stats: HabitStats, day: date, span: JudgedSpan) -> Explanation:
    """A day of a span with a limit on its total: the total so far, and whether it is over the limit."""
    ordinal, goal = day.toordinal(), history.rule_on(day).goal
    used = sum((amount for other, amount in history.amounts.items() if span.first <= other <= ordinal), Decimal(0))
    total, limit = _with_unit(used, goal), f"{goal.sentence} from {_dates(span)}"
    if ordinal in stats.kept_days:
        return "counts", "within-limit", f"{total} so far; the goal is {limit}."
    if used > goal.limit:
        effect: DayEffect = "breaks" if ordinal == span.last and span.state == "broken" else "nothing"
        return effect, "over-limit", f"{total} so far, more than the goal of {limit}."
    if forgiveness := stats.forgiven.get(ordinal):
        return "protects", forgiveness, _FORGIVEN[forgiveness]
    return "open", "not-over", _NOT_OVER


def _dates(span: JudgedSpan) -> str:
    return f"{date.fromordinal(span.first):%-d %B} to {date.fromordinal(span.last):%-d %B}"


def _with_unit(amount: Decimal, goal: Goal) -> str:
    return f"{amount.normalize():f} {goal.unit}".strip()


def _why_kept(goal: Goal, amount: Decimal | None) -> tuple[str, str]:
    rule = "kept-by-silence" if amount is None else "done" if goal.kind == "done" else "goal-met"
    if goal.kind == "avoid":
        return rule, "You kept it: nothing that day."
    if amount is None:
        return rule, f"Nothing entered, and the goal is {goal.sentence}: you kept it."
    if goal.kind == "done":
        return rule, "Done."
    return rule, f"{_with_unit(amount, goal)}: you kept the goal of {goal.sentence}."


def _why_missed(goal: Goal, amount: Decimal | None) -> tuple[str, str]:
    if amount is None:
        return "missed", "Nothing entered, so the streak ended."
    if goal.kind == "avoid":
        return "goal-missed", f"{_with_unit(amount, goal)} entered, and the goal is none."
    return "goal-missed", f"{_with_unit(amount, goal)} misses the goal of {goal.sentence}."
