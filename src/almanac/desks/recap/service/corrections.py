"""Corrections of articles: an editor changes a text with a note that readers see; a list of them all, and its feed."""

import asyncio
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.audit.model import AuditSubject
from almanac.desks.recap.events import CORRECTED, record_audit, record_event
from almanac.desks.recap.model.editorial import CorrectableText, CorrectionView, CorrectionWish, list_correctable
from almanac.desks.recap.model.left_out import left_out_words
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.parliaments.stated_results import find_unnamed_stage
from almanac.desks.recap.model.views import ErrorReportView, ForeignArticle, FullArticle
from almanac.desks.recap.pipeline.republish import republish_with_corrections
from almanac.desks.recap.service.articles import read_item
from almanac.desks.recap.service.reports import close_report, list_answered
from almanac.desks.recap.store import editorial
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import Article, ArticleCorrection
from almanac.desks.recap.writer.evidence import evidence_for
from almanac.desks.recap.writer.multilingual.side_openings import remove_side_opening
from almanac.errors import Conflict, FieldErrors, NotFound
from almanac.kit.ids import Seed, new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.services import Services

LONGEST_NOTE, LONGEST_SENTENCE = 2000, 4000


@dataclass(frozen=True, slots=True)
class CorrectionList:
    """What was corrected in an article, the latest first, and the reports of readers that were answered."""

    corrections: list[CorrectionView]
    answered: list[ErrorReportView]


async def correct_article(
    services: Services, by: Principal, article_id: str, wish: CorrectionWish, *, seed: Seed | None = None
) -> CorrectionView:
    """Correct an article and publish it as a new version; the same seed corrects once.

    FieldErrors if the note is missing, the text isn't in the article, or the record doesn't support the new one.
    """
    article = await _open_editable(services, article_id)
    text = await _check_wish(article, wish)
    correction = ArticleCorrection(
        id=article_id,
        correction_id=seed.id("correction") if seed else new_id(),
        kind=wish.kind,
        part=wish.part if wish.kind != "note" or wish.before else "article",
        before=text.text if text else "",
        after=wish.after.strip() if wish.kind == "replaced" else "",
        note=wish.note.strip(),
        orders=list(wish.orders or (text.orders if text else ())),
        by=by.name,
        report_id=wish.report_id,
        date=article.card.date,
        name_of_house=article.card.name_of_house,
        name_of_meeting=article.card.name_of_meeting,
        created_at=services.clock.now(),
    )
    stored = await editorial.add_correction(services.tables, correction)
    await republish_with_corrections(services, article_id, reason=f"Corrected: {stored.note}", by=by.actor)
    async with services.database.unit() as unit:
        await record_event(unit, services, by.actor, CORRECTED, article_id, correction_id=stored.correction_id)
    if wish.report_id:
        await close_report(services, by, article_id, wish.report_id, stored.note, correction_id=stored.correction_id)
    return editorial.view_correction(stored)


async def undo_correction(services: Services, by: Principal, article_id: str, correction_id: str) -> CorrectionView:
    """Take a correction back: the article says again what it said before. Repeating it changes nothing."""
    article = await _open_editable(services, article_id)
    listed = await editorial.list_corrections(services.tables, article_id)
    correction = next((each for each in listed if each.correction_id == correction_id), None)
    if correction is None or correction.kind == "withdrawn":
        raise NotFound(gettext("There is no correction with this id."))
    undone = await editorial.set_correction_status(services.tables, article_id, correction_id, "undone")
    await republish_with_corrections(services, article.card.id, reason="A correction was taken back.", by=by.actor)
    async with services.database.unit() as unit:
        subject = AuditSubject("recap", article_id)
        await record_audit(unit, services, by.actor, "recap.correction-undone", subject, correction_id=correction_id)
    return editorial.view_correction(undone)


async def list_article_corrections(services: RecapReads, article_id: str) -> CorrectionList:
    """What was corrected in an article, including what was taken back, and what readers were answered."""
    listed = await editorial.list_corrections(services.tables, article_id)
    corrections = [editorial.view_correction(correction) for correction in reversed(listed)]
    return CorrectionList(corrections, await list_answered(services, article_id))


async def list_corrections(services: RecapReads, *, cursor: str | None = None, limit: int = 25) -> Page[CorrectionView]:
    """Corrections of all articles that readers see, the latest first."""
    page = await editorial.list_latest_corrections(services.tables, cursor=cursor, limit=limit)
    return Page([editorial.view_correction(each) for each in page.items if each.status == "applied"], page.next_cursor)


async def list_texts(services: Services, article_id: str) -> list[CorrectableText]:
    """The texts of an article that can be corrected."""
    return list_correctable((await _open_editable(services, article_id)).recap)


async def note_withdrawal(services: Services, by: Principal, article: Article, reason: str) -> None:
    """List a withdrawal among the corrections, so that readers who follow them learn of it."""
    stored = ArticleCorrection(
        id=article.id,
        correction_id=new_id(),
        kind="withdrawn",
        part="article",
        note=reason,
        by=by.name,
        date=article.date,
        name_of_house=article.name_of_house,
        name_of_meeting=article.name_of_meeting,
        created_at=services.clock.now(),
    )
    await editorial.add_correction(services.tables, stored)


async def remove_withdrawal(services: Services, article_id: str) -> None:
    """Take an article's withdrawal out of the corrections, since it is published again."""
    for correction in await editorial.list_corrections(services.tables, article_id):
        if correction.kind == "withdrawn" and correction.status != "undone":
            await editorial.set_correction_status(services.tables, article_id, correction.correction_id, "undone")


async def _open_editable(services: Services, article_id: str) -> FullArticle:
    """The article, also while it is held. Conflict if its texts are another program's."""
    article = await read_item(services, await editorial.find_item(services, article_id))
    if isinstance(article, ForeignArticle):
        raise Conflict(
            gettext("Another program wrote this article, so its texts can't be corrected here; hold or withdraw it.")
        )
    return article


async def _check_wish(article: FullArticle, wish: CorrectionWish) -> CorrectableText | None:
    """The text that a correction is about; None for a note about the whole article."""
    fields: dict[str, str] = {}
    if not 0 < len(wish.note.strip()) <= LONGEST_NOTE:
        fields["note"] = gettext("Say what was wrong in 1 to %(most)s characters; readers see it.", most=LONGEST_NOTE)
    text = next(
        (each for each in list_correctable(article.recap) if each.part == wish.part and each.text == wish.before), None
    )
    if text is None and wish.kind != "note":
        fields["before"] = gettext("The article doesn't say this any more; choose one of its texts.")
    if wish.kind == "removed" and wish.part == "title":
        fields["kind"] = gettext("An article needs a title; replace it.")
    if wish.kind == "replaced" and text is not None and (problem := await _find_problem(article, wish, text)):
        fields["after"] = problem
    if fields:
        raise FieldErrors(fields)
    return text


async def _find_problem(article: FullArticle, wish: CorrectionWish, text: CorrectableText) -> str:
    """What is wrong with a new text; empty if the record supports it."""
    after = wish.after.strip()
    if not after or after == text.text or len(after) > LONGEST_SENTENCE:
        return gettext("Write what it says from now on.")
    orders = wish.orders or text.orders
    if unknown := [order for order in orders if order not in article.meeting.by_order]:
        return gettext("This meeting has no speech %(order)s.", order=unknown[0])
    return await asyncio.to_thread(_explain_unsupported, article.meeting, after, orders)


def _explain_unsupported(meeting: Meeting, after: str, orders: tuple[int, ...]) -> str:
    evidence = evidence_for(meeting).copy()
    statement = after.replace(f"（{meeting.house}{meeting.meeting}）", "").strip()
    named = orders or evidence.orders
    if stage := find_unnamed_stage(statement, evidence.rulings):
        return gettext("Only the %(stage)s was decided; name it, or add a note instead.", stage=stage)
    if evidence.supports(statement, named):
        return ""
    if (reason := remove_side_opening(statement, meeting, named)) != statement:
        if evidence.agrees(statement, named) and (not reason or evidence.supports(reason, named)):
            return ""
        statement = reason
    return gettext(
        "The record doesn't support this: %(reason)s Change it, remove the sentence, or add a note instead.",
        reason=left_out_words(evidence.explain(statement, named)),
    )
