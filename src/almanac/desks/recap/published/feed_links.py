"""Feeds of meetings that match a filter: where each is, and what it is called."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.published.list_view import shown_value
from almanac.kit.messages import gettext, pgettext, translate

FEED = "/recap/feed.atom"


@dataclass(frozen=True, slots=True)
class MeetingFeed:
    """The feed of the meetings that match a filter; `titles` are those of the bills in it."""

    wanted: ArticleFilter = field(default_factory=ArticleFilter)
    titles: Mapping[str, str] = field(default_factory=dict)

    def path(self, form: str = "atom") -> str:
        """Its path below the language."""
        query = urlencode(replace(self.wanted, order="newest").parameters())
        return f"/recap/feed.{form}" + (f"?{query}" if query else "")

    def title(self, language: str) -> str:
        """What it is called: Parliament, and what its meetings have in common."""
        comma = translate(pgettext("between the items of a list", ", "), language)
        names = [self._name(facet, value) for facet, values in self.wanted.chosen.items() for value in values]
        chosen = comma.join(translate(name, language) for name in names)
        days = [day.isoformat() if day else "" for day in (self.wanted.since, self.wanted.until)]
        parts = (translate(gettext("Parliament"), language), chosen, self.wanted.text, "–".join(days).strip("–"))
        return " · ".join(filter(None, parts))

    def _name(self, facet: str, value: str) -> str:
        if facet == "speaker":
            return value.partition(":")[0]
        return self.titles.get(value, value) if facet == "bill" else shown_value(facet, value)
