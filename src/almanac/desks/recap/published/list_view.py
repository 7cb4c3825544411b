"""The list of articles as its templates show it: filters in words, each with the list without it."""

from dataclasses import replace
from typing import Any

from starlette.datastructures import QueryParams

from almanac.desks.recap.model.filters import ArticleFilter, Facet, fold_value
from almanac.desks.recap.published.record_names import HouseName
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import FieldErrors, InputError
from almanac.language.translations import Translator

_PROBLEMS = {"from": "problem_day", "until": "problem_day", "order": "problem_order"}


def explain_error(error: InputError, wording: Translator) -> str:
    """What is wrong with a filter, in the reader's language; only English tells every detail."""
    fields = error.fields if isinstance(error, FieldErrors) else {}
    if wording.language == "en":
        return " ".join(fields.values()) or error.sentence
    keys = dict.fromkeys(_PROBLEMS.get(name, "problem_values") for name in fields) or {"problem_query": None}
    return " ".join(wording(key) for key in keys)


def query_values(parameters: QueryParams) -> dict[str, list[str]]:
    """Every value of every parameter of an address."""
    return {name: parameters.getlist(name) for name in parameters}


def filter_chips(wanted: ArticleFilter, wording: Translator, to: RecapUrls) -> list[tuple[str, str]]:
    """The filters in force, each with the list's address without it."""
    name = HouseName(wording)
    chips = [
        (
            f"{wording(f'field_{field_word(facet)}')}: {shown_value(facet, value, wording, name)}",
            without_value(wanted, facet, value),
        )
        for facet, values in wanted.chosen.items()
        for value in values
    ]
    if wanted.text:
        chips.append((f"{wording('field_q')}: {wanted.text}", replace(wanted, text="")))
    if wanted.since:
        chips.append((f"{wording('field_since')}: {wording.day(wanted.since)}", replace(wanted, since=None)))
    if wanted.until:
        chips.append((f"{wording('field_until')}: {wording.day(wanted.until)}", replace(wanted, until=None)))
    return [(words, to.matching(rest)) for words, rest in chips]


def without_value(wanted: ArticleFilter, facet: Facet, value: str) -> ArticleFilter:
    """The filter without one value, in whatever case and width it stands there."""
    kept = (other for other in wanted.chosen.get(facet, ()) if fold_value(other) != fold_value(value))
    return with_values(wanted, facet, tuple(kept))


def with_values(wanted: ArticleFilter, facet: Facet, values: tuple[str, ...]) -> ArticleFilter:
    """The filter with other values of one facet."""
    change: dict[str, Any] = {facet: values}
    return replace(wanted, **change)


def shown_value(facet: str, value: str, wording: Translator, name: HouseName) -> str:
    """A value of a facet in the reader's words."""
    if facet == "session":
        return wording("session_number", number=value)
    return name(value) if facet == "house" else value


def field_word(facet: str) -> str:
    """What a facet is called in the words of the desk."""
    return "person" if facet == "speaker" else facet
