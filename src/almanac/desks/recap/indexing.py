"""How articles are found: their documents in the search index, their entries in the register, and their speeches.

All follow from the articles and can be rebuilt from them.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from almanac.desks.recap.model.category_names import CATEGORY_NAMES
from almanac.desks.recap.model.filters import Facet
from almanac.desks.recap.model.foreign import ForeignTexts
from almanac.desks.recap.model.houses import HOUSES
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import Recap, join_sentences
from almanac.desks.recap.permissions import READ
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import register, speeches
from almanac.desks.recap.store.article_mapping import card_from_article, facet_values, meeting_day, register_entry
from almanac.desks.recap.store.foreign_assets import copy_texts, load_texts
from almanac.desks.recap.store.objects import load_asset, load_record
from almanac.desks.recap.store.speech_mapping import build_speech_entries
from almanac.desks.recap.store.speeches import SpeechEntry
from almanac.desks.recap.store.table import Article
from almanac.desks.recap.urls import article_path
from almanac.errors import NotFound
from almanac.kit.json_text import encode_json
from almanac.kit.markdown import markdown_text
from almanac.kit.messages import gettext, pgettext
from almanac.relational import Unit
from almanac.search import PUBLISHED_FIELD, DocumentBatch, DocumentKind, SearchDocument
from almanac.services import Services

_MOST_FACET_BYTES, _BYTES_PER_VALUE = 6500, 9
KIND = DocumentKind(
    "recap",
    gettext("Meeting"),
    gettext("Meetings"),
    {
        "category": pgettext("parliament", "Category"),
        "person": pgettext("filter", "Person"),
        "keyword": pgettext("filter", "Keyword"),
        "session": pgettext("parliament", "Session"),
        "house": pgettext("parliament", "House"),
        "meeting": pgettext("parliament", "Meeting"),
        "imagekind": pgettext("filter", "Kind of record"),
        "issue": pgettext("parliament", "Record"),
        "bill": pgettext("filter", "Bill"),
        "speaker": gettext("Speaker"),
    },
    {"house": HOUSES, "category": CATEGORY_NAMES},
)


def search_document(
    article: Article, recap: Recap | None, meeting: Meeting | None, texts: ForeignTexts | None = None
) -> SearchDocument:
    """The article as search indexes it: what was written about the sitting, then every word that was said."""
    return SearchDocument(
        kind=KIND.name,
        id=article.id,
        title=article.title or article.id,
        path=article_path(article.id),
        body=_body(article, recap, meeting) if texts is None else _foreign_body(article, texts),
        language=parliament_of(meeting).language if meeting else "ja",
        date=datetime.combine(meeting_day(article), time(), UTC),
        facets=_limit_facets(facet_values(article)),
        fields=_fields(article),
        permission=READ,
    )


def _fields(article: Article) -> dict[str, str]:
    published = {PUBLISHED_FIELD: article.published_at.isoformat()} if article.published_at else {}
    return {"card": encode_json(card_from_article(article)).decode(), **published}


def _limit_facets(values: Mapping[Facet, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """As many values as the search index can hold for one document; the register has all of them."""
    room, limited = _MOST_FACET_BYTES, dict[str, tuple[str, ...]]()
    for facet, facet_texts in values.items():
        fitting = []
        for value in facet_texts:
            room -= len(facet) + len(value.encode()) + _BYTES_PER_VALUE
            if room >= 0:
                fitting.append(value)
        limited[facet] = tuple(fitting)
    return limited


def _body(article: Article, recap: Recap | None, meeting: Meeting | None) -> str:
    written = (
        [join_sentences(recap.key_points), join_sentences(recap.summary)] if recap else [article.description or ""]
    )
    return "\n".join([*written, *(speech.text for speech in (meeting.spoken if meeting else ()))])


def _foreign_body(article: Article, texts: ForeignTexts) -> str:
    levels = (*texts.points, *texts.plain, *texts.summary, *texts.detailed)
    bullets = [bullet for dialog in texts.dialogs for section in dialog.sections for bullet in section.bullets]
    spoken = [dialog.original or dialog.summary for dialog in texts.dialogs]
    return "\n".join([markdown_text(article.description or ""), *(text.text for text in levels), *bullets, *spoken])


async def index_article(
    unit: Unit, services: Services, article: Article, document: SearchDocument, entries: Sequence[SpeechEntry] = ()
) -> bool:
    """Index an article and its speeches for words and for combined filters; they are found once the unit commits.

    True if this version wasn't indexed before, so that callers announce it once.
    """
    indexed_version = await register.registered_version(unit, article.id)
    await services.search.put(unit, document)
    await register.register_articles(unit, [register_entry(article)])
    await speeches.put_speeches(unit, [article.id], entries)
    return indexed_version < (article.version or 0)


async def unindex_article(unit: Unit, services: Services, article_id: str) -> None:
    """Remove an article and its speeches from all indexes; an unknown id is no error."""
    await services.search.remove(unit, KIND.name, [article_id])
    await register.unregister_articles(unit, [article_id])


@dataclass(frozen=True, slots=True)
class RecapProvider:
    """Gives every article to a search index that is rebuilt, and rebuilds the register on the way."""

    services: Services
    kind: DocumentKind = field(default=KIND)

    async def count(self) -> int:
        async with self.services.database.unit() as unit:
            return await register.count_articles(unit)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        page = await store.list_articles(self.services.tables, cursor=after, limit=limit)
        async with self.services.database.unit() as unit:
            await register.register_articles(unit, [register_entry(article) for article in page.items])
        return DocumentBatch([await self._document(article) for article in page.items], page.next_cursor)

    async def _document(self, article: Article) -> SearchDocument:
        document, entries = await load_document(self.services, article)
        async with self.services.database.unit() as unit:
            await speeches.put_speeches(unit, [article.id], entries)
        return document


async def load_document(services: Services, article: Article) -> tuple[SearchDocument, Sequence[SpeechEntry]]:
    """The document of an article and its speeches; the card alone where the texts can't be read.

    The texts of other programs are those that are in our store.
    """
    if article.version is None:
        await copy_texts(services, article, may_fetch=False)
        return search_document(article, None, None, await load_texts(services, article)), ()
    try:
        asset = await load_asset(services, article.asset_url or "")
        record = await load_record(services, asset.record_url)
    except NotFound:
        return search_document(article, None, None), ()
    entries = await asyncio.to_thread(build_speech_entries, article, asset.recap, record)
    return search_document(article, asset.recap, record), entries


def searchable(services: Services) -> tuple[RecapProvider, ...]:
    """The desk's search providers."""
    return (RecapProvider(services),)
