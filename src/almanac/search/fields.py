"""The fields of the query syntax: each name has one meaning wherever queries are written; and other names people try.

Kinds of documents declare which of these they have as facets; a name that isn't listed here can't become a field.
"""

from collections.abc import Collection, Mapping

BASE_FIELDS: Mapping[str, str] = {
    "title": "Words of the title.",
    "kind": "The kind of document.",
    "lang": "The language of the text, or the one that a customer is written to in.",
}
DATE_FIELDS: Mapping[str, str] = {
    "date": "A year, month or day, or a range of them, both ends included.",
    "after": "From this year, month or day on; it is included.",
    "before": "Before this year, month or day; it is excluded.",
    "until": "Through this year, month or day; it is included.",
}
FACET_FIELDS: Mapping[str, str] = {
    "bill": "The key of a bill, the same in every meeting.",
    "category": "The category of a meeting.",
    "country": "The country that a story is about.",
    "currency": "The currency of an invoice.",
    "house": "The house of parliament that met.",
    "imagekind": "The kind of record of a meeting.",
    "issue": "The number of a meeting's record.",
    "keyword": "A keyword of a meeting.",
    "meeting": "The name of the committee or plenary that met.",
    "origin": "How a passage came in: from a file, a page, a feed or a note.",
    "person": "The name of somebody who spoke.",
    "session": "The number of a parliament's session.",
    "source": "Who published a story, or the knowledge source that a passage is from.",
    "speaker": "The key of one person among namesakes.",
    "status": "How far a newsletter is.",
    "tag": "A tag that somebody or something gave.",
}
ALIASES: Mapping[str, str] = {
    "language": "lang",
    "type": "kind",
    "since": "after",
    "from": "after",
    "to": "until",
    "tags": "tag",
    "sources": "source",
    "people": "person",
    "keywords": "keyword",
}


def known_fields(facets: Collection[str] = ()) -> tuple[str, ...]:
    """Every field that a query may use where documents have these facets."""
    return (*BASE_FIELDS, *DATE_FIELDS, *sorted(set(facets) - set(BASE_FIELDS)))
