"""What the desk's API routes share: permissions, path parameters, and the response of a started job."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName, StepState
from almanac.desks.newsletter.permissions import READ, SEND, WRITE
from almanac.desks.newsletter.service.steps import StartedStepJob
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.auth import require
from almanac.http.idempotency.route import IdempotentRoute

PREFIX = f"{API_PREFIX}/newsletters"

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Sender = Annotated[Principal, require(SEND)]
Code = Annotated[str, Path(max_length=40, description="Such as NL-20260126-A1B2.")]
PartId = Annotated[str, Path(min_length=1, max_length=200)]
Words = Annotated[str, Field(max_length=5000)]


def new_router() -> APIRouter:
    """A router of this desk; POSTs may carry an Idempotency-Key."""
    return APIRouter(prefix=PREFIX, tags=["newsletters"], route_class=IdempotentRoute)


class NewsletterJobBody(ApiModel):
    """The job that runs. `joined` means that it was already running; follow it at `/{code}/events`."""

    job_id: int
    joined: bool
    status: str = "processing"

    @classmethod
    def from_model(cls, started: StartedStepJob) -> "NewsletterJobBody":
        return cls(job_id=started.job_id, joined=started.joined)


def list_changes(full: FullNewsletter, step: StepName) -> list[str]:
    """What changed since the step was done, one sentence per change."""
    return [change.sentence for change in full.changes if change.step == step]


def state_fields(step: StepName, state: StepState) -> dict[str, object]:
    """The state of a step under its documented names."""
    return {
        f"{step}_status": state.status,
        f"{step}_started_at": state.started_at,
        f"{step}_completed_at": state.completed_at,
        f"{step}_error": state.error,
        "job_id": state.job,
    }
