"""Values of knowledge: sources, documents, chunks and viewers, and the ids that stay when a source is read again.

A chunk's id is a hash of its document and its words: it stays as long as the passage does, whatever changes around it.
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class SourceKind(StrEnum):
    """Where a source comes from; addresses and feeds can be read again."""

    FILE = "file"
    URL = "url"
    FEED = "feed"


class SourceStatus(StrEnum):
    """The state of reading. A failed source keeps what was read before, and its reason."""

    WAITING = "waiting"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"


class Visibility(StrEnum):
    """Who may use a source besides its owner."""

    MINE = "mine"
    EVERYONE = "everyone"


@dataclass(frozen=True, slots=True)
class KnowledgeViewer:
    """On whose behalf knowledge is read or changed; `everything` is for the command line."""

    user_id: str
    everything: bool = False

    def may_see(self, source: "KnowledgeSource") -> bool:
        return source.visibility is Visibility.EVERYONE or self.may_change(source)

    def may_change(self, source: "KnowledgeSource") -> bool:
        return self.everything or source.owner_id == self.user_id


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeSource:
    """Something that was added. `problems` has a sentence for each part that couldn't be read."""

    id: str
    owner_id: str
    kind: SourceKind
    title: str
    visibility: Visibility
    status: SourceStatus
    url: str | None
    file_name: str | None
    size: int | None
    reason: str | None
    problems: Sequence[str]
    documents: int
    chunks: int
    job_id: int | None
    created_at: datetime
    read_at: datetime | None

    @property
    def names(self) -> str:
        """Its title and its address or file name."""
        return f"{self.title}\n{self.url or self.file_name or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDocument:
    """One text of a source: the file, the page, or an entry of the feed.

    `date` is the text's own date if `date_known`, otherwise the day it was added.
    """

    id: str
    source_id: str
    title: str
    url: str | None
    date: date
    date_known: bool
    language: str
    chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDetail:
    """A source with its newest documents."""

    source: KnowledgeSource
    documents: Sequence[SourceDocument]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeChunk:
    """A passage of complete sentences that can be cited; `page` counts from 1 and is known for PDF."""

    id: str
    source_id: str
    document_id: str
    position: int
    text: str
    title: str
    heading: Sequence[str]
    url: str | None
    date: date
    date_known: bool
    language: str
    page: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFilter:
    """Filters of a list of sources; None means no filter."""

    kind: SourceKind | None = None
    status: SourceStatus | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpmlImport:
    """The result of importing feeds: added, existing, and refused with the reason for each."""

    added: Sequence[KnowledgeSource]
    existing: Sequence[KnowledgeSource]
    refused: Sequence[tuple[str, str]]


_HEX = 32


def source_identity(owner_id: str, kind: SourceKind, name: str) -> str:
    """Identifies a source by owner, kind, and file name or address."""
    return f"{owner_id}\n{kind}\n{unicodedata.normalize('NFC', name)}"


def document_id(identity: str, key: str) -> str:
    """The id of a document: of a source's only one, or of a feed's entry by its key."""
    return _hash_parts("document", identity, key)


def chunk_id(identity: str, key: str, text: str) -> str:
    """The id of a passage; white space and Unicode forms make no difference."""
    return _hash_parts("chunk", identity, key, " ".join(unicodedata.normalize("NFKC", text).split()))


def _hash_parts(*parts: str) -> str:
    framed = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(framed.encode("utf-8", "surrogatepass")).hexdigest()[:_HEX]
