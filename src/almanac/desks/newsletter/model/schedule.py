"""When the next issues are due: the cron rule of a frequency in a time zone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from almanac.jobs.cron import check_cron, next_due_times

PREVIEWED_RUNS = 3
_MEASURED_RUNS = 12
USUAL_RULES: Mapping[str, str] = {
    "daily": "0 7 * * *",
    "weekly": "0 7 * * 1",
    "monthly": "0 7 1 * *",
    "quarterly": "0 7 1 1,4,7,10 *",
}


@dataclass(frozen=True, slots=True)
class IssueSchedule:
    """A cron line and its time zone. If `active`, issues are prepared automatically."""

    rule: str
    time_zone: str = "UTC"
    active: bool = False


def check_schedule(schedule: IssueSchedule) -> None:
    """Raise InputError if the rule or the time zone is invalid."""
    check_cron(schedule.rule, schedule.time_zone)


def adapt_schedule(schedule: IssueSchedule | None, frequency: str) -> IssueSchedule | None:
    """The schedule for another frequency: its usual rule in the same time zone."""
    rule = USUAL_RULES.get(frequency)
    return replace(schedule, rule=rule) if schedule and rule else schedule


def schedule_or_default(frequency: str, schedule: IssueSchedule | None, *, time_zone: str) -> IssueSchedule:
    """The given schedule, or the usual one of the frequency."""
    return schedule or IssueSchedule(USUAL_RULES.get(frequency, USUAL_RULES["weekly"]), time_zone)


def list_next_runs(schedule: IssueSchedule, after: datetime, *, count: int = PREVIEWED_RUNS) -> list[datetime]:
    """The next runs in UTC; fewer if the rule doesn't match that often, none if it never does."""
    return list(next_due_times(schedule.rule, schedule.time_zone, after, count))


def average_gap(schedule: IssueSchedule, after: datetime) -> timedelta | None:
    """The average time between runs, or None if the rule hardly ever matches."""
    runs = list_next_runs(schedule, after, count=_MEASURED_RUNS)
    return (runs[-1] - runs[0]) / (len(runs) - 1) if len(runs) > 1 else None
