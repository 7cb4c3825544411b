"""Makes an article and its indexes follow what was decided about it: published, held or withdrawn.

Each step may be repeated. A decision that was killed half way is finished by the next run of the desk's regular job.
"""

from almanac.audit.model import SYSTEM, Actor
from almanac.desks.recap.events import HELD, RELEASED, WITHDRAWN, record_event
from almanac.desks.recap.indexing import index_article, load_document, unindex_article
from almanac.desks.recap.model.editorial import STATES
from almanac.desks.recap.pipeline.alert_matches import announce_speeches
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import editorial
from almanac.desks.recap.store.table import EditorialStatus
from almanac.services import Services

_LOOKED_AT = 50


async def settle_status(services: Services, status: EditorialStatus, *, by: Actor = SYSTEM) -> None:
    """Show or hide an article with everything that it is found by, and announce the decision once."""
    if status.state == "published":
        await _show(services, status, by)
    else:
        await _hide(services, status, by)
    if not status.settled:
        await editorial.mark_settled(services.tables, status)


async def settle_unfinished(services: Services) -> int:
    """Finish the decisions that were interrupted; returns how many."""
    unfinished = [
        status
        for state in STATES
        for status in (await editorial.list_statuses(services.tables, state, limit=_LOOKED_AT)).items
        if not status.settled
    ]
    for status in unfinished:
        await settle_status(services, status)
    return len(unfinished)


async def _show(services: Services, status: EditorialStatus, by: Actor) -> None:
    if await store.find_article(services.tables, status.id, consistent=True) is None:
        await store.restore_article(services.tables, await editorial.load_item(services, status.item_url))
    article = await store.get_article(services.tables, status.id)
    document, entries = await load_document(services, article)
    async with services.database.unit() as unit:
        await index_article(unit, services, article, document, entries)
        if await editorial.mark_announced(unit, status):
            await record_event(unit, services, by, RELEASED, status.id, title=article.title)
            await announce_speeches(unit, services, status.id)


async def _hide(services: Services, status: EditorialStatus, by: Actor) -> None:
    await _keep_newer(services, status)
    await store.hide_article(services.tables, status.id)
    async with services.database.unit() as unit:
        await unindex_article(unit, services, status.id)
        if await editorial.mark_announced(unit, status):
            detail = {"title": status.title, "reason": status.reason}
            if status.state == "withdrawn":
                await record_event(unit, services, by, WITHDRAWN, status.id, **detail)
            else:
                await record_event(unit, services, by, HELD, status.id, **detail)


async def _keep_newer(services: Services, status: EditorialStatus) -> None:
    """Keep what was published while the decision was made, so that nothing is lost when it is taken back."""
    existing = await store.find_article(services.tables, status.id, consistent=True)
    if existing is None:
        return
    kept = await editorial.load_item(services, status.item_url)
    if (existing.version or 0) > (kept.version or 0):
        status.item_url = await editorial.save_item(services, existing)
        await editorial.put_status(services.tables, status, replaces=status.revision)
