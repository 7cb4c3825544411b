"""The cron lines that people need, as choices of a form: how often, at what time, on which day.

A line that no choice can say is kept as it is written.
"""

import re
from dataclasses import dataclass

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext

REPEATS = {
    "": gettext("By hand only"),
    "hourly": gettext("Every hour"),
    "daily": gettext("Every day at…"),
    "weekdays": gettext("Monday to Friday at…"),
    "weekly": gettext("Every week on…"),
    "monthly": gettext("Every month on day…"),
    "line": gettext("Own cron line"),
}
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_MOST_MONTH_DAYS = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class CronChoice:
    """What a form holds; fields that the repetition doesn't use keep what was typed."""

    repeat: str = ""
    at: str = "06:30"
    weekday: str = "1"
    monthday: str = "1"
    line: str = ""

    @classmethod
    def from_cron(cls, cron: str) -> "CronChoice":
        """The choice that says a line; an empty line means by hand."""
        match cron.split():
            case []:
                return cls()
            case ["0", "*", "*", "*", "*"]:
                return cls(repeat="hourly", line=cron)
            case [minute, hour, day, "*", weekday] if minute.isdecimal() and hour.isdecimal():
                return cls._from_days(cron, f"{int(hour):02}:{int(minute):02}", day, weekday)
        return cls(repeat="line", line=cron)

    @classmethod
    def _from_days(cls, cron: str, at: str, day: str, weekday: str) -> "CronChoice":
        if day == "*" and weekday in ("*", "1-5"):
            return cls(repeat="daily" if weekday == "*" else "weekdays", at=at, line=cron)
        if day == "*" and re.fullmatch("[0-7]", weekday):
            return cls(repeat="weekly", at=at, weekday=str(int(weekday) % 7), line=cron)
        if weekday == "*" and day.isdecimal() and 1 <= int(day) <= _MOST_MONTH_DAYS:
            return cls(repeat="monthly", at=at, monthday=str(int(day)), line=cron)
        return cls(repeat="line", at=at, line=cron)

    def to_cron(self) -> str:
        """The line; empty where it is by hand. FieldErrors for a time or a day that isn't one."""
        if self.repeat in ("", "line"):
            return self.line.strip() if self.repeat else ""
        if self.repeat == "hourly":
            return "0 * * * *"
        hour, minute = self._parse_clock()
        if self.repeat == "monthly":
            return f"{minute} {hour} {self._parse_month_day()} * *"
        days = {"weekdays": "1-5", "weekly": self.weekday if self.weekday in tuple("0123456") else "1"}
        return f"{minute} {hour} * * {days.get(self.repeat, '*')}"

    def _parse_clock(self) -> tuple[int, int]:
        clock = _CLOCK.fullmatch(self.at.strip())
        if clock is None:
            raise FieldErrors({"at": gettext("Enter a time such as 06:30.")})
        return int(clock[1]), int(clock[2])

    def _parse_month_day(self) -> int:
        day = self.monthday.strip()
        if not day.isdecimal() or not 1 <= int(day) <= _MOST_MONTH_DAYS:
            raise FieldErrors({"monthday": gettext("Enter a day from 1 to 28, which every month has.")})
        return int(day)
