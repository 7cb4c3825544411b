"""Knowledge sources: files, addresses and feeds that people add, read into chunks that texts can cite.

Fetching is left to `fetch`, finding to `search`, choosing what to write about to the desks.
"""

from almanac.knowledge.model import (
    KnowledgeChunk,
    KnowledgeSource,
    KnowledgeViewer,
    OpmlImport,
    SourceDetail,
    SourceDocument,
    SourceFilter,
    SourceKind,
    SourceStatus,
    Visibility,
)
from almanac.knowledge.port import Knowledge

__all__ = [
    "Knowledge",
    "KnowledgeChunk",
    "KnowledgeSource",
    "KnowledgeViewer",
    "OpmlImport",
    "SourceDetail",
    "SourceDocument",
    "SourceFilter",
    "SourceKind",
    "SourceStatus",
    "Visibility",
]
