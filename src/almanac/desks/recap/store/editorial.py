"""Decisions of editors in the table: the status of an article, and its corrections.

While an article is held or withdrawn its item isn't in the table; it is kept as an object, to be published again.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime

import msgspec

from almanac.desks.recap.model.editorial import (
    ArticleState,
    ArticleStatusView,
    CorrectionStatus,
    CorrectionView,
    ReconciliationFinding,
)
from almanac.desks.recap.model.items import StoredFinding
from almanac.desks.recap.model.recap import RecapCorrection
from almanac.desks.recap.store.addresses import object_url
from almanac.desks.recap.store.objects import item_key, object_key
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import Article, ArticleCorrection, EditorialStatus
from almanac.errors import NotFound, StaleEdit
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.relational import Unit, load_queries
from almanac.services import Services
from tablature import delete, replace, values_of
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, DoesNotExist

QUERIES = load_queries(__package__)
_MOMENTS = ("published_at", "updated_at")
_CHANGED = gettext("Somebody else decided about this article first; load it again and repeat your change.")


async def find_status(tables: AsyncDatabase, article_id: str) -> EditorialStatus | None:
    """The status of an article; None if nobody ever decided anything about it."""
    return await tables.get(EditorialStatus.key(id=article_id), consistent=True)


async def put_status(tables: AsyncDatabase, status: EditorialStatus, *, replaces: int) -> None:
    """Store a status in place of the one with a revision; 0 means that there is none. StaleEdit if there is another."""
    try:
        if replaces:
            await tables.put(status, when=EditorialStatus.revision == replaces)
        else:
            await tables.create(status)
    except (AlreadyExists, ConditionFailed) as error:
        current = await find_status(tables, status.id)
        raise StaleEdit(_CHANGED, str(current.revision if current else 0)) from error


async def mark_settled(tables: AsyncDatabase, status: EditorialStatus) -> None:
    """Note that article and indexes follow this status; nothing happens if there is a newer one."""
    try:
        await tables.put(replace(status, settled=True), when=EditorialStatus.revision == status.revision)
    except ConditionFailed:
        return


async def list_statuses(
    tables: AsyncDatabase, state: ArticleState, *, cursor: str | None = None, limit: int = 25
) -> Page[EditorialStatus]:
    """Articles in a state, those decided about last first."""
    page = await tables.query(EditorialStatus.with_state(state=state), cursor=cursor, limit=limit)
    return Page(page.items, page.cursor)


async def save_item(services: Services, article: Article) -> str:
    """Keep an article item as an object; returns its address."""
    content = encode_json(values_of(article))
    key = item_key(article.id, hashlib.sha256(content).hexdigest())
    await services.objects.put(key, content)
    return object_url(services.settings, key)


async def load_item(services: RecapReads, url: str) -> Article:
    """The article item that an object keeps. NotFound if there is none."""
    if not url:
        raise NotFound(gettext("There is no article with this id."))
    values = msgspec.json.decode(await services.objects.get(object_key(services.settings, url)))
    moments = {name: datetime.fromisoformat(values[name]) for name in _MOMENTS if values.get(name)}
    return Article(**{**values, **moments})


async def find_item(services: RecapReads, article_id: str) -> Article:
    """The article item, published or not. NotFound if there never was one."""
    existing = await services.tables.get(Article.key(id=article_id), consistent=True)
    if existing is not None:
        return existing
    status = await find_status(services.tables, article_id)
    return await load_item(services, status.item_url if status else "")


async def mark_announced(unit: Unit, status: EditorialStatus) -> bool:
    """Note that a decision was announced; False if it was before."""
    params = {"id": status.id, "revision": status.revision}
    return bool(await unit.execute(QUERIES["mark_announced"], params))


async def list_corrections(tables: AsyncDatabase, article_id: str) -> list[ArticleCorrection]:
    """The corrections of an article, the oldest first, including those taken back."""
    listed = [correction async for correction in tables.each(ArticleCorrection.of_article(id=article_id))]
    return sorted(listed, key=lambda correction: correction.created_at)


async def list_latest_corrections(
    tables: AsyncDatabase, *, cursor: str | None = None, limit: int = 25
) -> Page[ArticleCorrection]:
    """Corrections of all articles, the latest first."""
    page = await tables.query(ArticleCorrection.latest(), cursor=cursor, limit=limit)
    return Page(page.items, page.cursor)


async def add_correction(tables: AsyncDatabase, correction: ArticleCorrection) -> ArticleCorrection:
    """Store a correction; an existing one with the same id is returned unchanged."""
    try:
        return await tables.create(correction)
    except AlreadyExists:
        ref = ArticleCorrection.key(id=correction.id, correction_id=correction.correction_id)
        return await tables.require(ref, consistent=True)


async def set_correction_status(
    tables: AsyncDatabase, article_id: str, correction_id: str, status: CorrectionStatus
) -> ArticleCorrection:
    """Change whether a correction applies. NotFound if there is no such correction."""
    try:
        return await tables.patch(ArticleCorrection.key(id=article_id, correction_id=correction_id), status=status)
    except DoesNotExist as error:
        raise NotFound(gettext("There is no correction with this id.")) from error


async def remove_decisions(tables: AsyncDatabase, article_id: str) -> None:
    """Delete the status and the corrections of an article."""
    for correction in await list_corrections(tables, article_id):
        ref = ArticleCorrection.key(id=article_id, correction_id=correction.correction_id)
        await tables.transact(delete(ref))
    if await find_status(tables, article_id) is not None:
        await tables.transact(delete(EditorialStatus.key(id=article_id)))


def recap_correction(stored: ArticleCorrection) -> RecapCorrection:
    """A correction as the article's own texts carry it."""
    return RecapCorrection(
        id=stored.correction_id,
        kind=stored.kind,
        part=stored.part,
        note=stored.note,
        made_at=stored.created_at,
        before=stored.before,
        after=stored.after,
        orders=tuple(stored.orders),
    )


def view_correction(stored: ArticleCorrection) -> CorrectionView:
    return CorrectionView(
        article_id=stored.id,
        correction_id=stored.correction_id,
        kind=stored.kind,
        part=stored.part,
        status=stored.status,
        before=stored.before,
        after=stored.after,
        note=stored.note,
        created_at=stored.created_at,
        by=stored.by,
        report_id=stored.report_id,
        meeting=stored.name_of_meeting or "",
        date=stored.date,
        house=stored.name_of_house or "",
    )


def view_status(status: EditorialStatus) -> ArticleStatusView:
    return ArticleStatusView(
        article_id=status.id,
        state=status.state,
        revision=status.revision,
        reason=status.reason,
        by=status.by,
        since=status.since,
        title=status.title,
        date=status.date,
        house=status.name_of_house or "",
        meeting=status.name_of_meeting or "",
        findings=[msgspec.convert(finding, ReconciliationFinding) for finding in status.findings],
    )


def stored_findings(findings: Sequence[ReconciliationFinding]) -> list[StoredFinding]:
    return [
        StoredFinding(kind=finding.kind, subject=finding.subject, text=finding.text, orders=list(finding.orders))
        for finding in findings
    ]


def findings_digest(findings: Sequence[ReconciliationFinding]) -> str:
    """Changes whenever other things don't reconcile, so that what a person released isn't held again."""
    return hashlib.sha256(encode_json(list(findings))).hexdigest() if findings else ""
