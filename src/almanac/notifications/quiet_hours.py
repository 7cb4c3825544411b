"""When a message may be sent: after quiet hours, and not too soon after the one before. Pure rules."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from almanac.notifications.model import KindRules, NotificationSettings


def find_due_time(
    now: datetime, rules: KindRules, settings: NotificationSettings, zone: str, last_sent_at: datetime | None
) -> datetime:
    """The first moment at which a message of a kind may be sent to a person in this time zone."""
    due = now + rules.settle
    if last_sent_at is not None:
        due = max(due, last_sent_at + rules.spacing)
    if rules.urgent or settings.quiet_from is None or settings.quiet_to is None:
        return due
    return end_of_quiet(due, settings.quiet_from, settings.quiet_to, zone)


def end_of_quiet(moment: datetime, begin: time, end: time, zone: str) -> datetime:
    """The moment itself, or the end of the quiet hours that it falls into; they may go past midnight."""
    local = moment.astimezone(ZoneInfo(zone))
    clock = local.time()
    is_quiet = begin <= clock < end if begin <= end else clock >= begin or clock < end
    if not is_quiet:
        return moment
    day = local.date() + timedelta(days=1) if clock >= end else local.date()
    return datetime.combine(day, end, ZoneInfo(zone)).astimezone(moment.tzinfo)
