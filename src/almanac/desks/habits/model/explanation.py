"""Why a streak is what it is: for each day, whether it counted, protected, broke or asked for nothing, and the rule."""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import Forgiveness, HabitHistory
from almanac.desks.habits.model.stats import HabitStats, JudgedSpan
from almanac.kit.text import counted

DayEffect = Literal["counts", "protects", "breaks", "open", "nothing"]

_FORGIVEN: dict[Forgiveness, str] = {
    "skip": "Skipped: the day asks for nothing, so the streak is protected.",
    "vacation": "On vacation: the day asks for nothing, so the streak is protected.",
    "rest": "A rest day: nothing is asked for, so the streak is protected.",
    "travel": "The clocks changed while travelling and the day was cut short, so the streak is protected.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReason:
    """What one day did to the streak, by which rule, and the streak after it."""

    day: date
    effect: DayEffect
    rule: str
    sentence: str
    streak: int
    points: int = 0
    amount: Decimal | None = None


def explain_days(history: HabitHistory, found: HabitStats, first: date, last: date) -> list[DayReason]:
    """The reason of every day from `first` to `last`, as far as the habit has days."""
    begin = max(first.toordinal(), history.first_day.toordinal())
    starts = [span.first for span in found.judged]
    return [
        _reason(history, found, date.fromordinal(day), _span_at(found.judged, starts, day))
        for day in range(begin, min(last.toordinal(), found.today.toordinal()) + 1)
    ]


def _span_at(judged: list[JudgedSpan], starts: list[int], day: int) -> tuple[JudgedSpan | None, int]:
    """The span that a day is in, if it is in one, and the streak before it."""
    place = bisect_right(starts, day) - 1
    if place < 0:
        return None, 0
    if judged[place].last < day:
        return None, judged[place].streak
    return judged[place], judged[place - 1].streak if place else 0


def _reason(history: HabitHistory, found: HabitStats, day: date, where: tuple[JudgedSpan | None, int]) -> DayReason:
    span, before = where
    effect, rule, sentence = _told(history, found, day, span)
    award = found.award_on(day)
    return DayReason(
        day=day,
        effect=effect,
        rule=rule,
        sentence=sentence,
        streak=_streak_after(span, before, day.toordinal(), found),
        points=award.points if award else 0,
        amount=_plain(history.log.get(day)),
    )


def _plain(amount: Decimal | None) -> Decimal | None:
    """As somebody would write it: 7 and not 7.000."""
    return None if amount is None else Decimal(f"{amount.normalize():f}")


def _streak_after(span: JudgedSpan | None, before: int, day: int, found: HabitStats) -> int:
    if span is None:
        return before
    if span.state == "kept":
        reached = sum(1 for one in range(span.first, day + 1) if one in found.kept_days) >= span.asked
        return span.streak if reached else before
    return span.streak if day == span.last else before


def _told(history: HabitHistory, found: HabitStats, day: date, span: JudgedSpan | None) -> tuple[DayEffect, str, str]:
    number, goal = day.toordinal(), history.rule_on(day).goal
    schedule = history.rule_on(day).schedule
    if span is None:
        if number in found.kept_days and day in history.log:
            return "nothing", "extra", f"Done, though the habit is asked for {schedule.sentence}: an extra."
        return "nothing", "off-schedule", f"Nothing is asked for on this day: the habit is for {schedule.sentence}."
    if history.rule_on(day).limits_whole_span:
        return _told_of_a_limit(history, found, day, span)
    if schedule.is_daily_span:
        return _told_of_a_day(found, day, span, goal, history.log.get(day))
    return _told_within_a_span(found, day, span, goal, history.log.get(day))


def _told_of_a_day(
    found: HabitStats, day: date, span: JudgedSpan, goal: Goal, amount: Decimal | None
) -> tuple[DayEffect, str, str]:
    if span.state == "kept":
        return "counts", *_why_kept(goal, amount)
    if span.state == "protected":
        forgiveness = found.forgiven[day.toordinal()]
        return "protects", forgiveness, _FORGIVEN[forgiveness]
    if span.state == "open":
        forgiveness_today = found.forgiven.get(day.toordinal())
        if forgiveness_today:
            return "protects", forgiveness_today, _FORGIVEN[forgiveness_today]
        return "open", "not-over", "The day is not over; nothing is decided yet."
    return "breaks", *_why_missed(goal, amount)


def _told_within_a_span(
    found: HabitStats, day: date, span: JudgedSpan, goal: Goal, amount: Decimal | None
) -> tuple[DayEffect, str, str]:
    number = day.toordinal()
    stretch = _stretch(span)
    progress = f"{span.done} of {span.asked} from {stretch}"
    if number in found.kept_days:
        place = sum(1 for one in range(span.first, number + 1) if one in found.kept_days)
        if place > span.asked:
            return "nothing", "extra", f"More than the {span.asked} asked for from {stretch}: an extra."
        rule, sentence = _why_kept(goal, amount)
        return "counts", rule, f"{sentence} {counted(place, 'day')} of {span.asked} from {stretch}."
    if number in found.forgiven:
        return "protects", found.forgiven[number], _FORGIVEN[found.forgiven[number]]
    if number == span.last and span.state in ("broken", "protected"):
        return _told_at_its_end(span, progress)
    if amount is not None:
        return "nothing", *_why_missed(goal, amount)
    return ("open" if span.state == "open" else "nothing"), "within-a-span", f"Nothing entered; {progress}."


def _told_of_a_limit(
    history: HabitHistory, found: HabitStats, day: date, span: JudgedSpan
) -> tuple[DayEffect, str, str]:
    """A day of a span that has a limit as a whole: what it came to so far, and whether that is too much."""
    number, goal, forgiveness = day.toordinal(), history.rule_on(day).goal, found.forgiven.get(day.toordinal())
    used = sum((amount for one, amount in history.amounts.items() if span.first <= one <= number), Decimal(0))
    told = f"{used.normalize():f} {goal.unit}".strip()
    stretch = f"{goal.sentence} from {_stretch(span)}"
    if number in found.kept_days:
        return "counts", "within-limit", f"{told} so far, and the goal is {stretch}."
    if used > goal.limit:
        effect: DayEffect = "breaks" if number == span.last and span.state == "broken" else "nothing"
        return effect, "over-limit", f"{told} so far, more than the goal of {stretch}."
    if forgiveness:
        return "protects", forgiveness, _FORGIVEN[forgiveness]
    return "open", "not-over", "The day is not over; nothing is decided yet."


def _stretch(span: JudgedSpan) -> str:
    return f"{date.fromordinal(span.first):%-d %B} to {date.fromordinal(span.last):%-d %B}"


def _told_at_its_end(span: JudgedSpan, progress: str) -> tuple[DayEffect, str, str]:
    if span.state == "broken":
        return "breaks", "too-few", f"Only {progress}, where {span.needed} were needed: the streak broke."
    return "protects", "cut-short", f"{progress.capitalize()}; days were missing from it, so it breaks nothing."


def _why_kept(goal: Goal, amount: Decimal | None) -> tuple[str, str]:
    if amount is None:
        return "kept-by-silence", f"Nothing was entered and the goal is {goal.sentence}, so the day was kept."
    if goal.kind == "done":
        return "done", "Done."
    return "goal-met", f"{amount.normalize():f} {goal.unit}".strip() + f" meets the goal of {goal.sentence}."


def _why_missed(goal: Goal, amount: Decimal | None) -> tuple[str, str]:
    if amount is None:
        return "missed", "Nothing was entered, so the streak broke."
    told = f"{amount.normalize():f} {goal.unit}".strip()
    return "goal-missed", f"{told} misses the goal of {goal.sentence}."
