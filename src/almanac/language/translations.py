"""The words that Almanac adds to a document or a page, by language: phrases from files, and dates.

What is added to a document follows the document's language, whoever exports it and in whatever language they read.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from zoneinfo import ZoneInfo

DOCUMENT_LANGUAGES = ("en", "ja", "zh", "ms")
_DEFAULT = DOCUMENT_LANGUAGES[0]
# Detection takes some Malay texts for Indonesian, and readers of either understand both.
_NEAREST = {"id": "ms"}
_DAYS_JA = "月火水木金土日"

Phrase = str | list[str]


@dataclass(frozen=True, slots=True)
class Translator:
    """The texts of one language. In a template, `t("key", name=value)` is a phrase with its placeholders filled."""

    language: str
    phrases: Mapping[str, Phrase]

    def __call__(self, key: str, **values: object) -> str:
        phrase = self.phrases[key]
        if isinstance(phrase, list):
            phrase = phrase[0] if values["count"] == 1 else phrase[1]
        return phrase.format(**values)

    def has(self, key: str) -> bool:
        return key in self.phrases

    def day(self, day: date) -> str:
        """`Tue, 1 April 2025`, or the same as it is written in Japanese."""
        if self.language == "ja":
            return f"{day.year}年{day.month}月{day.day}日（{_DAYS_JA[day.weekday()]}）"
        return f"{day:%a}, {day.day} {day:%B %Y}"

    def moment(self, moment: datetime, zone: str) -> str:
        """A day with the local time of a zone."""
        local = moment.astimezone(ZoneInfo(zone))
        return f"{self.day(local.date())} {local:%H:%M}"


def load_phrases(folder: Traversable, languages: Sequence[str]) -> dict[str, Mapping[str, Phrase]]:
    """The phrases of `<language>.toml` for each language."""
    return {name: tomllib.loads((folder / f"{name}.toml").read_text("utf-8")) for name in languages}


def document_translator(package: str, language: str) -> Translator:
    """The words that a package adds to documents in a language tag such as `zh-Hans`; English if it lacks the language.

    They are in the package's folder `locales`.
    """
    translators, base = _load_translators(package), base_language(language)
    return translators.get(_NEAREST.get(base, base), translators[_DEFAULT])


@cache
def _load_translators(package: str) -> Mapping[str, Translator]:
    folder = files(package) / "locales"
    languages = [name for name in DOCUMENT_LANGUAGES if (folder / f"{name}.toml").is_file()]
    return {name: Translator(name, phrases) for name, phrases in load_phrases(folder, languages).items()}


def common_translator(language: str) -> Translator:
    """The words that documents of every desk share."""
    return document_translator(__package__, language)


def format_long_date(day: date, language: str) -> str:
    """Such as `26 January 2026`, `26 Januari 2026`, `2026年1月26日`; in English for a language without phrases."""
    words = common_translator(language)
    month = words("months").split()[day.month - 1]
    return words("long_date", year=day.year, month=month, day=day.day)


def base_language(language: str) -> str:
    """`zh` for `zh-Hans`."""
    return language.partition("-")[0].lower()
