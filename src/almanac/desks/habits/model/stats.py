"""Computes a habit's stats (streaks, points, badges, strength) from its history, in one pass over its schedule's spans.

A span that reaches its target counts; the streak is the number of such spans in a row. Forgiven days, and days before
the habit started or after its rule changed, lower what a span needs. A span that reaches only the lowered number is
protected: it neither counts nor breaks the streak. A span that isn't over is open. A span that is over with too little
breaks the streak. A limit on a whole span is kept only if each of its days is within the limit.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal, NamedTuple

from almanac.desks.habits.model.history import Forgiveness, HabitHistory, HabitRule
from almanac.desks.habits.model.rewards import MILESTONES, DayAward, StreakBadge, award_day, sum_points
from almanac.desks.habits.model.schedule import DaySpan, iter_spans
from almanac.desks.habits.model.strength import strength_curve

SpanState = Literal["kept", "protected", "open", "broken"]
_HORIZON = timedelta(days=800)


class JudgedSpan(NamedTuple):
    """A span and its result. `asked` is what it takes to count, `needed` what it takes not to break the streak."""

    first: int
    last: int
    asked: int
    needed: int
    done: int
    state: SpanState
    streak: int


class StreakRun(NamedTuple):
    """A streak from its first day to its last."""

    first: date
    last: date
    length: int


class HabitStats(NamedTuple):
    """A habit's stats on a day. `stands_until` is the last day on which the streak survives without another entry;
    None if there is no streak, or if days without an entry keep it."""

    today: date
    current_streak: int
    best_streak: int
    strength: float
    last_completed: date | None
    stands_until: date | None
    due_today: bool
    at_risk: bool
    points: int
    earned: dict[int, int]
    badges: tuple[StreakBadge, ...]
    runs: tuple[StreakRun, ...]
    judged: list[JudgedSpan]
    curve: list[float]
    kept_days: frozenset[int]
    forgiven: dict[int, Forgiveness]

    def award_on(self, day: date) -> DayAward | None:
        """The points that the entry of a day earned; None if it didn't count."""
        streak = self.earned.get(day.toordinal())
        return None if streak is None else award_day(day, streak)


def compute_stats(history: HabitHistory, today: date) -> HabitStats:
    """The stats of a habit as of today."""
    # After flying west, a person may have entries for a day that has not started in their new time zone.
    last = max(today, date.fromordinal(max(history.amounts, default=1)))
    forgiven = history.forgiven(last)
    kept = _kept_days(history, forgiven, today, last)
    walk = _walk(history, kept, forgiven, today, last)
    curve = strength_curve(history, kept, forgiven, today)
    now = _span_of(walk.judged, today.toordinal())
    due = now is not None and now.state == "open" and today.toordinal() not in forgiven
    # A limit is kept by entering nothing, so it is never due.
    due = due and not history.rule_on(today).goal.is_limit
    completed = max(kept & history.amounts.keys(), default=None)
    streak, runs = walk.streak, walk.all_runs()
    return HabitStats(
        today=today,
        current_streak=streak,
        best_streak=max((run.length for run in runs), default=0),
        strength=curve[-1] if curve else 0.0,
        last_completed=None if completed is None else date.fromordinal(completed),
        stands_until=_stands_until(history, kept, streak, today),
        due_today=due and today.toordinal() not in kept,
        at_risk=due and now is not None and _is_at_risk(now, today.toordinal(), kept, forgiven),
        points=sum_points(walk.earned.values()),
        earned=walk.earned,
        badges=tuple(walk.badges.values()),
        runs=runs,
        judged=walk.judged,
        curve=curve,
        kept_days=frozenset(kept),
        forgiven=forgiven,
    )


def _span_of(judged: list[JudgedSpan], day: int) -> JudgedSpan | None:
    """The span that contains a day, or None. Entries for future days may have spans after it."""
    return next((span for span in reversed(judged) if span.first <= day <= span.last), None)


def _kept_days(history: HabitHistory, forgiven: Mapping[int, Forgiveness], today: date, last: date) -> set[int]:
    """Days that meet the goal of their rule. For limits this includes finished days without an entry, unless they are
    forgiven."""
    kept: set[int] = set()
    for rule, first, end in _rule_periods(history, last):
        amounts = history.amounts
        if len(history.rules) > 1 or history.archived_on is not None:
            amounts = {day: amount for day, amount in amounts.items() if first <= day <= end}
        if rule.limits_whole_span:
            kept |= _within_limit(rule, amounts, forgiven, first, end, today.toordinal())
            continue
        if rule.goal.is_limit:
            kept.update(set(range(first, min(end + 1, today.toordinal()))) - amounts.keys() - forgiven.keys())
        kept |= rule.goal.met_by(amounts)
    return kept


def _within_limit(
    rule: HabitRule, amounts: Mapping[int, Decimal], forgiven: Mapping[int, Forgiveness], first: int, end: int, now: int
) -> set[int]:
    """For a limit on whole spans, the days on which the span's total so far is within it."""
    kept = set()
    for span in iter_spans(rule.schedule, rule.since.toordinal(), first, end):
        total = Decimal(0)
        for day in range(max(span[0], first), min(span[1], end) + 1):
            total += amounts.get(day, Decimal(0))
            if total <= rule.goal.limit and (day in amounts or (day < now and day not in forgiven)):
                kept.add(day)
    return kept


def _rule_periods(history: HabitHistory, last: date) -> Iterator[tuple[HabitRule, int, int]]:
    """Each rule with the first and last day on which it applies."""
    begin, end = history.first_day.toordinal(), last.toordinal()
    if history.last_day is not None:
        end = min(end, history.last_day.toordinal())
    starts = [begin, *(max(begin, rule.since.toordinal()) for rule in history.rules[1:])]
    ends = [*(start - 1 for start in starts[1:]), end]
    for rule, first, final in zip(history.rules, starts, ends, strict=True):
        if first <= min(final, end):
            yield rule, first, min(final, end)


class _StreakWalk:
    """State carried from span to span while computing stats."""

    def __init__(
        self, kept: set[int], forgiven: dict[int, Forgiveness], logged: Mapping[int, object], now: int
    ) -> None:
        self.kept, self.forgiven, self.logged, self.now = kept, forgiven, logged, now
        self.streak = self.run_first = self.run_last = 0
        self.judged: list[JudgedSpan] = []
        self.runs: list[StreakRun] = []
        self.earned: dict[int, int] = {}
        self.badges: dict[int, StreakBadge] = {}

    def count(self, first: int, last: int, reached: int) -> None:
        """Extend the streak by one span, completed on day `reached`."""
        if self.streak == 0:
            self.run_first = first
        self.streak += 1
        self.run_last = last
        if self.streak in MILESTONES and self.streak not in self.badges:
            self.badges[self.streak] = StreakBadge(self.streak, date.fromordinal(reached))

    def end_run(self) -> None:
        if self.streak:
            self.runs.append(StreakRun(date.fromordinal(self.run_first), date.fromordinal(self.run_last), self.streak))
        self.streak = 0

    def all_runs(self) -> tuple[StreakRun, ...]:
        """All runs, including the current one."""
        if not self.streak:
            return tuple(self.runs)
        return (*self.runs, StreakRun(date.fromordinal(self.run_first), date.fromordinal(self.run_last), self.streak))

    def judge_days(self, days: Iterable[int]) -> None:
        """Judge single-day spans. Nearly all habits have these, so they get a fast path."""
        kept, forgiven, logged = self.kept, self.forgiven, self.logged
        for day in days:
            if day in kept:
                self.count(day, day, day)
                if day in logged:
                    self.earned[day] = self.streak
                self.judged.append(JudgedSpan(day, day, 1, 1, 1, "kept", self.streak))
                continue
            state: SpanState = "open" if day >= self.now else "protected" if day in forgiven else "broken"
            if state == "broken":
                self.end_run()
            self.judged.append(JudgedSpan(day, day, 1, 0 if day in forgiven else 1, 0, state, self.streak))

    def judge_span(self, rule: HabitRule, whole: DaySpan, span: DaySpan) -> None:
        """Judge a span of several days; `span` is the part of `whole` that applies."""
        asked, needed = _demand(rule, whole, span, self.forgiven)
        done = [day for day in range(span[0], span[1] + 1) if day in self.kept]
        before, state = self.streak, _state(len(done), asked, needed, is_over=span[1] < self.now)
        if state == "kept":
            self.count(*span, done[asked - 1])
        elif state == "broken":
            self.end_run()
        for place, day in enumerate(done[:asked], 1):
            if day in self.logged:
                self.earned[day] = before + 1 if place == asked else before
        self.judged.append(JudgedSpan(*span, asked, needed, len(done), state, self.streak))


def _walk(
    history: HabitHistory, kept: set[int], forgiven: dict[int, Forgiveness], today: date, last: date
) -> _StreakWalk:
    walk = _StreakWalk(kept, forgiven, history.amounts, today.toordinal())
    for rule, first, end in _rule_periods(history, last):
        whole = iter_spans(rule.schedule, rule.since.toordinal(), first, end)
        if rule.schedule.is_daily_span:
            walk.judge_days(day for day, _ in whole)
            continue
        # The calendar continues after `last`: an open week must not look cut short.
        cut = _cut_after(history, rule, end, last)
        for span in whole:
            walk.judge_span(rule, span, (max(span[0], first), min(span[1], cut)))
    return walk


def _cut_after(history: HabitHistory, rule: HabitRule, end: int, last: date) -> int:
    """The last day to which a span of this rule may extend."""
    limit = date.max.toordinal() if end == last.toordinal() else end
    ends = [other.since.toordinal() - 1 for other in history.rules if other.since > rule.since]
    if history.last_day is not None:
        ends.append(history.last_day.toordinal())
    return min([limit, *ends])


def _demand(rule: HabitRule, whole: DaySpan, span: DaySpan, forgiven: dict[int, Forgiveness]) -> tuple[int, int]:
    """What a span needs to count, and what it needs not to break the streak."""
    if rule.limits_whole_span:
        days = sum(1 for day in range(span[0], span[1] + 1) if day not in forgiven)
        return days, days
    asked = rule.schedule.target
    return asked, _needed(whole, span, asked, forgiven)


def _needed(whole: DaySpan, span: DaySpan, asked: int, forgiven: dict[int, Forgiveness]) -> int:
    """What a span needs not to break the streak: the target reduced to the share of days that really applied."""
    length = whole[1] - whole[0] + 1
    missing = length - (span[1] - span[0] + 1)
    if forgiven:
        missing += sum(1 for day in range(span[0], span[1] + 1) if day in forgiven)
    return asked * (length - missing) // length


def _state(done: int, asked: int, needed: int, *, is_over: bool) -> SpanState:
    if done >= asked > 0:
        return "kept"
    if not is_over:
        return "open"
    return "protected" if done >= needed else "broken"


def _is_at_risk(span: JudgedSpan, today: int, kept: set[int], forgiven: dict[int, Forgiveness]) -> bool:
    """Whether every remaining day of the span is needed."""
    left = sum(1 for day in range(today, span.last + 1) if day not in kept and day not in forgiven)
    return 0 < left <= span.needed - span.done


def _stands_until(history: HabitHistory, kept: set[int], streak: int, today: date) -> date | None:
    """The last day of the first span ahead that breaks if nothing is entered; None if none does."""
    if streak == 0:
        return None
    horizon = today + _HORIZON
    forgiven = history.forgiven(horizon)
    for rule, first, end in _rule_periods(history, horizon):
        if rule.goal.is_limit or end < today.toordinal():
            continue
        asked, cut = rule.schedule.target, _cut_after(history, rule, end, horizon)
        start = max(first, today.toordinal())
        for span_first, span_last in iter_spans(rule.schedule, rule.since.toordinal(), start, end):
            span = max(span_first, first), min(span_last, cut)
            done = sum(1 for day in range(span[0], span[1] + 1) if day in kept)
            needed = _needed((span_first, span_last), span, asked, forgiven)
            if _state(done, asked, needed, is_over=True) == "broken":
                return date.fromordinal(span[1])
    return None
