"""Lists of speeches as their templates show them, in the workspace and on the public side alike."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from almanac.desks.recap.model.filters import fold_value
from almanac.desks.recap.model.follows import follow_of
from almanac.desks.recap.model.record_names import format_day
from almanac.desks.recap.model.speech_filters import SpeechFacet, SpeechFilter, meetings_of, parse_speech_filter
from almanac.desks.recap.model.speech_views import SpeechFacetValue, SpeechPage
from almanac.desks.recap.published.article_view import TONES
from almanac.desks.recap.published.bill_view import get_bill_title
from almanac.desks.recap.published.labels import FIELDS, REACTIONS
from almanac.desks.recap.published.list_view import describe_filter, explain_error, field_word, shown_value
from almanac.desks.recap.service import speeches
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import InputError

COUNTED: tuple[SpeechFacet, ...] = ("person", "group", "reaction", "house", "meeting", "session")
_SHOWN = {"person": 10, "meeting": 8, "group": 8, "reaction": 10}


async def load_speeches(
    services: RecapReads, parameters: Mapping[str, Sequence[str]], cursor: str | None, to: RecapUrls
) -> dict[str, Any]:
    """Speeches that match all filters of an address, with what narrows them down."""
    wanted, problem, results = SpeechFilter(), "", SpeechPage()
    try:
        wanted = parse_speech_filter(parameters)
        results = await speeches.list_speeches(services, wanted, facets=COUNTED, cursor=cursor)
    except InputError as error:
        problem = explain_error(error)
    titles = {key: await get_bill_title(services, key) for key in wanted.bill}
    return {
        "wanted": wanted,
        "results": results,
        "problem": problem,
        "tones": TONES,
        "chips": _chips(wanted, titles, to),
        "follow": None if wanted.group or wanted.reaction else follow_of(meetings_of(wanted)),
        "facet_links": _facet_links(wanted, results, to),
        "has_filters": bool(wanted.parameters()),
        "next_url": to.speeches(wanted, ("cursor", results.next_cursor)) if results.next_cursor else "",
        "first_url": to.speeches(wanted) if cursor else "",
        "by_date_url": to.speeches(replace(wanted, order="newest")),
    }


def _shown(facet: str, value: str, titles: Mapping[str, str]) -> str:
    if facet == "reaction":
        return REACTIONS.get(value, value)
    return titles.get(value, value) if facet == "bill" else shown_value(facet, value)


def _chips(wanted: SpeechFilter, titles: Mapping[str, str], to: RecapUrls) -> list[tuple[str, str]]:
    """The filters in force, each with the list's address without it."""
    chips = [
        (describe_filter(FIELDS[field_word(facet)], _shown(facet, value, titles)), _toggled(wanted, facet, value))
        for facet, values in wanted.chosen.items()
        for value in values
    ]
    if wanted.text:
        chips.append((describe_filter(FIELDS["q"], wanted.text), replace(wanted, text="")))
    if wanted.since:
        chips.append((describe_filter(FIELDS["since"], format_day(wanted.since)), replace(wanted, since=None)))
    if wanted.until:
        chips.append((describe_filter(FIELDS["until"], format_day(wanted.until)), replace(wanted, until=None)))
    return [(words, to.speeches(rest)) for words, rest in chips]


def _facet_links(
    wanted: SpeechFilter, page: SpeechPage, to: RecapUrls
) -> list[tuple[str, Sequence[tuple[str, int | None, str, bool]]]]:
    """A facet's word, and its values as (word, count, address, whether it is in force)."""
    return [
        (
            FIELDS[facet],
            [
                (
                    _shown(facet, value.value, {}),
                    value.count,
                    to.speeches(_toggled(wanted, facet, value.value)),
                    _is_chosen(wanted, value),
                )
                for at, value in enumerate(values)
                if at < _SHOWN.get(facet, 6) or _is_chosen(wanted, value)
            ],
        )
        for facet in COUNTED
        if (values := page.facets.get(facet, ()))
    ]


def _is_chosen(wanted: SpeechFilter, value: SpeechFacetValue) -> bool:
    return fold_value(value.value) in map(fold_value, wanted.chosen.get(value.facet, ()))


def _toggled(wanted: SpeechFilter, facet: SpeechFacet, value: str) -> SpeechFilter:
    """The filter without a value that is in force, or with one that isn't."""
    kept = tuple(other for other in wanted.chosen.get(facet, ()) if fold_value(other) != fold_value(value))
    changed = kept if len(kept) < len(wanted.chosen.get(facet, ())) else (*kept, value)
    change: dict[str, Any] = {facet: changed}
    return replace(wanted, **change)
