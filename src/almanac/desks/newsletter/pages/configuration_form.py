"""The form of step 1: the fields a browser sends, the edit they mean, and the schedule as days and times."""

import re
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.desks.newsletter.model.configuration import (
    AUDIENCES,
    FORMATS,
    FREQUENCIES,
    LENGTHS,
    SOURCE_KINDS,
    Configuration,
    ConfigurationEdit,
)
from almanac.desks.newsletter.model.schedule import USUAL_RULES, IssueSchedule
from almanac.kit.messages import gettext, join_texts

WEEKDAYS = (
    ("1", gettext("Monday")),
    ("2", gettext("Tuesday")),
    ("3", gettext("Wednesday")),
    ("4", gettext("Thursday")),
    ("5", gettext("Friday")),
    ("6", gettext("Saturday")),
    ("0", gettext("Sunday")),
)
_SIMPLE_RULE = re.compile(r"(\d{1,2}) (\d{1,2}) (\*|[\d,]+) \* (\*|[\d,]+)")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_DEFAULT_CLOCK = "07:00"
OWN_TONE = "own"
NOT_A_NUMBER = -1


@dataclass(frozen=True, slots=True)
class ScheduleFields:
    """The schedule as form fields. `rule` is a cron line for what days and a time can't express."""

    time_zone: str
    clock: str = _DEFAULT_CLOCK
    weekdays: tuple[str, ...] = ("1",)
    monthdays: str = ""
    rule: str = ""


def schedule_fields(schedule: IssueSchedule | None, default_zone: str) -> ScheduleFields:
    """The form fields of a schedule; a rule that days and a time can't express is shown as a cron line."""
    if schedule is None:
        return ScheduleFields(default_zone)
    simple = _SIMPLE_RULE.fullmatch(schedule.rule)
    if simple is None or (simple[3] != "*" and simple[4] != "*"):
        return ScheduleFields(schedule.time_zone, rule=schedule.rule)
    minute, hour, days, week = simple.groups()
    weekdays = tuple(week.split(",")) if week != "*" else ()
    return ScheduleFields(schedule.time_zone, f"{int(hour):02}:{int(minute):02}", weekdays, "" if days == "*" else days)


def parse_schedule(fields: ScheduleFields, *, active: bool) -> IssueSchedule:
    """The schedule of the form fields; it is validated when it is saved."""
    return IssueSchedule(" ".join(fields.rule.split()) or _cron_rule(fields), fields.time_zone.strip() or "UTC", active)


def _cron_rule(fields: ScheduleFields) -> str:
    clock = _CLOCK.match(fields.clock) or _CLOCK.match(_DEFAULT_CLOCK)
    hour, minute = (int(part) for part in clock.groups()) if clock else (7, 0)
    days = ",".join(re.findall(r"\d+", fields.monthdays))
    if days:
        return f"{minute} {hour} {days} * *"
    return f"{minute} {hour} * * {','.join(fields.weekdays) or '*'}"


class ConfigurationForm(BaseModel):
    """The fields that a browser sent; empty if it sent nothing."""

    model_config = ConfigDict(extra="ignore")

    version: str = ""
    title: str = ""
    description: str = ""
    target_audience: list[str] = []
    tone_preset: str = OWN_TONE
    tone_professional: str = ""
    tone_technical: str = ""
    format_type: str = ""
    length_preference: str = ""
    frequency: str = ""
    geographic_focus: str = ""
    source_kinds: list[str] = []
    time_zone: str = ""
    clock: str = ""
    weekdays: list[str] = []
    monthdays: str = ""
    rule: str = ""
    active: str = ""

    def edit(self, before: Configuration) -> ConfigurationEdit:
        """The edit that the form means. A preset sets both tones; otherwise the sliders count."""
        preset = self.tone_preset if self.tone_preset != OWN_TONE else None
        return ConfigurationEdit(
            title=self.title,
            description=self.description,
            target_audience=tuple(self.target_audience),
            tone_preset=preset,
            tone_professional=None if preset else _parse_number(self.tone_professional),
            tone_technical=None if preset else _parse_number(self.tone_technical),
            format_type=self.format_type,
            length_preference=self.length_preference,
            frequency=self.frequency,
            geographic_focus=self.geographic_focus,
            source_kinds=tuple(self.source_kinds),
            schedule=self._schedule(before),
        )

    @property
    def rhythm(self) -> ScheduleFields:
        return ScheduleFields(self.time_zone, self.clock, tuple(self.weekdays), self.monthdays, self.rule)

    def _schedule(self, before: Configuration) -> IssueSchedule | None:
        """A custom schedule, or the usual one of the frequency.

        A rule that a program set and the form doesn't show is kept.
        """
        active, previous = bool(self.active), before.schedule
        if self.frequency == "custom":
            return parse_schedule(self.rhythm, active=active)
        if (previous is None and not active) or self.frequency not in USUAL_RULES:
            return None
        rule = previous.rule if previous and self.frequency == before.frequency else USUAL_RULES[self.frequency]
        return IssueSchedule(rule, self.time_zone or (previous.time_zone if previous else "UTC"), active)


def build_form(configuration: Configuration, version: int, default_zone: str) -> ConfigurationForm:
    """The form of a configuration."""
    schedule = schedule_fields(configuration.schedule, default_zone)
    return ConfigurationForm(
        version=str(version),
        title=configuration.title,
        description=configuration.description,
        target_audience=list(configuration.target_audience),
        tone_preset=configuration.preset or OWN_TONE,
        tone_professional=str(configuration.tone_professional),
        tone_technical=str(configuration.tone_technical),
        format_type=configuration.format_type,
        length_preference=configuration.length_preference,
        frequency=configuration.frequency,
        geographic_focus=configuration.geographic_focus,
        source_kinds=list(configuration.source_kinds),
        time_zone=schedule.time_zone,
        clock=schedule.clock,
        weekdays=list(schedule.weekdays),
        monthdays=schedule.monthdays,
        rule=schedule.rule,
        active="yes" if configuration.schedule and configuration.schedule.active else "",
    )


def list_differences(edited: Configuration, saved: Configuration) -> list[tuple[str, str, str]]:
    """Each field that differs: its name, the person's value and the saved one."""
    edited_fields, saved_fields = _describe_fields(edited), _describe_fields(saved)
    return [
        (name, edited_fields[name], saved_fields[name])
        for name in edited_fields
        if edited_fields[name] != saved_fields[name]
    ]


def _describe_fields(configuration: Configuration) -> dict[str, str]:
    return {
        gettext("Title"): configuration.title,
        gettext("Description"): configuration.description,
        gettext("Audience"): join_texts(AUDIENCES.get(name, name) for name in configuration.target_audience),
        gettext("Tone"): gettext(
            "professional %(professional)s, technical %(technical)s",
            professional=configuration.tone_professional,
            technical=configuration.tone_technical,
        ),
        gettext("Format"): FORMATS.get(configuration.format_type, configuration.format_type),
        gettext("Length"): LENGTHS[configuration.length_preference].title
        if configuration.length_preference in LENGTHS
        else configuration.length.title,
        gettext("Frequency"): FREQUENCIES.get(configuration.frequency, configuration.frequency),
        gettext("Schedule"): _describe_schedule(configuration.schedule),
        gettext("Geographic focus"): configuration.geographic_focus,
        gettext("Sources"): join_texts(SOURCE_KINDS.get(name, name) for name in configuration.source_kinds),
    }


def _describe_schedule(schedule: IssueSchedule | None) -> str:
    if schedule is None:
        return ""
    rule = f"{schedule.rule}, {schedule.time_zone}"
    return gettext("%(rule)s, prepares issues", rule=rule) if schedule.active else rule


def _parse_number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else NOT_A_NUMBER
