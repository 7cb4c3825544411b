"""When the next issues are due: the rule of a frequency on the clocks of a time zone, and the runs it leads to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from almanac.jobs.cron import check_cron, next_due

PREVIEWED_RUNS = 3
_MEASURED_RUNS = 12


@dataclass(frozen=True, slots=True)
class IssueSchedule:
    """A cron line and the time zone whose clocks it is read on. `active` lets issues be prepared by it."""

    rule: str
    time_zone: str = "UTC"
    active: bool = False


USUAL_RULES: Mapping[str, str] = {
    "daily": "0 7 * * *",
    "weekly": "0 7 * * 1",
    "monthly": "0 7 1 * *",
    "quarterly": "0 7 1 1,4,7,10 *",
}


def check_schedule(rhythm: IssueSchedule) -> None:
    """Refuse, with a sentence, a rule or a zone that means nothing."""
    check_cron(rhythm.rule, rhythm.time_zone)


def adapt_schedule(rhythm: IssueSchedule | None, frequency: str) -> IssueSchedule | None:
    """A rhythm under another frequency: at the usual moments of that one, on the same clocks."""
    rule = USUAL_RULES.get(frequency)
    return replace(rhythm, rule=rule) if rhythm and rule else rhythm


def schedule_or_default(frequency: str, given: IssueSchedule | None, *, time_zone: str) -> IssueSchedule:
    """The rhythm that was given, or the usual one of the frequency in a time zone."""
    return given or IssueSchedule(USUAL_RULES.get(frequency, USUAL_RULES["weekly"]), time_zone)


def list_next_runs(rhythm: IssueSchedule, after: datetime, *, count: int = PREVIEWED_RUNS) -> list[datetime]:
    """The next runs in UTC; fewer where the rule comes true no more often, none where it never does."""
    runs: list[datetime] = []
    while len(runs) < count:
        run = next_due(rhythm.rule, rhythm.time_zone, runs[-1] if runs else after)
        if run is None:
            break
        runs.append(run)
    return runs


def average_gap(rhythm: IssueSchedule, after: datetime) -> timedelta | None:
    """The average time between runs, or None where the rule hardly ever comes true."""
    runs = list_next_runs(rhythm, after, count=_MEASURED_RUNS)
    return (runs[-1] - runs[0]) / (len(runs) - 1) if len(runs) > 1 else None
