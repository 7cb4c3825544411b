"""Articles, their versions and error reports in the table; an article and its thin items are one write."""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from almanac.desks.recap.model.filters import Facet
from almanac.desks.recap.model.items import ArticleCard, LegislativeItemCard, ReportStatus
from almanac.desks.recap.store.table import Article, ErrorReport, Version
from almanac.errors import Conflict, NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from tablature import Pattern, Query, between, delete
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, DoesNotExist

_LISTS: dict[Facet, Pattern[ArticleCard]] = {
    "category": Article.with_category,
    "person": Article.with_person,
    "keyword": Article.with_keyword,
    "session": Article.of_session,
    "house": Article.of_house,
    "meeting": Article.of_meeting,
    "imagekind": Article.with_image_kind,
    "issue": Article.of_issue,
}


class ArticleWriteConflict(Exception):
    """Another process published the same article in the meantime; nothing was written."""


async def find_article(tables: AsyncDatabase, article_id: str, *, consistent: bool = False) -> Article | None:
    return await tables.get(Article.key(id=article_id), consistent=consistent)


async def get_article(tables: AsyncDatabase, article_id: str) -> Article:
    article = await find_article(tables, article_id)
    if article is None:
        raise NotFound(gettext("There is no article with this id."))
    return article


async def put_article(tables: AsyncDatabase, article: Article, version: Version, *, replaces: int | None) -> None:
    """Put the version and then the article with all its thin items; stale ones go in the same write.

    Until the article itself is written, nobody sees the version, as its number is above the article's.
    """
    await tables.put(version)
    try:
        await tables.put(article, when=Article.version == replaces)
    except ConditionFailed as error:
        raise ArticleWriteConflict from error


async def restore_article(tables: AsyncDatabase, article: Article) -> None:
    """Put an article and all its thin items back unless it is there; its versions are there already."""
    try:
        await tables.create(article)
    except AlreadyExists:
        return


async def put_version(tables: AsyncDatabase, version: Version) -> None:
    """Put a version of an article that isn't published at present."""
    await tables.put(version)


async def hide_article(tables: AsyncDatabase, article_id: str) -> None:
    """Delete an article with all its thin items in one write; versions, reports and corrections stay."""
    await tables.delete(Article.key(id=article_id))


async def repair_article(tables: AsyncDatabase, article_id: str) -> None:
    """Finish the write of an article whose publication was killed; readers see no difference."""
    await tables.admin.repair(Article.key(id=article_id))


async def remove_article(tables: AsyncDatabase, article_id: str) -> None:
    """Remove an article with its thin items, versions and error reports."""
    await tables.delete(Article.key(id=article_id))
    versions = [
        Version.key(id=article_id, number=version.number) async for version in iterate_versions(tables, article_id)
    ]
    reports = [report async for report in tables.each(ErrorReport.of_article(id=article_id))]
    for version in versions:
        await tables.transact(delete(version))
    for report in reports:
        await tables.transact(delete(ErrorReport.key(id=article_id, report_id=report.report_id)))


def iterate_versions(tables: AsyncDatabase, article_id: str) -> AsyncIterator[Version]:
    """Every version, the latest first, including one that was never published."""
    return tables.each(Version.of_article(id=article_id))


async def get_version(tables: AsyncDatabase, article: Article, number: int) -> Version:
    """One of an article's published versions; NotFound for one that is still being published."""
    counts = 0 < number <= (article.version or 0)
    version = await tables.get(Version.key(id=article.id, number=number)) if counts else None
    if version is None:
        raise NotFound(gettext("This article has no version with that number."))
    return version


def has_facet_list(facet: Facet) -> bool:
    """Whether thin items list articles by this facet."""
    return facet in _LISTS


async def list_by_facet(tables: AsyncDatabase, facet: Facet, value: str, *, limit: int) -> list[ArticleCard]:
    """The newest articles with one value, from its thin items, under this spelling alone."""
    each: Any = value
    if facet == "session":
        if not value.isdecimal():
            return []
        each = int(value)
    return (await tables.query(_LISTS[facet](each=each), limit=limit)).items


async def list_latest(tables: AsyncDatabase, *, limit: int) -> list[Article]:
    return (await tables.query(Article.latest(), limit=limit)).items


async def list_of_day(tables: AsyncDatabase, day: str, *, limit: int) -> list[Article]:
    """The articles about one day, the latest first."""
    # A timestamp on the day sorts after the day itself and before the tilde.
    return (await tables.query(Article.latest(date=between(day, f"{day}~")), limit=limit)).items


async def mark_votes_changed(tables: AsyncDatabase, day: str, house: str, meeting: str, now: datetime) -> None:
    """Mark the articles about a body's meetings of a day, so that pages kept of them are made again."""
    for article in await list_of_day(tables, day, limit=100):
        if (article.name_of_house, article.name_of_meeting) == (house, meeting):
            with suppress(ConditionFailed):  # it was withdrawn meanwhile
                await tables.patch(Article.key(id=article.id), votes_at=now)


async def list_issue_history(tables: AsyncDatabase, issue_id: str) -> list[ArticleCard]:
    return [card async for card in tables.each(Article.timeline(each=issue_id))]


async def list_item_history(tables: AsyncDatabase, query: Query[LegislativeItemCard]) -> list[LegislativeItemCard]:
    return [card async for card in tables.each(query)]


async def list_bill_history(tables: AsyncDatabase, key: str) -> list[LegislativeItemCard]:
    return await list_item_history(tables, Article.bill_timeline(each=key))


async def list_agenda_history(tables: AsyncDatabase, key: str) -> list[LegislativeItemCard]:
    return await list_item_history(tables, Article.agenda_timeline(each=key))


async def get_articles(tables: AsyncDatabase, ids: list[str]) -> list[Article]:
    """Articles by id; missing ones are left out."""
    articles = await tables.get_many([Article.key(id=article_id) for article_id in ids])
    return [article for article in articles if article is not None]


async def list_articles(tables: AsyncDatabase, *, cursor: str | None, limit: int) -> Page[Article]:
    """A page of all articles, the latest first, for rebuilding an index."""
    page = await tables.query(Article.latest(), cursor=cursor, limit=limit)
    return Page(page.items, page.cursor)


async def add_report(tables: AsyncDatabase, report: ErrorReport) -> ErrorReport:
    """Store a report; an existing one with the same id is returned unchanged."""
    try:
        return await tables.create(report)
    except AlreadyExists:
        return await tables.require(ErrorReport.key(id=report.id, report_id=report.report_id), consistent=True)


async def has_report(tables: AsyncDatabase, article_id: str, report_id: str) -> bool:
    return await tables.get(ErrorReport.key(id=article_id, report_id=report_id)) is not None


async def list_reports(
    tables: AsyncDatabase, status: ReportStatus, *, cursor: str | None, limit: int
) -> Page[ErrorReport]:
    page = await tables.query(ErrorReport.with_status(status=status), cursor=cursor, limit=limit)
    return Page(page.items, page.cursor)


async def list_article_reports(tables: AsyncDatabase, article_id: str) -> list[ErrorReport]:
    """What readers reported about an article."""
    return [report async for report in tables.each(ErrorReport.of_article(id=article_id))]


async def close_report(
    tables: AsyncDatabase, article_id: str, report_id: str, answer: str, *, at: datetime, correction_id: str = ""
) -> ErrorReport:
    ref = ErrorReport.key(id=article_id, report_id=report_id)
    try:
        return await tables.patch(
            ref,
            status="closed",
            answer=answer,
            closed_at=at,
            correction_id=correction_id,
            when=ErrorReport.status == "open",
        )
    except DoesNotExist as error:
        raise NotFound(gettext("There is no report with this id.")) from error
    except ConditionFailed as error:
        raise Conflict(gettext("This report was closed already.")) from error
