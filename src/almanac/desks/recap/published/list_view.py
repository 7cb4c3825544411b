"""The list of articles as its templates show it: filters in words, each with the list without it."""

from dataclasses import replace
from typing import Any

from starlette.datastructures import QueryParams

from almanac.desks.recap.model.filters import ArticleFilter, Facet, fold_value
from almanac.desks.recap.model.record_names import category_name, format_day, house_name
from almanac.desks.recap.published.labels import FIELDS
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import FieldErrors, InputError
from almanac.kit.messages import gettext, join_texts


def explain_error(error: InputError) -> str:
    """What is wrong with a filter."""
    fields = error.fields if isinstance(error, FieldErrors) else {}
    return join_texts(fields.values(), " ") if fields else error.sentence


def query_values(parameters: QueryParams) -> dict[str, list[str]]:
    """Every value of every parameter of an address."""
    return {name: parameters.getlist(name) for name in parameters}


def filter_chips(wanted: ArticleFilter, to: RecapUrls) -> list[tuple[str, str]]:
    """The filters in force, each with the list's address without it."""
    chips = [
        (
            describe_filter(FIELDS[field_word(facet)], shown_value(facet, value)),
            without_value(wanted, facet, value),
        )
        for facet, values in wanted.chosen.items()
        for value in values
    ]
    if wanted.text:
        chips.append((describe_filter(FIELDS["q"], wanted.text), replace(wanted, text="")))
    if wanted.since:
        chips.append((describe_filter(FIELDS["since"], format_day(wanted.since)), replace(wanted, since=None)))
    if wanted.until:
        chips.append((describe_filter(FIELDS["until"], format_day(wanted.until)), replace(wanted, until=None)))
    return [(words, to.matching(rest)) for words, rest in chips]


def describe_filter(name: str, value: str) -> str:
    """A filter in force, in words."""
    return gettext("%(name)s: %(value)s", name=name, value=value)


def without_value(wanted: ArticleFilter, facet: Facet, value: str) -> ArticleFilter:
    """The filter without one value, in whatever case and width it stands there."""
    kept = (other for other in wanted.chosen.get(facet, ()) if fold_value(other) != fold_value(value))
    return with_values(wanted, facet, tuple(kept))


def with_values(wanted: ArticleFilter, facet: Facet, values: tuple[str, ...]) -> ArticleFilter:
    """The filter with other values of one facet."""
    change: dict[str, Any] = {facet: values}
    return replace(wanted, **change)


def shown_value(facet: str, value: str) -> str:
    """A value of a facet in the reader's words."""
    if facet == "session":
        return gettext("Session %(number)s", number=value)
    if facet == "category":
        return category_name(value)
    return house_name(value) if facet == "house" else value


def field_word(facet: str) -> str:
    """What a facet is called in the words of the desk."""
    return "person" if facet == "speaker" else facet
