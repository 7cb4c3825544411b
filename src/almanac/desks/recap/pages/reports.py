"""Readers say what is wrong with an article; editors see it, and say what was done."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.recap.model.facts.speech_text import spoken_lines
from almanac.desks.recap.pages.layout import ArticleId, Key, Reader, Writer, render_page
from almanac.desks.recap.service import articles, reports
from almanac.desks.recap.urls import PREFIX, RecapUrls, recap_url
from almanac.errors import FieldErrors, InputError
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext, join_texts

router = APIRouter(prefix=PREFIX)
Status = Literal["open", "closed"]
Order = Annotated[int | None, Query(ge=0, le=1_000_000)]


@router.get("/articles/{article_id}/report")
async def show_report_form(request: Request, article_id: ArticleId, principal: Reader, order: Order = None) -> Response:
    """The form, about the whole article or one speech."""
    return await _form(request, principal, article_id, order)


@router.post("/articles/{article_id}/report")
async def submit_report(
    request: Request, article_id: ArticleId, principal: Reader, text: FormText = "", order: FormText = ""
) -> Response:
    """Keep what the reader says."""
    number = int(order) if order.isdecimal() and len(order) < 8 else None
    try:
        await reports.report_error(get_state(request).services, principal, article_id, text, order=number)
    except FieldErrors as error:
        return await _form(request, principal, article_id, number, text, join_texts(error.fields.values(), " "))
    except InputError as error:
        return await _form(request, principal, article_id, number, text, error.sentence)
    to = RecapUrls()
    where = to.article(article_id) if number is None else to.speech(article_id, number)
    return redirect_with_message(request, where, gettext("Thank you. An editor will check it."))


@router.get("/reports")
async def show_reports(request: Request, principal: Writer, status: str = "open", cursor: Cursor = None) -> Response:
    """What readers reported, the latest first."""
    shown_status: Status = "closed" if status == "closed" else "open"
    listed = await reports.list_reports(get_state(request).services, shown_status, cursor=cursor)
    return await render_page(
        request,
        principal,
        "reports",
        "reports",
        reports=listed.items,
        status=shown_status,
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.post("/articles/{article_id}/reports/{report_id}")
async def close_report(
    request: Request, article_id: ArticleId, report_id: Key, principal: Writer, answer: FormText = ""
) -> Response:
    """Say what was done about a report, and close it."""
    await reports.close_report(get_state(request).services, principal, article_id, report_id, answer)
    return redirect_with_message(request, recap_url("reports"), gettext("Report closed."))


async def _form(
    request: Request, principal: Principal, article_id: str, order: int | None, text: str = "", error: str = ""
) -> Response:
    article = await articles.open_article(get_state(request).services, article_id)
    speech = article.meeting.by_order.get(order) if order is not None else None
    return await render_page(
        request,
        principal,
        "articles",
        "report",
        status_code=422 if error else 200,
        article=article,
        card=article.card,
        order=order,
        speech=speech,
        said=" ".join(spoken_lines(speech)) if speech else "",
        text=text,
        error=error,
    )
