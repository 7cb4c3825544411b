"""Saved queries and alerts: entities, inputs and validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from almanac.errors import FieldErrors, InputError
from almanac.jobs.cron import check_cron
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.search import SearchIndex, SearchOrder

Frequency = Literal["hourly", "daily", "weekly"]
FREQUENCIES: tuple[Frequency, ...] = get_args(Frequency)
ORDERS: tuple[SearchOrder, ...] = get_args(SearchOrder)
NAME_CHARACTERS, QUERY_CHARACTERS = 120, 1000
MAX_FILTERS, MAX_VALUES, VALUE_CHARACTERS = 20, 50, 200
_CRON: Mapping[Frequency, str] = {"hourly": "0 * * * *", "daily": "0 {hour} * * *", "weekly": "0 {hour} * * 1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQueryInput:
    """A search to save: the fields of the search page, and a name."""

    name: str
    query: str = ""
    kinds: Sequence[str] = ()
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sort: SearchOrder = "relevance"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSettings:
    """When an alert runs: hourly, daily at an hour, or weekly on Monday at an hour, in a time zone."""

    frequency: Frequency
    hour: int = 8
    time_zone: str = "UTC"

    def __post_init__(self) -> None:
        if self.frequency not in FREQUENCIES:
            raise FieldErrors({"frequency": gettext("Choose hourly, daily or weekly.")})
        if not 0 <= self.hour <= 23:
            raise FieldErrors({"hour": gettext("Choose an hour from 0 to 23.")})
        try:
            check_cron(self.cron, self.time_zone)
        except InputError as error:
            raise FieldErrors({"time_zone": error.sentence}) from error

    @property
    def cron(self) -> str:
        """The cron expression, in the alert's time zone."""
        return _CRON[self.frequency].format(hour=self.hour)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """The alert of a saved query. A stopped alert keeps the reason."""

    wish: AlertSettings
    next_due_at: datetime
    looked_back_to: datetime | None = None
    last_run_at: datetime | None = None
    last_sent_at: datetime | None = None
    stopped_at: datetime | None = None
    stopped_why: str | None = None

    @property
    def is_on(self) -> bool:
        return self.stopped_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQuery:
    """A saved search. `version` rises with each edit; `feed_generation` is set while it has a feed.

    `public_name` is its name in addresses while anyone may read it.
    """

    id: str
    owner_id: str
    name: str
    query: str
    kinds: tuple[str, ...]
    filters: Mapping[str, tuple[str, ...]]
    sort: SearchOrder
    version: int
    feed_generation: int | None
    created_at: datetime
    updated_at: datetime
    public_name: str | None = None
    public_since: datetime | None = None
    alert: Alert | None = None

    @property
    def topic(self) -> str:
        """The topic of its mails, from which a reader can unsubscribe."""
        return alert_topic(self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchQuote:
    """Words of a document that a saved query found, with who said them and the page of those words."""

    speaker: str
    words: str
    path: str
    language: str


def change_query(
    saved: SavedQuery,
    *,
    name: str | None = None,
    query: str | None = None,
    kinds: Sequence[str] | None = None,
    filters: Mapping[str, Sequence[str]] | None = None,
    sort: SearchOrder | None = None,
) -> SavedQueryInput:
    """The input for an edit: the saved query with some fields changed; None keeps a field."""
    return SavedQueryInput(
        name=saved.name if name is None else name,
        query=saved.query if query is None else query,
        kinds=saved.kinds if kinds is None else kinds,
        filters=saved.filters if filters is None else filters,
        sort=saved.sort if sort is None else sort,
    )


def alert_topic(saved_id: str) -> str:
    """The mail topic of a saved query's alert."""
    return f"alert:{saved_id}"


def parse_alert_topic(topic: str) -> str | None:
    """The saved query's id in an alert topic; None for other topics."""
    kind, _, saved_id = topic.partition(":")
    return saved_id if kind == "alert" and saved_id else None


def clean_query(wish: SavedQueryInput, index: SearchIndex) -> SavedQueryInput:
    """The validated input; raises FieldErrors for fields that search doesn't accept."""
    errors: dict[str, str] = {}
    name = one_line(wish.name)
    if not 0 < len(name) <= NAME_CHARACTERS:
        errors["name"] = gettext("Use a name of 1 to %(name_characters)s characters.", name_characters=NAME_CHARACTERS)
    if problem := _query_problem(wish.query, index):
        errors["query"] = problem
    if unknown := sorted(set(wish.kinds) - set(index.kinds)):
        errors["kinds"] = gettext("%(unknown)s isn't a kind of document.", unknown=one_line(unknown[0]))
    if problem := _filter_problem(wish.filters):
        errors["filters"] = problem
    if wish.sort not in ORDERS:
        errors["sort"] = gettext("Choose one of %(orders)s.", orders=", ".join(ORDERS))
    if errors:
        raise FieldErrors(errors)
    filters = {name: sorted(set(values)) for name, values in sorted(wish.filters.items()) if values}
    return SavedQueryInput(
        name=name, query=wish.query.strip(), kinds=sorted(set(wish.kinds)), filters=filters, sort=wish.sort
    )


def _query_problem(query: str, index: SearchIndex) -> str:
    if len(query) > QUERY_CHARACTERS:
        return gettext("Keep the query within %(query_characters)s characters.", query_characters=QUERY_CHARACTERS)
    try:
        index.parse(query)
    except InputError as error:
        return error.sentence
    return ""


def _filter_problem(filters: Mapping[str, Sequence[str]]) -> str:
    if len(filters) > MAX_FILTERS or any(len(values) > MAX_VALUES for values in filters.values()):
        return gettext(
            "Choose at most %(max_filters)s filters with %(max_values)s values each.",
            max_filters=MAX_FILTERS,
            max_values=MAX_VALUES,
        )
    texts = [text for name, values in filters.items() for text in (name, *values)]
    if any(not text or len(text) > VALUE_CHARACTERS or "\0" in text for text in texts):
        return gettext(
            "Filters and their values have 1 to %(value_characters)s characters.", value_characters=VALUE_CHARACTERS
        )
    return ""
