"""Accountability: what was corrected, what is held, and the editors' forms to correct, hold or withdraw an article."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.recap.model.editorial import STATES, ArticleState, CorrectionKind, CorrectionWish
from almanac.desks.recap.pages.layout import ArticleId, Key, Reader, Writer, render_page
from almanac.desks.recap.permissions import WRITE
from almanac.desks.recap.published.correction_view import read_orders, text_key, text_options
from almanac.desks.recap.service import corrections, editorial
from almanac.desks.recap.urls import PREFIX, WORKSPACE, recap_url
from almanac.errors import Conflict, FieldErrors
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX)
Short = Annotated[str, Query(max_length=200)]
Number = Annotated[int, Form(ge=0, le=10**9)]
_KINDS: tuple[CorrectionKind, ...] = ("replaced", "removed", "note")
_DONE = {
    "held": gettext("The article is held. Only editors see it."),
    "withdrawn": gettext("The article is withdrawn. Its address says why."),
    "published": gettext("The article is published."),
}


@router.get("/corrections")
async def show_corrections(request: Request, principal: Reader, cursor: Cursor = None) -> Response:
    """What was corrected or withdrawn in all articles, the latest first."""
    listed = await corrections.list_corrections(get_state(request).services, cursor=cursor)
    return await render_page(
        request,
        principal,
        "corrections",
        "corrections",
        corrections=listed.items,
        feed_url="/api/v1/recap/feeds/corrections.atom",
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.get("/held")
async def show_held(request: Request, principal: Writer, cursor: Cursor = None) -> Response:
    """Articles that wait for a person, with what doesn't reconcile in each."""
    listed = await editorial.list_held(get_state(request).services, cursor=cursor)
    return await render_page(
        request,
        principal,
        "held",
        "held",
        held=listed.items,
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.get("/articles/{article_id}/corrections")
async def show_article_corrections(
    request: Request, article_id: ArticleId, principal: Reader, text: Short = "", report: Short = ""
) -> Response:
    """What was corrected in an article; editors correct, hold or withdraw it here."""
    return await _render(request, principal, article_id, typed={"text": text, "report_id": report})


@router.post("/articles/{article_id}/corrections")
async def correct_article(
    request: Request,
    article_id: ArticleId,
    principal: Writer,
    text: FormText = "",
    kind: FormText = "",
    after: FormText = "",
    orders: FormText = "",
    note: FormText = "",
    report_id: FormText = "",
) -> Response:
    """Replace or remove a text, or add a note."""
    services = get_state(request).services
    texts = {text_key(each): each for each in await corrections.list_texts(services, article_id)}
    chosen = texts.get(text)
    wish = CorrectionWish(
        kind=next((each for each in _KINDS if each == kind), "note"),
        part=chosen.part if chosen else "article",
        note=note,
        before=chosen.text if chosen else "",
        after=after,
        orders=read_orders(orders),
        report_id=report_id,
    )
    try:
        made = await corrections.correct_article(services, principal, article_id, wish)
    except FieldErrors as error:
        typed = {"text": text, "kind": kind, "after": after, "orders": orders, "note": note, "report_id": report_id}
        return await _render(request, principal, article_id, typed=typed, errors=error.fields)
    here = WORKSPACE.article_corrections(article_id)
    return redirect_with_message(
        request, here, gettext("Corrected. Readers see the note."), undo=f"{here}/{made.correction_id}/undo"
    )


@router.post("/articles/{article_id}/corrections/{correction_id}/undo")
async def undo_correction(request: Request, article_id: ArticleId, correction_id: Key, principal: Writer) -> Response:
    """Take a correction back."""
    await corrections.undo_correction(get_state(request).services, principal, article_id, correction_id)
    here = WORKSPACE.article_corrections(article_id)
    return redirect_with_message(request, here, gettext("The correction was taken back."))


@router.post("/articles/{article_id}/status")
async def decide_status(
    request: Request,
    article_id: ArticleId,
    principal: Writer,
    state: FormText = "",
    reason: FormText = "",
    revision: Number = 0,
) -> Response:
    """Hold, release or withdraw an article."""
    services, wanted = get_state(request).services, _state(state)
    before = await editorial.get_status(services, article_id)
    try:
        decided = await editorial.decide_state(services, principal, article_id, wanted, reason, revision=revision)
    except FieldErrors as error:
        typed = {"state": state, "reason": reason}
        return await _render(request, principal, article_id, typed=typed, errors=error.fields)
    return redirect_with_message(
        request,
        WORKSPACE.article_corrections(article_id),
        _DONE[decided.state],
        undo=recap_url("articles", article_id, "status"),
        fields={"state": before.state, "reason": before.reason, "revision": str(decided.revision)},
    )


def _state(text: str) -> ArticleState:
    return next((state for state in STATES if state == text), "held")


async def _render(
    request: Request,
    principal: Principal,
    article_id: str,
    *,
    typed: dict[str, str],
    errors: dict[str, str] | None = None,
) -> Response:
    services = get_state(request).services
    is_editor = principal.may(WRITE)
    status = await editorial.get_visible_status(services, article_id, is_editor=is_editor)
    listed = await corrections.list_article_corrections(services, article_id)
    return await render_page(
        request,
        principal,
        "articles",
        "article_corrections",
        status_code=422 if errors else 200,
        status=status,
        corrections=[each for each in listed.corrections if is_editor or each.status == "applied"],
        answered=listed.answered,
        is_editor=is_editor,
        options=await _options(request, article_id) if is_editor else [],
        typed=typed,
        errors=errors or {},
    )


async def _options(request: Request, article_id: str) -> list[tuple[str, str]]:
    """What can be corrected; nothing in an article of another program."""
    try:
        return text_options(await corrections.list_texts(get_state(request).services, article_id))
    except Conflict:
        return []
