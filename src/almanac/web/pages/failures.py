"""Failures that concern the person: named by what failed, retried, or dismissed with a reason."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import require, signed_in
from almanac.http.cookies import Flash
from almanac.http.failures import ShownFailure, list_failures
from almanac.http.pages import redirect, render_page
from almanac.http.paging import with_query
from almanac.jobs import FailureFilter
from almanac.kit.messages import gettext, ngettext, pgettext
from almanac.web import operator_actions

pages = APIRouter(prefix="/failures")
# What fits into the cookie that offers to undo it.
MOST_UNDONE = 100

Reader = Annotated[Principal, signed_in()]
Person = Annotated[Principal, require("account.own")]


@pages.get("")
async def show_failures(request: Request, principal: Reader, task: str = "", dismissed: bool = False) -> Response:
    """List the failures that concern the person, or those that were dismissed."""
    return await _page(request, principal, task, dismissed)


@pages.post("/dismiss")
async def dismiss_failures(
    request: Request,
    principal: Person,
    ids: Annotated[list[int] | None, Form()] = None,
    task: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
) -> Response:
    """Dismiss the chosen failures, or all of a kind, with a reason."""
    state = get_state(request)
    which = FailureFilter(task=task) if task else FailureFilter(ids=tuple(ids or ()))
    try:
        dismissed = await operator_actions.dismiss_failures(state.services, state.desks, principal, which, why)
    except FieldErrors as error:
        return await _page(request, principal, "", dismissed=False, errors=error.fields, chosen=ids or ())
    state.open_failures.clear()
    count = len(dismissed)
    words = (
        ngettext("Dismissed %(num)s failure.", "Dismissed %(num)s failures.", count)
        if count
        else gettext("Select a failure first.")
    )
    if not count:
        return redirect(request, "/failures", Flash(words, tone="plain"))
    chosen = ",".join(map(str, dismissed)) if count <= MOST_UNDONE else ""
    undo = "/failures/restore" if chosen else ""
    return redirect(request, "/failures", Flash(words, undo=undo, fields={"ids": chosen} if chosen else {}))


@pages.post("/restore")
async def restore_failures(request: Request, principal: Person, ids: Annotated[str, Form()] = "") -> Response:
    """Show failures again that were dismissed together; `ids` are separated by commas."""
    state = get_state(request)
    chosen = [int(job_id) for job_id in ids.split(",") if job_id.isdecimal()][:MOST_UNDONE]
    restored = await operator_actions.restore_failures(state.services, state.desks, principal, chosen)
    state.open_failures.clear()
    words = ngettext("%(num)s failure is listed again.", "%(num)s failures are listed again.", restored)
    return redirect(request, "/failures", Flash(words, tone="done" if restored else "plain"))


@pages.post("/{job_id}/restore")
async def restore_failure(request: Request, job_id: int, principal: Person) -> Response:
    """Show a dismissed failure again."""
    state = get_state(request)
    restored = await operator_actions.restore_failures(state.services, state.desks, principal, [job_id])
    state.open_failures.clear()
    flash = (
        Flash(gettext("The failure is listed again."))
        if restored
        else Flash(gettext("This failure isn't dismissed."), "plain")
    )
    return redirect(request, "/failures", flash)


async def _page(
    request: Request,
    principal: Principal,
    task: str,
    dismissed: bool,
    *,
    errors: dict[str, str] | None = None,
    chosen: list[int] | tuple[int, ...] = (),
) -> Response:
    state = get_state(request)
    which = FailureFilter(task=task or None, dismissed=dismissed)
    shown = await list_failures(state.services, state.desks, principal, which)
    kinds = sorted(
        {(failure.failure.task, gettext("Every failure of: %(title)s", title=failure.title)) for failure in shown}
    )
    return await render_page(
        request,
        "jobs/failures.html",
        status_code=422 if errors else 200,
        groups=_group(shown),
        kinds=kinds,
        dismissed=dismissed,
        errors=errors or {},
        chosen=chosen,
        facets=[
            (
                pgettext("failures", "Open"),
                None,
                with_query(request.url.replace(path="/failures"), dismissed=None),
                not dismissed,
            ),
            (gettext("Dismissed"), None, with_query(request.url.replace(path="/failures"), dismissed="yes"), dismissed),
        ],
        chips=[(gettext("Kind: %(title)s", title=state.services.jobs.title_of(task)), "/failures")] if task else [],
    )


def _group(shown: list[ShownFailure]) -> list[tuple[str, str, list[ShownFailure]]]:
    """What needs somebody first, then what somebody's own input caused."""
    alarms = [failure for failure in shown if failure.is_alarm]
    others = [failure for failure in shown if not failure.is_alarm]
    groups = [
        (gettext("Needs you"), "", alarms),
        (
            gettext("Caused by what people gave"),
            gettext("Broken files and addresses that don't answer. Their owners see them."),
            others,
        ),
    ]
    return [group for group in groups if group[2]]
