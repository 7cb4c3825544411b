"""What a feed says, whatever its form: every value is brought into a form that all three writers can use as it is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from urllib.parse import quote, urljoin, urlsplit

import nh3

from almanac.kit.messages import gettext, translate
from almanac.kit.text import one_line

# XML 1.0 has no way to write these, not even as references; C1 controls are legal there but mean nothing to readers.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_URI = re.compile(r"(?:https?://|urn:|tag:)[^\s<>\"{}|\\^`]+", re.IGNORECASE)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedItem:
    """One entry. `id` never changes while the thing exists; `summary` is plain text, `html` any HTML.

    `event_day` is the day of what it tells about, where that isn't the day on which it was published.
    """

    id: str
    title: str
    link: str
    published: datetime
    updated: datetime | None = None
    summary: str = ""
    html: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str = ""
    event_day: date | None = None

    @property
    def changed(self) -> datetime:
        """When it last changed."""
        return self.updated or self.published

    @property
    def uri(self) -> str:
        """The id as a URI, which Atom asks for."""
        return (
            self.id
            if _URI.fullmatch(strip_unwritable(self.id))
            else f"urn:almanac:{quote(strip_unwritable(self.id), safe='')}"
        )

    @property
    def heading(self) -> str:
        """The title on one line; readers show nothing useful without one."""
        return one_line(strip_unwritable(self.title)) or translate(gettext("Untitled"), self.language)

    @property
    def text(self) -> str:
        return strip_unwritable(self.summary).strip()

    @property
    def event(self) -> str:
        """The day of what it tells about, or nothing."""
        return self.event_day.isoformat() if self.event_day else ""

    @property
    def safe_html(self) -> str:
        """The HTML without scripts, frames, styles and whatever else a reader's program should not run."""
        return nh3.clean(strip_unwritable(self.html)).strip()

    def address(self, base: str) -> str:
        """The link as an absolute address; one that leads nowhere on the web is the feed's own."""
        try:
            url = urljoin(base, strip_unwritable(self.link).strip())
            return url if urlsplit(url).scheme in ("http", "https") else base
        except ValueError:
            return base


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A list of entries with the page it stands for (`link`) and its own address (`self_link`), both absolute."""

    title: str
    link: str
    self_link: str
    items: tuple[FeedItem, ...] = ()
    description: str = ""
    author: str = "Almanac"
    language: str = ""

    @property
    def heading(self) -> str:
        return one_line(strip_unwritable(self.title)) or translate(gettext("Untitled"), self.language)

    @property
    def updated(self) -> datetime:
        """When anything in it last changed; the same content always gives the same moment."""
        return max((item.changed for item in self.items), default=EPOCH)


def parse_moment(text: str) -> datetime | None:
    """A moment as documents carry it; None where there is none."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def common_language(languages: Iterable[str]) -> str:
    """The language that all entries share; empty if there are several, or none."""
    distinct = {language for language in languages if language}
    return distinct.pop() if len(distinct) == 1 else ""


def strip_unwritable(text: str) -> str:
    """The text without characters that no feed can hold, and with line ends as parsers return them."""
    return _UNWRITABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def clean_names(values: tuple[str, ...]) -> list[str]:
    """Authors or categories, each on one line, without empty ones and repetitions."""
    return list(dict.fromkeys(filter(None, (one_line(strip_unwritable(value)) for value in values))))


def rfc3339(moment: datetime) -> str:
    """A moment as Atom and JSON Feed write it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
