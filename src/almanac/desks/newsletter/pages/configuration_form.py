"""The form of step 1: what a browser sends, the edit it means, and what differs from what somebody else saved."""

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
from almanac.desks.newsletter.model.schedule import USUAL_RULES, Rhythm
from almanac.desks.newsletter.pages.rhythm_form import RhythmFields, fields_of, rhythm_from

OWN_TONE = "own"
NOT_A_NUMBER = -1


class ConfigurationForm(BaseModel):
    """The fields as they are sent; empty where the browser sent nothing."""

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
        """What the form wants. A preset stands for both tones; else the two sliders count."""
        preset = self.tone_preset if self.tone_preset != OWN_TONE else None
        return ConfigurationEdit(
            title=self.title,
            description=self.description,
            target_audience=tuple(self.target_audience),
            tone_preset=preset,
            tone_professional=None if preset else _number(self.tone_professional),
            tone_technical=None if preset else _number(self.tone_technical),
            format_type=self.format_type,
            length_preference=self.length_preference,
            frequency=self.frequency,
            geographic_focus=self.geographic_focus,
            source_kinds=tuple(self.source_kinds),
            schedule=self._schedule(before),
        )

    @property
    def rhythm(self) -> RhythmFields:
        return RhythmFields(self.time_zone, self.clock, tuple(self.weekdays), self.monthdays, self.rule)

    def _schedule(self, before: Configuration) -> Rhythm | None:
        """A schedule of one's own; the usual one where issues prepare themselves or the frequency is another.

        Days and hours that the form doesn't show, since a program set them, stay as they are.
        """
        active, was = bool(self.active), before.schedule
        if self.frequency == "custom":
            return rhythm_from(self.rhythm, active=active)
        if (was is None and not active) or self.frequency not in USUAL_RULES:
            return None
        rule = was.rule if was and self.frequency == before.frequency else USUAL_RULES[self.frequency]
        return Rhythm(rule, self.time_zone or (was.time_zone if was else "UTC"), active)


def form_of(configuration: Configuration, version: int, default_zone: str) -> ConfigurationForm:
    """The form that shows a configuration."""
    rhythm = fields_of(configuration.schedule, default_zone)
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
        time_zone=rhythm.time_zone,
        clock=rhythm.clock,
        weekdays=list(rhythm.weekdays),
        monthdays=rhythm.monthdays,
        rule=rhythm.rule,
        active="yes" if configuration.schedule and configuration.schedule.active else "",
    )


def differences(mine: Configuration, saved: Configuration) -> list[tuple[str, str, str]]:
    """Each field that differs: its name, one's own value and the saved one."""
    ours, theirs = _told(mine), _told(saved)
    return [(name, ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]]


def _told(configuration: Configuration) -> dict[str, str]:
    return {
        "Title": configuration.title,
        "Description": configuration.description,
        "Audience": ", ".join(AUDIENCES.get(name, name) for name in configuration.target_audience),
        "Tone": f"professional {configuration.tone_professional}, technical {configuration.tone_technical}",
        "Format": FORMATS.get(configuration.format_type, configuration.format_type),
        "Length": LENGTHS[configuration.length_preference].title
        if configuration.length_preference in LENGTHS
        else configuration.length.title,
        "Frequency": FREQUENCIES.get(configuration.frequency, configuration.frequency),
        "Schedule": f"{configuration.schedule.rule}, {configuration.schedule.time_zone}"
        + (", prepares issues" if configuration.schedule.active else "")
        if configuration.schedule
        else "",
        "Geographic focus": configuration.geographic_focus,
        "Sources": ", ".join(SOURCE_KINDS.get(name, name) for name in configuration.source_kinds),
    }


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else NOT_A_NUMBER
