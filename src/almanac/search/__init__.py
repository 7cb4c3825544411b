"""Search: documents of every desk in one index, one query syntax, facets, snippets; vectors where a model is set."""

from almanac.search.model import (
    ALL_SEEING,
    Document,
    FacetCount,
    Hit,
    Kind,
    Order,
    Results,
    Snippet,
    Span,
    Survey,
    Viewer,
)
from almanac.search.port import Batch, Provider, SearchIndex
from almanac.search.query import Query, any_phrase
from almanac.search.syntax import BadQuery, parse

__all__ = [
    "ALL_SEEING",
    "BadQuery",
    "Batch",
    "Document",
    "FacetCount",
    "Hit",
    "Kind",
    "Order",
    "Provider",
    "Query",
    "Results",
    "SearchIndex",
    "Snippet",
    "Span",
    "Survey",
    "Viewer",
    "any_phrase",
    "parse",
]
