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
from almanac.language.translations import (
    Translator,
    base_language,
    common_translator,
    document_translator,
    format_long_date,
)

_LEFT_TO_RIGHT = "\u200e"


def labels_for(language: str) -> Translator:
    """The desk's words in a language tag; English if the language has none."""
    return document_translator("almanac.desks.newsletter", language)


def section_title(name: str, language: str) -> str:
    """A section's name. One that the desk gave itself is translated, and one that is missing is replaced."""
    labels = labels_for(language)
    if not name:
        return labels("untitled_section")
    return labels(f"section_{name}") if labels.has(f"section_{name}") else name


def audience_names(names: tuple[str, ...], language: str) -> str:
    """The chosen audiences in a language; one that other programs stored is shown as it is."""
    labels = labels_for(language)
    shown = (labels(f"audience_{name}") if labels.has(f"audience_{name}") else name.lower() for name in names)
    return common_translator(language)("separator").join(shown)


def format_issue_date(day: dt.date, language: str) -> str:
    """The date in the issue's language; its figures stay in order within text written right to left."""
    written = format_long_date(day, language)
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
    audience = labels_for(front.language)("audience", audience=front.audience) if front.audience else ""
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
