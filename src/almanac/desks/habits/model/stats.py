"""The heart of the desk: from a habit's history to its standing, in one walk over the spans of its schedules.

A span that has what it asks for counts, and the streak is how many did so in a row. Forgiven days, and days before a
habit began or after its rule changed, take their share off what a span asks for; a span that has at least the rest is
protected: it neither counts nor breaks. A span that is not over stays open. Only one that is over and has too little
breaks the streak. A limit on a whole span is kept on each of its days or not at all.
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
_LOOK_AHEAD = timedelta(days=800)


class JudgedSpan(NamedTuple):
    """A span and what became of it. `asked` is what it took to count, `needed` what it took not to break."""

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
    """Where a habit stands on a day; a pure result of its history. `stands_until` is the last day on which the streak
    stands if nothing more is entered; None where there is none to lose, or where silence keeps it."""

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
        """The points that the entry of a day has earned, if it counted."""
        streak = self.earned.get(day.toordinal())
        return None if streak is None else award_day(day, streak)


def compute_stats(history: HabitHistory, today: date) -> HabitStats:
    """Everything that follows from a history on a day."""
    # Somebody who flew west may have entries for a day that is still to come where they are now.
    last = max(today, date.fromordinal(max(history.amounts, default=1)))
    forgiven = history.forgiven(last)
    kept = _kept_days(history, forgiven, today, last)
    walk = _walk(history, kept, forgiven, today, last)
    curve = strength_curve(history, kept, forgiven, today)
    now = _span_of(walk.judged, today.toordinal())
    due = now is not None and now.state == "open" and today.toordinal() not in forgiven
    # Of something to avoid, silence keeps the day: there is nothing to do and nothing to be warned of.
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
    """The span that a day is in; entries for days to come may have spans after it."""
    return next((span for span in reversed(judged) if span.first <= day <= span.last), None)


def _kept_days(history: HabitHistory, forgiven: Mapping[int, Forgiveness], today: date, last: date) -> set[int]:
    """Days on which what the rule asks of a day was there. Of limits, also silent days that are over: but silence on
    a day that asked for nothing says nothing."""
    kept: set[int] = set()
    for rule, first, end in _eras(history, last):
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
    """Of a limit on whole spans, the days up to which a span did not exceed it."""
    kept = set()
    for span in iter_spans(rule.schedule, rule.since.toordinal(), first, end):
        total = Decimal(0)
        for day in range(max(span[0], first), min(span[1], end) + 1):
            total += amounts.get(day, Decimal(0))
            if total <= rule.goal.limit and (day in amounts or (day < now and day not in forgiven)):
                kept.add(day)
    return kept


def _eras(history: HabitHistory, last: date) -> Iterator[tuple[HabitRule, int, int]]:
    """Each rule with the first and last day of its time."""
    begin, end = history.first_day.toordinal(), last.toordinal()
    if history.last_day is not None:
        end = min(end, history.last_day.toordinal())
    starts = [begin, *(max(begin, rule.since.toordinal()) for rule in history.rules[1:])]
    ends = [*(start - 1 for start in starts[1:]), end]
    for rule, first, final in zip(history.rules, starts, ends, strict=True):
        if first <= min(final, end):
            yield rule, first, min(final, end)


class _Walk:
    """What is carried from span to span."""

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
        """One more in a row, reached on this day."""
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
        """Every run, the present one as far as it has come."""
        if not self.streak:
            return tuple(self.runs)
        return (*self.runs, StreakRun(date.fromordinal(self.run_first), date.fromordinal(self.run_last), self.streak))

    def through_days(self, days: Iterable[int]) -> None:
        """Days that each stand for themselves: the form of nearly all habits, so it has a short way of its own."""
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

    def through_span(self, rule: HabitRule, whole: DaySpan, span: DaySpan) -> None:
        """A span of several days, of which some may be cut off."""
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


def _walk(history: HabitHistory, kept: set[int], forgiven: dict[int, Forgiveness], today: date, last: date) -> _Walk:
    walk = _Walk(kept, forgiven, history.amounts, today.toordinal())
    for rule, first, end in _eras(history, last):
        whole = iter_spans(rule.schedule, rule.since.toordinal(), first, end)
        if rule.schedule.is_daily_span:
            walk.through_days(day for day, _ in whole)
            continue
        # The calendar goes on after the last day that matters: an open week must not look cut off.
        cut = _cut_after(history, rule, end, last)
        for one in whole:
            walk.through_span(rule, one, (max(one[0], first), min(one[1], cut)))
    return walk


def _cut_after(history: HabitHistory, rule: HabitRule, end: int, last: date) -> int:
    """The last day that a span of this rule may reach to."""
    limit = date.max.toordinal() if end == last.toordinal() else end
    ends = [other.since.toordinal() - 1 for other in history.rules if other.since > rule.since]
    if history.last_day is not None:
        ends.append(history.last_day.toordinal())
    return min([limit, *ends])


def _demand(rule: HabitRule, whole: DaySpan, span: DaySpan, forgiven: dict[int, Forgiveness]) -> tuple[int, int]:
    """What a span takes to count, and what it takes not to break."""
    if rule.limits_whole_span:
        days = sum(1 for day in range(span[0], span[1] + 1) if day not in forgiven)
        return days, days
    asked = rule.schedule.target
    return asked, _needed(whole, span, asked, forgiven)


def _needed(whole: DaySpan, span: DaySpan, asked: int, forgiven: dict[int, Forgiveness]) -> int:
    """What a span must have so as not to break: its share for the days that it really had."""
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
    """Whether every day that is left is needed."""
    left = sum(1 for day in range(today, span.last + 1) if day not in kept and day not in forgiven)
    return 0 < left <= span.needed - span.done


def _stands_until(history: HabitHistory, kept: set[int], streak: int, today: date) -> date | None:
    """Look ahead for the first span that would break by silence."""
    if streak == 0:
        return None
    horizon = today + _LOOK_AHEAD
    forgiven = history.forgiven(horizon)
    for rule, first, end in _eras(history, horizon):
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
