"""When a task runs: a documented label or a cron line, read on the clocks of a time zone."""

from datetime import datetime

from almanac.jobs.cron import check_cron, next_due

LABELS = {"hourly": "0 * * * *", "daily": "0 6 * * *", "weekly": "0 6 * * 1", "weekdays": "0 6 * * 1-5"}
BY_HAND = frozenset({"", "manual", "none", "never"})


def cron_of(schedule: str, time_zone: str) -> str | None:
    """The cron line that a schedule stands for; None where a task runs by hand only; InputError for nonsense."""
    label = schedule.strip().lower()
    if label in BY_HAND:
        return None
    cron = LABELS.get(label, schedule.strip())
    check_cron(cron, time_zone)
    return cron


def next_run(schedule: str | None, time_zone: str, after: datetime) -> datetime | None:
    """The next moment at which a task is due, in UTC."""
    cron = cron_of(schedule or "", time_zone)
    return next_due(cron, time_zone, after) if cron else None
