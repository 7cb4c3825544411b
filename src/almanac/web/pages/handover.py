"""Handing a person's work over to another."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.handover import hand_over, plan_handover
from almanac.http.pages import FormText, redirect, render_page
from almanac.kit.messages import ngettext
from almanac.web.pages.person_picker import choose_person

pages = APIRouter(prefix="/people/{user_id}/handover")

Manager = Annotated[Principal, require("users.manage")]


@pages.get("")
async def show_handover(request: Request, user_id: str, principal: Manager) -> Response:
    """Show what a person has to hand over."""
    return await _render(request, principal, user_id)


@pages.post("")
async def save_handover(
    request: Request, user_id: str, principal: Manager, to: FormText = "", why: FormText = ""
) -> Response:
    """Give all work of a person to another."""
    state = get_state(request)
    choice = await choose_person(state.services, principal, to)
    typed = {"to": to, "why": why}
    if choice.error:
        return await _render(
            request, principal, user_id, typed=typed, errors=choice.errors("to"), matches=choice.matches
        )
    try:
        result = await hand_over(state.services, state.desks, principal, user_id, choice.key, why=why)
    except FieldErrors as error:
        return await _render(request, principal, user_id, typed=typed, errors=error.fields)
    moved = sum(result.moved.values())
    words = ngettext("%(num)s item went to %(name)s.", "%(num)s items went to %(name)s.", moved, name=result.heir.name)
    return redirect(request, f"/people/{user_id}", Flash(words))


async def _render(
    request: Request,
    principal: Principal,
    user_id: str,
    *,
    typed: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
    matches: Sequence[tuple[str, str]] = (),
) -> Response:
    state = get_state(request)
    plan = await plan_handover(state.services, state.desks, principal, user_id)
    return await render_page(
        request,
        "people/handover.html",
        status_code=422 if errors else 200,
        user=plan.leaver,
        plan=plan,
        typed=typed or {},
        matches=matches,
        errors=errors or {},
    )
