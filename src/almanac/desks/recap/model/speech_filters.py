"""What readers filter speeches by, read from query strings and written back to them.

Several values of one facet mean any of them; several facets must all hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast, get_args

from almanac.desks.recap.model.filters import ArticleFilter, last_value, parse_day, parse_values
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext

SpeechFacet = Literal["person", "speaker", "group", "reaction", "bill", "house", "meeting", "session"]
SPEECH_FACETS: tuple[SpeechFacet, ...] = get_args(SpeechFacet)
"""`bill` and `speaker` are keys: of a bill in every meeting, of one person among namesakes."""
SpeechOrder = Literal["newest", "oldest", "relevance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechFilter:
    """A combination of filters. Days are those of the meeting, both included."""

    person: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    reaction: tuple[str, ...] = ()
    bill: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    meeting: tuple[str, ...] = ()
    session: tuple[str, ...] = ()
    text: str = ""
    since: date | None = None
    until: date | None = None
    order: SpeechOrder = "newest"

    @property
    def chosen(self) -> dict[SpeechFacet, tuple[str, ...]]:
        """The facets that are filtered by, with their values."""
        return {facet: values for facet in SPEECH_FACETS if (values := getattr(self, facet))}

    def parameters(self) -> list[tuple[str, str]]:
        """The filter as it stands in an address; `parse_speech_filter` reads it back."""
        pairs: list[tuple[str, str]] = [(facet, value) for facet, values in self.chosen.items() for value in values]
        pairs += [("q", self.text)] if self.text else []
        pairs += [(name, day.isoformat()) for name, day in (("from", self.since), ("until", self.until)) if day]
        return pairs + ([("order", self.order)] if self.order != "newest" else [])


def parse_speech_filter(parameters: Mapping[str, Sequence[str]]) -> SpeechFilter:
    """Parse a filter from the parameters of a URL; unknown ones are ignored. FieldErrors on invalid values."""
    order = last_value(parameters, "order") or "newest"
    if order not in get_args(SpeechOrder):
        raise FieldErrors({"order": gettext("Speeches come newest, oldest or most relevant first.")})
    wanted = SpeechFilter(
        **{facet: parse_values(facet, parameters.get(facet, ())) for facet in SPEECH_FACETS},
        text=last_value(parameters, "q"),
        since=parse_day(parameters, "from"),
        until=parse_day(parameters, "until"),
        order=cast("SpeechOrder", order),
    )
    if wanted.since and wanted.until and wanted.since > wanted.until:
        raise FieldErrors({"until": gettext("The last day is before the first; swap them.")})
    return wanted


def meetings_of(wanted: SpeechFilter) -> ArticleFilter:
    """The meetings with such speeches, by what meetings are filtered by as well."""
    return ArticleFilter(
        person=wanted.person,
        speaker=wanted.speaker,
        bill=wanted.bill,
        house=wanted.house,
        meeting=wanted.meeting,
        session=wanted.session,
        text=wanted.text,
        since=wanted.since,
        until=wanted.until,
    )
