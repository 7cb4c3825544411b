"""Knowledge sources: files, addresses and feeds that people add, read into chunks that writing can cite.

Fetching is left to `fetch`, finding to `search`, choosing what a text is about to the desks.
"""

from almanac.knowledge.model import (
    Chunk,
    Document,
    OpmlImport,
    Source,
    SourceDetail,
    SourceFilter,
    SourceKind,
    SourceStatus,
    Viewer,
    Visibility,
)
from almanac.knowledge.port import Knowledge

__all__ = [
    "Chunk",
    "Document",
    "Knowledge",
    "OpmlImport",
    "Source",
    "SourceDetail",
    "SourceFilter",
    "SourceKind",
    "SourceStatus",
    "Viewer",
    "Visibility",
]
