"""Search over the documents of every desk: one index and query syntax, facets and snippets, vectors with a model."""

from almanac.search.model import (
    PUBLISHED_FIELD,
    UNRESTRICTED_VIEWER,
    Correction,
    DocumentKind,
    FacetCount,
    SearchDocument,
    SearchHit,
    SearchOrder,
    SearchResults,
    SearchSurvey,
    SearchViewer,
    Snippet,
    SnippetSpan,
)
from almanac.search.port import DocumentBatch, DocumentProvider, SearchIndex
from almanac.search.query import SearchQuery, any_words_query
from almanac.search.query_parser import InvalidQuery, parse_query

__all__ = [
    "PUBLISHED_FIELD",
    "UNRESTRICTED_VIEWER",
    "Correction",
    "DocumentBatch",
    "DocumentKind",
    "DocumentProvider",
    "FacetCount",
    "InvalidQuery",
    "SearchDocument",
    "SearchHit",
    "SearchIndex",
    "SearchOrder",
    "SearchQuery",
    "SearchResults",
    "SearchSurvey",
    "SearchViewer",
    "Snippet",
    "SnippetSpan",
    "any_words_query",
    "parse_query",
]
