"""Error reports: readers say what is wrong with an article, editors answer and close the report."""

from datetime import UTC, datetime, time

from almanac.accounts.model import Principal
from almanac.audit.model import SYSTEM, AuditSubject
from almanac.desks.recap.events import REPORTED, record_audit, record_event
from almanac.desks.recap.model.items import ReportStatus
from almanac.desks.recap.model.views import ErrorReportView
from almanac.desks.recap.service.articles import open_article
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import ErrorReport
from almanac.errors import FieldErrors
from almanac.kit.ids import Seed, new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.services import Services

LONGEST_TEXT = 2000


async def report_error(
    services: Services, by: Principal, article_id: str, text: str, *, order: int | None = None, seed: Seed | None = None
) -> ErrorReportView:
    """Store what a reader says is wrong, optionally with one speech. The same seed stores only one report."""
    report_id = seed.id("report") if seed else new_id()
    report = await _new_report(services, article_id, text, order, report_id=report_id, by=by.name)
    async with services.database.unit() as unit:
        await record_event(unit, services, by.actor, REPORTED, article_id, report_id=report_id)
        return _view(await store.add_report(services.tables, report))


async def report_public_error(services: Services, article_id: str, text: str, *, order: int | None = None) -> None:
    """Store what somebody without an account says is wrong; the same words about the same are one report."""
    same = Seed(f"{article_id}\n{order}\n{text}", datetime.combine(services.clock.now().date(), time(), UTC))
    report = await _new_report(
        services, article_id, text, order, report_id=same.id("public report"), by="", from_public=True
    )
    if await store.has_report(services.tables, article_id, report.report_id):
        return
    async with services.database.unit() as unit:
        subject = AuditSubject("recap", article_id)
        await record_audit(unit, services, SYSTEM, "recap.publicly-reported", subject, report_id=report.report_id)
        detail = {"article_id": article_id, "report_id": report.report_id, "from_public": True}
        await services.webhooks.publish(unit, REPORTED, detail)
        await store.add_report(services.tables, report)


async def _new_report(
    services: Services,
    article_id: str,
    text: str,
    order: int | None,
    *,
    report_id: str,
    by: str,
    from_public: bool = False,
) -> ErrorReport:
    article = await store.get_article(services.tables, article_id)
    text = _validate_text(text, "text", "Say what is wrong")
    if order is not None and order not in (await open_article(services, article_id)).meeting.by_order:
        raise FieldErrors(
            {"order": gettext("This meeting has no speech with that number; leave it out or use another.")}
        )
    return ErrorReport(
        id=article_id,
        report_id=report_id,
        order=order,
        version=article.version,
        text=text,
        by=by,
        from_public=from_public,
    )


async def list_reports(
    services: Services, status: ReportStatus = "open", *, cursor: str | None = None, limit: int = 25
) -> Page[ErrorReportView]:
    """Reports, the latest first."""
    page = await store.list_reports(services.tables, status, cursor=cursor, limit=limit)
    return Page([_view(report) for report in page.items], page.next_cursor)


async def list_answered(services: RecapReads, article_id: str) -> list[ErrorReportView]:
    """The reports about an article that were closed with an answer, the latest first."""
    closed = [
        _view(report)
        for report in await store.list_article_reports(services.tables, article_id)
        if report.status == "closed"
    ]
    return sorted(closed, key=lambda report: report.closed_at or report.created_at, reverse=True)


async def close_report(
    services: Services, by: Principal, article_id: str, report_id: str, answer: str, *, correction_id: str = ""
) -> ErrorReportView:
    """Close a report with an answer, which stands in the article's list of corrections from then on."""
    answer = _validate_text(answer, "answer", "Say how it was resolved")
    closed = await store.close_report(
        services.tables, article_id, report_id, answer, at=services.clock.now(), correction_id=correction_id
    )
    async with services.database.unit() as unit:
        subject = AuditSubject("recap", article_id)
        await record_audit(unit, services, by.actor, "recap.report-closed", subject, report_id=report_id)
    return _view(closed)


def _validate_text(text: str, field: str, wish: str) -> str:
    clean = text.replace("\0", "").strip()
    if not clean or len(clean) > LONGEST_TEXT:
        raise FieldErrors({field: f"{wish} in 1 to {LONGEST_TEXT} characters."})
    return clean


def _view(report: ErrorReport) -> ErrorReportView:
    return ErrorReportView(
        article_id=report.id,
        report_id=report.report_id,
        status=report.status,
        text=report.text,
        order=report.order,
        version=report.version,
        by=report.by,
        from_public=report.from_public,
        answer=report.answer,
        created_at=report.created_at,
        closed_at=report.closed_at,
        correction_id=report.correction_id,
    )
