"""Articles that other programs put into the shared table: noticed, their texts copied, and indexed like our own.

Regular runs look at the newest and, once a day, at all of them. A list by a single value looks at that value's thin
items too, so that an article is found by it as soon as it is written.
"""

import unicodedata
from collections.abc import Sequence

from almanac.desks.recap.indexing import index_article, search_document
from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import register
from almanac.desks.recap.store.article_mapping import register_entry
from almanac.desks.recap.store.foreign_assets import copy_texts, load_texts
from almanac.desks.recap.store.table import Article
from almanac.services import Services

_RECENT, _PAGE, _LISTED = 200, 100, 25


async def adopt_recent_articles(services: Services) -> int:
    """Adopt what is new or changed among the newest articles; returns how many."""
    page = await store.list_articles(services.tables, cursor=None, limit=_RECENT)
    return await _adopt(services, page.items, may_fetch=True)


async def adopt_all_articles(services: Services) -> int:
    """The same for every article, whatever its day."""
    adopted, cursor = 0, None
    while True:
        page = await store.list_articles(services.tables, cursor=cursor, limit=_PAGE)
        adopted += await _adopt(services, page.items, may_fetch=True)
        cursor = page.next_cursor
        if cursor is None:
            return adopted


async def adopt_listed_articles(services: Services, wanted: ArticleFilter) -> None:
    """Adopt what the thin items of a single value list and the register doesn't; nothing is fetched for it."""
    chosen = list(wanted.chosen.items())
    if len(chosen) != 1 or len(chosen[0][1]) != 1 or not store.has_facet_list(chosen[0][0]):
        return
    facet, (value,) = chosen[0]
    ids: dict[str, None] = {}
    for spelling in _spellings(value):
        cards = await store.list_by_facet(services.tables, facet, spelling, limit=_LISTED)
        ids |= dict.fromkeys(card.id for card in cards)
    async with services.database.reading() as reading:
        registered = await register.registered_versions(reading, list(ids))
    missing = [article_id for article_id in ids if article_id not in registered]
    if missing:
        await _adopt(services, await store.get_articles(services.tables, missing), may_fetch=False)


def _spellings(value: str) -> list[str]:
    """How a value may be written in keys, which know case and width."""
    plain = unicodedata.normalize("NFKC", value)
    return list(dict.fromkeys((value, plain, plain.upper(), plain.lower(), plain.title())))


async def _adopt(services: Services, articles: Sequence[Article], *, may_fetch: bool) -> int:
    foreign = [article for article in articles if article.version is None]
    if not foreign:
        return 0
    async with services.database.reading() as reading:
        registered = await register.registered_versions(reading, [article.id for article in foreign])
    adopted = 0
    for article in foreign:
        copied = await copy_texts(services, article, may_fetch=may_fetch)
        if copied.is_new or registered.get(article.id) != register_entry(article).version:
            await _index(services, article)
            adopted += 1
    return adopted


async def _index(services: Services, article: Article) -> None:
    document = search_document(article, None, None, await load_texts(services, article))
    async with services.database.unit() as unit:
        await index_article(unit, services, article, document)
