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
from almanac.kit.messages import day_text, gettext, ngettext

DayEffect = Literal["counts", "protects", "breaks", "open", "nothing"]

Explanation: TypeAlias = tuple[DayEffect, str, str]
"""The effect of a day, the name of the rule that decided, and a sentence about it."""

_FIRST_DAY = attrgetter("first")
_NOT_OVER = gettext("The day isn't over yet.")
_FORGIVEN: dict[Forgiveness, str] = {
    "skip": gettext("Skipped: the streak is protected."),
    "vacation": gettext("On vacation: the streak is protected."),
    "rest": gettext("A rest day: the streak is protected."),
    "travel": gettext("Cut short by travel across time zones: the streak is protected."),
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


def list_effects(history: HabitHistory, stats: HabitStats, first: date, last: date) -> dict[date, DayEffect]:
    """The effect of the same days alone, for whoever shows a year of them."""
    begin, end = max(first.toordinal(), history.first_day.toordinal()), min(last.toordinal(), stats.today.toordinal())
    days = map(date.fromordinal, range(begin, end + 1))
    return {day: _find_effect(history, stats, day, _span_at(stats.judged, day.toordinal())[0]) for day in days}


def _find_effect(history: HabitHistory, stats: HabitStats, day: date, span: JudgedSpan | None) -> DayEffect:
    """The effect without its sentence where that is simple, as it is for nearly every habit."""
    if span is None:
        return "nothing"
    rule = history.rule_on(day)
    if rule.schedule.is_daily_span and not rule.limits_whole_span:
        return _single_day_effect(stats, day, span)
    return _explain(history, stats, day, span)[0]


def _single_day_effect(stats: HabitStats, day: date, span: JudgedSpan) -> DayEffect:
    if span.state == "kept":
        return "counts"
    if span.state == "broken":
        return "breaks"
    return "protects" if day.toordinal() in stats.forgiven else "open"


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
            return (
                "nothing",
                "extra",
                gettext("Extra: it wasn't due on this day, only %(schedule)s.", schedule=schedule),
            )
        return "nothing", "off-schedule", gettext("Not due on this day, only %(schedule)s.", schedule=schedule)
    if rule.limits_whole_span:
        return _explain_limited_span(history, stats, day, span)
    if rule.schedule.is_daily_span:
        return _explain_single_day(stats, day, span, rule.goal, history.log.get(day))
    return _explain_day_in_span(stats, day, span, rule.goal, history.log.get(day))


def _explain_single_day(
    stats: HabitStats, day: date, span: JudgedSpan, goal: Goal, amount: Decimal | None
) -> Explanation:
    match effect := _single_day_effect(stats, day, span):
        case "counts":
            return effect, *_why_kept(goal, amount)
        case "breaks":
            return effect, *_why_missed(goal, amount)
        case "protects":
            forgiveness = stats.forgiven[day.toordinal()]
            return effect, forgiveness, _FORGIVEN[forgiveness]
    return effect, "not-over", _NOT_OVER


def _explain_day_in_span(
    stats: HabitStats, day: date, span: JudgedSpan, goal: Goal, amount: Decimal | None
) -> Explanation:
    ordinal, dates = day.toordinal(), _dates(span)
    progress = gettext("%(done)s of %(asked)s from %(dates)s", done=span.done, asked=span.asked, dates=dates)
    if ordinal in stats.kept_days:
        number = _kept_until(stats, span, ordinal)
        if number > span.asked:
            return (
                "nothing",
                "extra",
                gettext("Extra: %(asked)s from %(dates)s were already done.", asked=span.asked, dates=dates),
            )
        rule, sentence = _why_kept(goal, amount)
        days = ngettext("%(num)s day", "%(num)s days", number)
        return (
            "counts",
            rule,
            gettext(
                "%(reason)s %(days)s of %(asked)s from %(dates)s.",
                reason=sentence,
                days=days,
                asked=span.asked,
                dates=dates,
            ),
        )
    if ordinal in stats.forgiven:
        return "protects", stats.forgiven[ordinal], _FORGIVEN[stats.forgiven[ordinal]]
    if ordinal == span.last and span.state in ("broken", "protected"):
        return _explain_span_end(span, progress)
    if amount is not None:
        return "nothing", *_why_missed(goal, amount)
    return (
        ("open" if span.state == "open" else "nothing"),
        "within-a-span",
        gettext("Nothing entered; %(progress)s.", progress=progress),
    )


def _explain_span_end(span: JudgedSpan, progress: str) -> Explanation:
    if span.state == "broken":
        return (
            "breaks",
            "too-few",
            gettext(
                "Only %(progress)s; %(needed)s were needed, so the streak ended.", progress=progress, needed=span.needed
            ),
        )
    return (
        "protects",
        "cut-short",
        gettext("%(progress)s; some days were off, so the streak continues.", progress=progress),
    )


def _explain_limited_span(history: HabitHistory, stats: HabitStats, day: date, span: JudgedSpan) -> Explanation:
    """A day of a span with a limit on its total: the total so far, and whether it is over the limit."""
    ordinal, goal = day.toordinal(), history.rule_on(day).goal
    used = sum((amount for other, amount in history.amounts.items() if span.first <= other <= ordinal), Decimal(0))
    total = goal.with_unit(used)
    limit = gettext("%(goal)s from %(dates)s", goal=goal.sentence, dates=_dates(span))
    if ordinal in stats.kept_days:
        return "counts", "within-limit", gettext("%(total)s so far; the goal is %(limit)s.", total=total, limit=limit)
    if used > goal.limit:
        effect: DayEffect = "breaks" if ordinal == span.last and span.state == "broken" else "nothing"
        return (
            effect,
            "over-limit",
            gettext("%(total)s so far, more than the goal of %(limit)s.", total=total, limit=limit),
        )
    if forgiveness := stats.forgiven.get(ordinal):
        return "protects", forgiveness, _FORGIVEN[forgiveness]
    return "open", "not-over", _NOT_OVER


def _dates(span: JudgedSpan) -> str:
    first, last = (day_text(date.fromordinal(day), "day") for day in (span.first, span.last))
    return gettext("%(first)s to %(last)s", first=first, last=last)


def _why_kept(goal: Goal, amount: Decimal | None) -> tuple[str, str]:
    rule = "kept-by-silence" if amount is None else "done" if goal.kind == "done" else "goal-met"
    if goal.kind == "avoid":
        return rule, gettext("You kept it: nothing that day.")
    if amount is None:
        return rule, gettext("Nothing entered, and the goal is %(goal)s: you kept it.", goal=goal.sentence)
    if goal.kind == "done":
        return rule, gettext("Done.")
    return rule, gettext(
        "%(amount)s: you kept the goal of %(goal)s.", amount=goal.with_unit(amount), goal=goal.sentence
    )


def _why_missed(goal: Goal, amount: Decimal | None) -> tuple[str, str]:
    if amount is None:
        return "missed", gettext("Nothing entered, so the streak ended.")
    if goal.kind == "avoid":
        return "goal-missed", gettext("%(amount)s entered, and the goal is none.", amount=goal.with_unit(amount))
    return "goal-missed", gettext(
        "%(amount)s misses the goal of %(goal)s.", amount=goal.with_unit(amount), goal=goal.sentence
    )
