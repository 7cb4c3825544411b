"""The port: adding sources, looking at them, and reading chunks. Adapters are `StoredKnowledge` and `FakeKnowledge`."""

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

    A source that the viewer may not see is NotFound; one that the viewer sees and may not change is NotAllowed.
    Adding returns at once: a job reads the source, and `status` tells how far it is.
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
        ...

    async def add_url(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        """Add the page or file at an address. The same address again reads it anew."""
        ...

    async def add_feed(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        """Add an RSS, Atom or JSON feed; each entry is a document, and new ones come by schedule."""
        ...

    async def import_opml(
        self, viewer: KnowledgeViewer, content: bytes, *, visibility: Visibility = Visibility.MINE
    ) -> OpmlImport:
        """Add every feed of an OPML list."""
        ...

    async def list(
        self, viewer: KnowledgeViewer, which: SourceFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeSource]:
        """Sources that the viewer may see, newest first."""
        ...

    async def get(self, viewer: KnowledgeViewer, source_id: str) -> SourceDetail:
        """One source with its documents."""
        ...

    async def share(self, viewer: KnowledgeViewer, source_id: str, visibility: Visibility) -> KnowledgeSource:
        """Decide who may use a source besides its owner."""
        ...

    async def refresh(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        """Read a source again; what has not changed keeps its chunks."""
        ...

    async def remove(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        """Take a source and its chunks out of use. It can be restored for some days, then it is gone."""
        ...

    async def restore(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        """Undo a removal."""
        ...

    async def find_chunks(self, viewer: KnowledgeViewer, ids: Sequence[str]) -> Mapping[str, KnowledgeChunk]:
        """The chunks with these ids that exist and that the viewer may see."""
        ...

    async def list_chunks(
        self, viewer: KnowledgeViewer, source_id: str, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeChunk]:
        """The chunks of a source, newest document first and in reading order."""
        ...
