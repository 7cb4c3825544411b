"""The words an export adds to the text, in the language of the issue: headings, dates, audience, source details."""

import datetime as dt
import unicodedata

from almanac.desks.newsletter.formats.publication import (
    CitedSource,
    FrontMatter,
    Publication,
    Spans,
    iterate_spans,
    plain_text,
)
from almanac.desks.newsletter.model.configuration import AUDIENCE_NOUNS
from almanac.kit.catalogs import base_language, nearest_language
from almanac.kit.locale_formats import format_day
from almanac.kit.messages import gettext, join_texts, pgettext, translate

_LEFT_TO_RIGHT = "\u200e"
CONTENTS = gettext("In this issue")
REFERENCES = gettext("References")
_SECTIONS = {
    str(name): name
    for name in (
        pgettext("section of an issue", "Introduction"),
        pgettext("section of an issue", "Main Content"),
        pgettext("section of an issue", "Updates & News"),
        pgettext("section of an issue", "Opportunities"),
        pgettext("section of an issue", "Resources"),
        pgettext("section of an issue", "Conclusion"),
    )
}
_AUDIENCES = {**AUDIENCE_NOUNS, "myself": gettext("myself")}


def section_title(name: str, language: str) -> str:
    """A section's name. One that the desk gave itself is translated, and one that is missing is replaced."""
    return translate(_SECTIONS.get(name, name) if name else gettext("Untitled section"), language)


def audience_names(names: tuple[str, ...], language: str) -> str:
    """The chosen audiences in a language; one that other programs stored is shown as it is."""
    separator = translate(pgettext("between the items of a list", ", "), language)
    return translate(join_texts((_AUDIENCES.get(name, name.lower()) for name in names), separator), language)


def format_issue_date(day: dt.date, language: str) -> str:
    """The date in the issue's language; its figures stay in order within text written right to left."""
    written = format_day(day, nearest_language(language))
    return _LEFT_TO_RIGHT + written if is_right_to_left_language(language) else written


def is_right_to_left_language(language: str) -> bool:
    """Whether the language is written right to left."""
    return base_language(language) in {"ar", "fa", "he", "ur", "yi", "dv", "ps", "ug"}


def lead_text(publication: Publication) -> str:
    """The preheader as a line below the title; empty if the text starts with the same words."""
    lead, sections = publication.front.preheader, publication.sections
    opening = plain_text(tuple(iterate_spans(sections[0].blocks))) if sections else ""
    return "" if _letters(opening).startswith(_letters(lead)) else lead


def issue_details(front: FrontMatter) -> list[str]:
    """The date and the audience."""
    audience = translate(gettext("For %(audience)s", audience=front.audience), front.language) if front.audience else ""
    return [fact for fact in (format_issue_date(front.date, front.language), audience) if fact]


def source_details(source: CitedSource, language: str) -> list[str]:
    """The publisher, unless the title is the same, and the date."""
    publisher = source.source if source.source != source.title else ""
    return [fact for fact in (publisher, format_issue_date(source.date, language) if source.date else "") if fact]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def is_right_to_left_text(spans: Spans) -> bool | None:
    """Whether the first letter with a direction is right to left; None if there is none."""
    for character in plain_text(spans):
        match unicodedata.bidirectional(character):
            case "L":
                return False
            case "R" | "AL":
                return True
    return None
