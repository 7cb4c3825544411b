"""What stands beside the title of an issue and of a source: a lead, who published it, when, and for whom."""

from almanac.desks.newsletter.exports.words import long_date, words_in
from almanac.desks.newsletter.publication import FrontMatter, Publication, Source
from almanac.desks.newsletter.publication.tree import plain_text, spans_in


def lead_of(publication: Publication) -> str:
    """The preheader as a line below the title, unless the text begins with the same words."""
    lead, sections = publication.front.preheader, publication.sections
    opening = plain_text(tuple(spans_in(sections[0].blocks))) if sections else ""
    return "" if _letters(opening).startswith(_letters(lead)) else lead


def facts_of_issue(front: FrontMatter) -> list[str]:
    """The date and the audience."""
    audience = words_in(front.language).audience.format(front.audience) if front.audience else ""
    return [fact for fact in (long_date(front.date, front.language), audience) if fact]


def facts_of_source(source: Source, language: str) -> list[str]:
    """The publisher, unless the title says it already, and the date."""
    publisher = source.source if source.source != source.title else ""
    return [fact for fact in (publisher, long_date(source.date, language) if source.date else "") if fact]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
