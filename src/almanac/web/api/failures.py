"""API: failures that concern the caller, and their dismissal."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.errors import InputError
from almanac.http.api_models import API_PREFIX, ApiModel, RowId, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require, signed_in
from almanac.http.failures import ShownFailure, list_failures
from almanac.http.idempotency.route import AtomicRoute
from almanac.jobs import FailureFilter
from almanac.kit.messages import gettext
from almanac.web import operator_actions

router = APIRouter(prefix=f"{API_PREFIX}/failures", tags=["jobs"], route_class=AtomicRoute)

Reader = Annotated[Principal, signed_in()]
Person = Annotated[Principal, require("account.own")]


class FailedObjectBody(ApiModel):
    """What the failed work was about."""

    title: str
    href: str


class DismissalBody(ApiModel):
    """Who dismissed a failure, when and why."""

    at: datetime
    by: str
    why: str


class FailureBody(ApiModel):
    """A failure. The same work on the same object is listed once, with its latest job."""

    job_id: int
    task: str
    title: str
    kind: str | None = Field(description="The kind of object that it worked on.")
    object: FailedObjectBody | None = Field(description="Null if there is none, or if the caller may not see it.")
    reason: str
    by_input: bool = Field(description="Whether what a person gave caused it: a broken file, a dead address.")
    is_own: bool = Field(description="Whether the object is the caller's own.")
    times: int
    failed_at: datetime | None
    dismissal: DismissalBody | None


class DismissRequest(ApiModel):
    """Which failures to dismiss, and why: those of these jobs, or all of a kind of work."""

    ids: list[Annotated[int, Field(ge=1, le=2**63 - 1)]] = Field(default_factory=list, max_length=1000)
    task: Text | None = None
    why: Text


class DismissedBody(ApiModel):
    """How many failed jobs were dismissed."""

    dismissed: int


class RestoredBody(ApiModel):
    """How many failures are listed again."""

    restored: int


@router.get("")
async def get_failures(
    request: Request, principal: Reader, task: Annotated[Text | None, Query()] = None, dismissed: bool = False
) -> list[FailureBody]:
    """List failures that concern the caller, newest first; 200 at most."""
    state = get_state(request)
    shown = await list_failures(state.services, state.desks, principal, FailureFilter(task=task, dismissed=dismissed))
    return [_failure_body(failure) for failure in shown]


@router.post("/dismiss")
async def dismiss_failures(request: Request, body: DismissRequest, principal: Person) -> DismissedBody:
    """Dismiss failures with a reason. They stay in the history, and come back if they fail again."""
    if bool(body.ids) == (body.task is not None):
        raise InputError(gettext("Name either ids or a task."))
    state = get_state(request)
    which = FailureFilter(ids=tuple(body.ids)) if body.ids else FailureFilter(task=body.task)
    count = len(await operator_actions.dismiss_failures(state.services, state.desks, principal, which, body.why))
    return DismissedBody(dismissed=count)


@router.post("/{job_id}/restore")
async def restore_failure(request: Request, job_id: RowId, principal: Person) -> RestoredBody:
    """List a dismissed failure again."""
    state = get_state(request)
    return RestoredBody(
        restored=await operator_actions.restore_failures(state.services, state.desks, principal, [job_id])
    )


def _failure_body(shown: ShownFailure) -> FailureBody:
    failure = shown.failure
    return FailureBody(
        job_id=failure.job_id,
        task=failure.task,
        title=shown.title,
        kind=failure.object.kind if failure.object else None,
        object=FailedObjectBody(title=shown.object.title, href=shown.object.href) if shown.object else None,
        reason=shown.reason,
        by_input=failure.by_input,
        is_own=shown.is_own,
        times=failure.times,
        failed_at=failure.failed_at,
        dismissal=DismissalBody.model_validate(failure.dismissal) if failure.dismissal else None,
    )
