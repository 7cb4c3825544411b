"""The demo knowledge base: Markdown files whose dates are relative to the day of loading.

In a text, `{date}` is the document's own date, `{date+10}` ten days later, `{date:zh}` the date in Chinese.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files

_FILE = re.compile(r"\A---\n(?P<front>.*?)\n---\n+(?P<body>.*)\Z", re.DOTALL)
_FIELD = re.compile(r"^(?P<name>[a-z]+): (?P<value>.+)$", re.MULTILINE)
_DATE = re.compile(r"\{date(?P<days>[+-]\d+)?(?::(?P<language>[a-z]+))?\}")
_ENGLISH = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MALAY = (
    "Januari",
    "Februari",
    "Mac",
    "April",
    "Mei",
    "Jun",
    "Julai",
    "Ogos",
    "September",
    "Oktober",
    "November",
    "Disember",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoDocument:
    """One document: its publisher and address, its age in days at loading, and the topic types it mentions."""

    name: str
    title: str
    source: str
    url: str
    age: int
    topics: tuple[str, ...]
    language: str
    body: str

    def published(self, day: date) -> date:
        """The publication date, if the demo is loaded on this day."""
        return day - timedelta(days=self.age)

    def text(self, day: date) -> str:
        """The text with its dates filled in."""
        return _DATE.sub(lambda match: _format_date(self.published(day), match["days"], match["language"]), self.body)


def load_documents() -> list[DemoDocument]:
    """Every document, sorted by name."""
    return sorted(_read_documents(), key=lambda document: document.name)


def _read_documents() -> Iterator[DemoDocument]:
    for file in (files(__package__) / "documents").iterdir():
        name, dot, ending = file.name.partition(".")
        if dot + ending == ".md":
            yield parse_document(name, file.read_text("utf-8"))


def parse_document(name: str, text: str) -> DemoDocument:
    """Parse a document file. Raises ValueError if the front matter is missing or incomplete."""
    match = _FILE.match(text)
    if match is None:
        raise ValueError(f"{name} has no front matter between two lines of three hyphens.")
    fields = {field["name"]: field["value"].strip() for field in _FIELD.finditer(match["front"])}
    try:
        return DemoDocument(
            name=name,
            title=fields["title"],
            source=fields["source"],
            url=fields["url"],
            age=int(fields["age"]),
            topics=tuple(topic.strip() for topic in fields["topics"].split(",")),
            language=fields["language"],
            body=match["body"].strip(),
        )
    except KeyError as error:
        raise ValueError(f"{name} has no {error.args[0]}.") from error


def _format_date(day: date, days: str | None, language: str | None) -> str:
    return _FORMS[language or "en"](day + timedelta(days=int(days or 0)))


def _format_english(day: date) -> str:
    return f"{day.day} {_ENGLISH[day.month - 1]} {day.year}"


def _format_malay(day: date) -> str:
    return f"{day.day} {_MALAY[day.month - 1]} {day.year}"


def _format_characters(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


_FORMS: Mapping[str, Callable[[date], str]] = {
    "en": _format_english,
    "ms": _format_malay,
    "zh": _format_characters,
    "ja": _format_characters,
}
