"""Newsletters in the search index: visible to their owner, by title, topics, outline and draft.

They are stored in a table and the index in a database, so after a crash between the two writes the index is behind
until the next change or rebuild.
"""

from dataclasses import dataclass, field

from almanac.desks.newsletter.model.draft_text import strip_markup
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.urls import newsletter_path
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.search import DocumentBatch, DocumentKind, DocumentProvider, SearchDocument
from almanac.services import Services
from tablature.async_database import AsyncDatabase

KIND = DocumentKind("newsletter", gettext("Newsletter"), gettext("Newsletters"), {"status": gettext("Status")})
_MAX_BODY = 20_000


def to_document(full: FullNewsletter) -> SearchDocument:
    """A newsletter with all its steps as a search document."""
    newsletter = full.newsletter
    return SearchDocument(
        kind=KIND.name,
        id=full.code,
        title=newsletter.title,
        path=newsletter_path(full.code),
        body=_searchable_text(full)[:_MAX_BODY],
        date=newsletter.updated_at,
        facets={"status": (newsletter.status,)},
        owner=newsletter.owner_id,
    )


def _searchable_text(full: FullNewsletter) -> str:
    configuration = full.newsletter.configuration
    planned = (item.title for item in full.outline.outline.items)
    drafted = (f"{section.name}\n{strip_markup(section.text)}" for section in full.draft.draft.sections if section.text)
    return "\n".join((configuration.description, ", ".join(full.topics.selected), *planned, *drafted, full.code))


async def index_newsletter(services: Services, full: FullNewsletter) -> None:
    """Update the newsletter in the index."""
    async with services.database.unit() as unit:
        await services.search.put(unit, to_document(full))


async def unindex_newsletter(services: Services, code: str) -> None:
    """Remove the newsletter from the index."""
    async with services.database.unit() as unit:
        await services.search.remove(unit, KIND.name, [code])


@dataclass(slots=True)
class NewsletterProvider:
    """Provides every newsletter when the search index is rebuilt."""

    tables: AsyncDatabase
    kind: DocumentKind = field(default=KIND)
    _codes: list[str] = field(default_factory=list)

    async def count(self) -> int:
        self._codes = await newsletter_store.list_codes(self.tables)
        return len(self._codes)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        codes = [code for code in self._codes if code > (after or "")][:limit]
        documents = [await self._document(code) for code in codes]
        return DocumentBatch(
            [document for document in documents if document is not None], codes[-1] if len(codes) == limit else None
        )

    async def _document(self, code: str) -> SearchDocument | None:
        """The document, or None if the newsletter was deleted since the codes were listed."""
        try:
            return to_document(await newsletter_store.get_full_newsletter(self.tables, code))
        except NotFound:
            return None


def search_providers(services: Services) -> tuple[DocumentProvider, ...]:
    """The desk's providers for the search index."""
    return (NewsletterProvider(services.tables),)
