"""The port: adding and managing sources, and reading chunks. Adapters are `StoredKnowledge` and `FakeKnowledge`."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from almanac.kit.paging import Page
from almanac.knowledge.model import (
    KnowledgeChunk,
    KnowledgeSource,
    KnowledgeViewer,
    OpmlImport,
    SourceDetail,
    SourceFilter,
    Visibility,
)


class Knowledge(Protocol):
    """What pages, commands and desks do with knowledge.

    A source that the viewer may not see raises NotFound; one that the viewer may not change raises NotAllowed. Adding
    returns at once: a job reads the source, and `status` shows its progress.
    """

    async def add_file(
        self,
        viewer: KnowledgeViewer,
        name: str,
        content: bytes,
        *,
        title: str = "",
        visibility: Visibility = Visibility.MINE,
    ) -> KnowledgeSource:
        """Add a PDF, DOCX, HTML, Markdown or text file. The same name again replaces what the file held before."""

    async def add_url(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        """Add the page or file at an address. Adding it again reads it again."""

    async def add_feed(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        """Add an RSS, Atom or JSON feed; each entry is a document, and new entries are read on a schedule."""

    async def import_opml(
        self, viewer: KnowledgeViewer, content: bytes, *, visibility: Visibility = Visibility.MINE
    ) -> OpmlImport:
        """Add every feed of an OPML list."""

    async def list(
        self, viewer: KnowledgeViewer, which: SourceFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeSource]:
        """Sources that the viewer may see, newest first."""

    async def get(self, viewer: KnowledgeViewer, source_id: str) -> SourceDetail:
        """One source with its newest documents."""

    async def share(self, viewer: KnowledgeViewer, source_id: str, visibility: Visibility) -> KnowledgeSource:
        """Set who may use a source besides its owner."""

    async def refresh(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        """Read a source again; unchanged passages keep their chunks."""

    async def remove(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        """Remove a source and its chunks. It can be restored for some days, then it is deleted."""

    async def restore(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        """Undo a removal."""

    async def find_chunks(self, viewer: KnowledgeViewer, ids: Sequence[str]) -> Mapping[str, KnowledgeChunk]:
        """The chunks with these ids that exist and that the viewer may see."""

    async def list_chunks(
        self, viewer: KnowledgeViewer, source_id: str, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeChunk]:
        """The chunks of a source, newest document first and in reading order."""
