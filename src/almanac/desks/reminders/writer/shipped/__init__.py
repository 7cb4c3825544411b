"""The templates that come with Almanac: one for each level and language, each a file with subject, a line, and body."""

from importlib.resources import files

from almanac.desks.reminders.writer.templating import TemplateText

LANGUAGES = ("en", "ms", "zh")
LEVELS = ("first", "second", "final")
_PREFIX = "reminder_"
_FIRST_LANGUAGE = LANGUAGES[0]


def template_id(level: str, language: str = _FIRST_LANGUAGE) -> str:
    """The id under which a level's template is found; English ones have the documented ids without a language."""
    return f"{_PREFIX}{level}" if language == _FIRST_LANGUAGE else f"{_PREFIX}{level}_{language}"


SHIPPED: dict[str, tuple[str, str]] = {
    template_id(level, language): (level, language) for language in LANGUAGES for level in LEVELS
}


def shipped_text(of: str) -> TemplateText | None:
    """The text that comes with Almanac for this template; None where there is none."""
    if of not in SHIPPED:
        return None
    level, language = SHIPPED[of]
    text = files(__package__).joinpath(language, f"{level}.txt").read_text(encoding="utf-8")
    subject, _, body = text.partition("\n\n")
    return TemplateText(subject.strip(), body.strip() + "\n")
