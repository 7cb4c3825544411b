"""What readers filter articles by: pure values, read from query strings and written back to them.

Several values of one facet mean any of them; several facets must all hold. What matches is found by `searching`.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast, get_args

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext

Facet = Literal["category", "person", "keyword", "session", "house", "meeting", "imagekind", "issue", "bill", "speaker"]
FACETS: tuple[Facet, ...] = get_args(Facet)
"""`issue`, `bill` and `speaker` are keys: of a record, of a bill in every meeting, of one person among namesakes."""
ArticleOrder = Literal["newest", "oldest", "relevance"]
"""Without words nothing is more relevant than anything else, and the newest come first."""
MOST_VALUES = 20
LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFilter:
    """A combination of filters. Days are those of the meeting, both included."""

    category: tuple[str, ...] = ()
    person: tuple[str, ...] = ()
    keyword: tuple[str, ...] = ()
    session: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    meeting: tuple[str, ...] = ()
    imagekind: tuple[str, ...] = ()
    issue: tuple[str, ...] = ()
    bill: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    text: str = ""
    since: date | None = None
    until: date | None = None
    order: ArticleOrder = "newest"

    @property
    def chosen(self) -> dict[Facet, tuple[str, ...]]:
        """The facets that are filtered by, with their values."""
        return {facet: values for facet in FACETS if (values := getattr(self, facet))}

    @property
    def is_plain(self) -> bool:
        """Whether it has no facets and no words."""
        return not self.chosen and not self.text

    def parameters(self) -> list[tuple[str, str]]:
        """The filter as it stands in an address; `filter_from` reads it back."""
        pairs: list[tuple[str, str]] = [(facet, value) for facet, values in self.chosen.items() for value in values]
        pairs += [("q", self.text)] if self.text else []
        pairs += [(name, day.isoformat()) for name, day in (("from", self.since), ("until", self.until)) if day]
        return pairs + ([("order", self.order)] if self.order != "newest" else [])


def parse_filter(parameters: Mapping[str, Sequence[str]]) -> ArticleFilter:
    """Parse a filter from the parameters of a URL; unknown parameters are ignored. FieldErrors on invalid values."""
    chosen = {facet: parse_values(facet, parameters.get(facet, ())) for facet in FACETS}
    order = last_value(parameters, "order") or "newest"
    if order not in get_args(ArticleOrder):
        raise FieldErrors({"order": gettext("Articles come newest, oldest or most relevant first.")})
    wanted = ArticleFilter(
        **chosen,
        text=last_value(parameters, "q"),
        since=parse_day(parameters, "from"),
        until=parse_day(parameters, "until"),
        order=cast("ArticleOrder", order),
    )
    if wanted.since and wanted.until and wanted.since > wanted.until:
        raise FieldErrors({"until": gettext("The last day is before the first; swap them.")})
    return wanted


def fold_value(value: str) -> str:
    """A value normalized in case, width and spaces, for comparison; table keys keep the original spelling.

    NUL characters are removed, since PostgreSQL refuses them.
    """
    return " ".join(unicodedata.normalize("NFKC", value.replace("\0", "")).casefold().split())


def parse_values(facet: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The distinct values of a facet. FieldErrors where they are too many or too long."""
    values = tuple(dict.fromkeys(clean for value in texts if (clean := value.strip())))
    if len(values) > MOST_VALUES or any(len(value) > LONGEST_VALUE or "\0" in value for value in values):
        raise FieldErrors(
            {
                facet: gettext(
                    "Choose at most %(values)s values of %(limit)s characters.",
                    values=MOST_VALUES,
                    limit=LONGEST_VALUE,
                )
            }
        )
    return values


def last_value(parameters: Mapping[str, Sequence[str]], name: str) -> str:
    """The last value of a parameter that isn't blank."""
    values = [value for value in parameters.get(name, ()) if value.strip()]
    return values[-1].strip() if values else ""


def parse_day(parameters: Mapping[str, Sequence[str]], name: str) -> date | None:
    """A parameter as a day. FieldErrors where it isn't one."""
    text = last_value(parameters, name)
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise FieldErrors({name: gettext("Write a day as 2026-01-31.")}) from error
