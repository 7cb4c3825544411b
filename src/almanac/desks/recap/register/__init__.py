"""The register: under which values each article is filed, for combined filters, counts and suggestions.

It follows from the articles and is made again from them; finding words is left to the search index.
"""

from almanac.desks.recap.register.finding import COUNTED, Counted, Found, counts, find, find_and_count
from almanac.desks.recap.register.store import (
    Entry,
    Value,
    count_of,
    file,
    latest_days,
    remove,
    size,
    spellings,
    suggestions,
    version_filed,
    whole,
)

__all__ = [
    "COUNTED",
    "Counted",
    "Entry",
    "Found",
    "Value",
    "count_of",
    "counts",
    "file",
    "find",
    "find_and_count",
    "latest_days",
    "remove",
    "size",
    "spellings",
    "suggestions",
    "version_filed",
    "whole",
]
