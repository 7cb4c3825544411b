"""Step 1: the configuration of a newsletter, its limits, and the validation of every edit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from almanac.desks.newsletter.model.schedule import IssueSchedule, adapt_schedule, check_schedule
from almanac.errors import FieldErrors, InputError
from almanac.kit.messages import gettext
from almanac.kit.text import one_line

MAX_TITLE_LENGTH, MAX_DESCRIPTION_LENGTH, MAX_FOCUS_LENGTH = 200, 2000, 200

AUDIENCES: Mapping[str, str] = {
    "myself": gettext("Myself"),
    "researchers": gettext("Researchers"),
    "development_partners": gettext("Development partners"),
    "policy_makers": gettext("Policy makers"),
    "ag_tech_industry": gettext("Agricultural technology industry"),
    "field_staff": gettext("Field staff"),
    "farmers": gettext("Farmers"),
}
# The same inside a sentence. Who "myself" is depends on who speaks.
AUDIENCE_NOUNS: Mapping[str, str] = {
    "researchers": gettext("researchers"),
    "development_partners": gettext("development partners"),
    "policy_makers": gettext("policy makers"),
    "ag_tech_industry": gettext("agricultural technology industry"),
    "field_staff": gettext("field staff"),
    "farmers": gettext("farmers"),
}
FORMATS: Mapping[str, str] = {"email": gettext("E-mail"), "pdf": "PDF", "web": gettext("Web page"), "html": "HTML"}
FREQUENCIES: Mapping[str, str] = {
    "daily": gettext("Daily"),
    "weekly": gettext("Weekly"),
    "monthly": gettext("Monthly"),
    "quarterly": gettext("Quarterly"),
    "custom": gettext("Custom"),
}

# The desks that can be sources of an issue.
SOURCE_KINDS: Mapping[str, str] = {
    "knowledge": gettext("Knowledge base"),
    "news": gettext("News"),
    "recap": gettext("Parliament"),
}
# Values that other programs store; they are kept as stored and treated as these lengths.
LENGTH_ALIASES: Mapping[str, str] = {"short": "quick_read", "mixed": "standard", "long": "deep_dive"}


@dataclass(frozen=True, slots=True)
class LengthPreset:
    """The word range of an issue, and its share of the usual number of chunks."""

    title: str
    fewest: int
    most: int
    share: float


LENGTHS: Mapping[str, LengthPreset] = {
    "quick_read": LengthPreset(gettext("Quick read"), 400, 600, 0.6),
    "standard": LengthPreset(gettext("Standard"), 1000, 1500, 1.0),
    "deep_dive": LengthPreset(gettext("Deep dive"), 2500, 3500, 1.5),
}


@dataclass(frozen=True, slots=True)
class Tone:
    """How an issue sounds, each from 0 to 100: casual to professional, plain to technical."""

    professional: int
    technical: int


TONE_PRESETS: Mapping[str, Tone] = {
    "expert_analysis": Tone(90, 85),
    "industry_insight": Tone(70, 50),
    "friendly_summary": Tone(30, 15),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Everything that step 1 decides. Values that other programs stored are kept even if an edit would reject them."""

    title: str
    description: str = ""
    target_audience: tuple[str, ...] = ("myself",)
    tone_professional: int = 50
    tone_technical: int = 50
    format_type: str = "email"
    length_preference: str = "standard"
    frequency: str = "weekly"
    geographic_focus: str = ""
    source_kinds: tuple[str, ...] = tuple(SOURCE_KINDS)
    schedule: IssueSchedule | None = None

    @property
    def takes_everything(self) -> bool:
        """Whether every desk is a source."""
        return set(self.source_kinds) == set(SOURCE_KINDS)

    @property
    def length(self) -> LengthPreset:
        """The length preset, also by its alias; an unknown one counts as standard."""
        name = LENGTH_ALIASES.get(self.length_preference, self.length_preference)
        return LENGTHS.get(name, LENGTHS["standard"])

    @property
    def tone(self) -> Tone:
        return Tone(self.tone_professional, self.tone_technical)

    @property
    def preset(self) -> str | None:
        """The name of the preset with this tone, or None."""
        return next((name for name, tone in TONE_PRESETS.items() if tone == self.tone), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationEdit:
    """The fields to change; None keeps a field. A preset sets both tones."""

    title: str | None = None
    description: str | None = None
    target_audience: tuple[str, ...] | None = None
    tone_professional: int | None = None
    tone_technical: int | None = None
    tone_preset: str | None = None
    format_type: str | None = None
    length_preference: str | None = None
    frequency: str | None = None
    geographic_focus: str | None = None
    source_kinds: tuple[str, ...] | None = None
    schedule: IssueSchedule | None = None

    def given(self) -> dict[str, object]:
        """The fields to change, with a preset replaced by its tones."""
        names = [name for name in self.__slots__ if name != "tone_preset"]
        fields = {name: value for name in names if (value := getattr(self, name)) is not None}
        tone = TONE_PRESETS.get(self.tone_preset or "")
        if tone is not None:
            fields = {"tone_professional": tone.professional, "tone_technical": tone.technical, **fields}
        return fields


def apply_configuration_edit(configuration: Configuration, edit: ConfigurationEdit) -> Configuration:
    """The edited configuration. Raises FieldErrors with a sentence for each invalid field."""
    errors: dict[str, str] = {}
    if edit.tone_preset is not None and edit.tone_preset not in TONE_PRESETS:
        errors["tone_preset"] = _choices_sentence(TONE_PRESETS)
    changed: dict[str, object] = {}
    for name, value in edit.given().items():
        try:
            changed[name] = _CHECKS[name](value)
        except InputError as error:
            errors[name] = error.sentence
    if not errors:
        before = configuration
        configuration = replace(configuration, **changed)  # type: ignore[arg-type]  # each check returns its field's type
        if "schedule" not in changed and configuration.frequency != before.frequency:
            configuration = replace(
                configuration, schedule=adapt_schedule(configuration.schedule, configuration.frequency)
            )
        if configuration.frequency == "custom" and configuration.schedule is None:
            errors["schedule"] = gettext("A custom frequency needs a schedule: enter a rule and a time zone.")
    if errors:
        raise FieldErrors(errors)
    return configuration


def new_configuration(edit: ConfigurationEdit) -> Configuration:
    """A new configuration; only the title has no default."""
    if edit.title is None:
        raise FieldErrors({"title": gettext("Enter a title.")})
    return apply_configuration_edit(Configuration(title="-"), edit)


def _choices_sentence(choices: Mapping[str, object]) -> str:
    return gettext("Choose one of %(choices)s.", choices=", ".join(choices))


def _check_title(value: object) -> str:
    title = one_line(str(value))
    if not title:
        raise InputError(gettext("Enter a title."))
    return _check_length(title, MAX_TITLE_LENGTH)


def _check_length(text: str, limit: int) -> str:
    if len(text) > limit:
        raise InputError(
            gettext(
                "Shorten it to %(limit)s characters; it has %(number)s.", limit=f"{limit:,}", number=f"{len(text):,}"
            )
        )
    return text


def _check_description(value: object) -> str:
    return _check_length(str(value).strip(), MAX_DESCRIPTION_LENGTH)


def _check_focus(value: object) -> str:
    return _check_length(one_line(str(value)), MAX_FOCUS_LENGTH)


def _check_audiences(value: object) -> tuple[str, ...]:
    chosen, unknown = _split_choices(value, AUDIENCES)
    if not chosen:
        raise InputError(gettext("Choose at least one audience."))
    if unknown:
        choices = ", ".join(AUDIENCES)
        raise InputError(
            gettext("There is no audience %(name)s; choose from %(choices)s.", name=unknown[0], choices=choices)
        )
    return chosen


def _check_sources(value: object) -> tuple[str, ...]:
    chosen, unknown = _split_choices(value, SOURCE_KINDS)
    if not chosen:
        raise InputError(gettext("Choose at least one source."))
    if unknown:
        choices = ", ".join(SOURCE_KINDS)
        raise InputError(
            gettext("There is no source %(name)s; choose from %(choices)s.", name=unknown[0], choices=choices)
        )
    return chosen


def _split_choices(value: object, choices: Mapping[str, object]) -> tuple[tuple[str, ...], list[str]]:
    """What was chosen, each once, and what of it isn't a choice."""
    chosen = tuple(dict.fromkeys(value)) if isinstance(value, tuple) else ()
    return chosen, [name for name in chosen if name not in choices]


def _check_tone(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 100:
        raise InputError(gettext("Choose a whole number from 0 to 100."))
    return value


def _check_choice(choices: Mapping[str, object]) -> Callable[[object], str]:
    def check(value: object) -> str:
        if value not in choices:
            raise InputError(_choices_sentence(choices))
        return str(value)

    return check


def _check_schedule(value: object) -> IssueSchedule:
    if not isinstance(value, IssueSchedule):
        raise InputError(gettext("Enter a rule and a time zone."))
    check_schedule(value)
    return value


_CHECKS: Mapping[str, Callable[[object], object]] = {
    "title": _check_title,
    "description": _check_description,
    "target_audience": _check_audiences,
    "tone_professional": _check_tone,
    "tone_technical": _check_tone,
    "format_type": _check_choice(FORMATS),
    "length_preference": _check_choice({**LENGTHS, **LENGTH_ALIASES}),
    "frequency": _check_choice(FREQUENCIES),
    "geographic_focus": _check_focus,
    "source_kinds": _check_sources,
    "schedule": _check_schedule,
}
