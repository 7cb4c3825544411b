"""Editors hold, release, withdraw and restore articles; readers and editors see what is held, and why."""

from almanac.accounts.model import Principal
from almanac.desks.recap.model.editorial import ArticleState, ArticleStatusView
from almanac.desks.recap.model.views import ForeignArticle, FullArticle
from almanac.desks.recap.pipeline.status import settle_status
from almanac.desks.recap.service.articles import read_item
from almanac.desks.recap.service.corrections import note_withdrawal, remove_withdrawal
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import editorial
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import Article, EditorialStatus
from almanac.errors import Conflict, FieldErrors, NotFound, StaleEdit
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.services import Services
from tablature import replace

LONGEST_REASON = 2000
_STALE = gettext("Somebody else decided about this article first; load it again and repeat your change.")


async def decide_state(
    services: Services, by: Principal, article_id: str, state: ArticleState, reason: str, *, revision: int
) -> ArticleStatusView:
    """Publish, hold or withdraw an article. The same state again finishes what was interrupted.

    StaleEdit if `revision` isn't the latest; FieldErrors without a reason, unless it is published again.
    """
    reason = _validate_reason(reason, is_needed=state != "published")
    status = await editorial.find_status(services.tables, article_id)
    article = await editorial.find_item(services, article_id)
    current = status.state if status else "published"
    if status is not None and current == state:
        await settle_status(services, status, by=by.actor)
        return editorial.view_status(status)
    if revision != (status.revision if status else 0):
        raise StaleEdit(_STALE, str(status.revision if status else 0))
    if current == state:
        raise Conflict(gettext("This article is published already."))
    decided = await _put_decision(services, by, article, status, state, reason)
    if state == "withdrawn":
        await note_withdrawal(services, by, article, reason)
    elif current == "withdrawn":
        await remove_withdrawal(services, article_id)
    await settle_status(services, decided, by=by.actor)
    return editorial.view_status(decided)


async def _put_decision(
    services: Services,
    by: Principal,
    article: Article,
    status: EditorialStatus | None,
    state: ArticleState,
    reason: str,
) -> EditorialStatus:
    findings = status.findings if status else []
    decided = EditorialStatus(
        id=article.id,
        state=state,
        revision=(status.revision if status else 0) + 1,
        reason=reason,
        by=by.name,
        since=services.clock.now(),
        item_url=await editorial.save_item(services, article),
        title=article.title,
        date=article.date,
        name_of_house=article.name_of_house,
        name_of_meeting=article.name_of_meeting,
        findings=findings,
        accepted=status.accepted if status else "",
    )
    if state == "published" and findings:
        decided = replace(decided, accepted=editorial.findings_digest(editorial.view_status(decided).findings))
    await editorial.put_status(services.tables, decided, replaces=status.revision if status else 0)
    return decided


async def get_status(services: RecapReads, article_id: str) -> ArticleStatusView:
    """Whether an article is published. NotFound if there is none and never was."""
    status = await editorial.find_status(services.tables, article_id)
    if status is not None:
        return editorial.view_status(status)
    await store.get_article(services.tables, article_id)
    return ArticleStatusView(article_id=article_id, state="published")


async def get_visible_status(services: RecapReads, article_id: str, *, is_editor: bool) -> ArticleStatusView:
    """The same for whoever asks: an article that is held doesn't exist for readers."""
    status = await get_status(services, article_id)
    if status.state == "held" and not is_editor:
        raise NotFound(gettext("This article isn't published at present: an editor is checking it."))
    return status


async def list_held(services: Services, *, cursor: str | None = None, limit: int = 25) -> Page[ArticleStatusView]:
    """What waits for a person, what was held last first."""
    page = await editorial.list_statuses(services.tables, "held", cursor=cursor, limit=limit)
    return Page([editorial.view_status(status) for status in page.items], page.next_cursor)


async def open_unpublished(services: RecapReads, article_id: str) -> FullArticle | ForeignArticle:
    """An article that is held or withdrawn, as it would be published, for editors."""
    return await read_item(services, await editorial.find_item(services, article_id))


def _validate_reason(reason: str, *, is_needed: bool) -> str:
    clean = reason.replace("\0", "").strip()
    if len(clean) > LONGEST_REASON or (is_needed and not clean):
        raise FieldErrors(
            {"reason": gettext("Give the reason in 1 to %(most)s characters; it is shown.", most=LONGEST_REASON)}
        )
    return clean
