"""API: what waits for the caller, today's jobs, and an overview of each desk."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.jobs import JobStatus
from almanac.web.home_content import DeskCard, JobSummary, load_home

router = APIRouter(prefix=f"{API_PREFIX}/home", tags=["home"])


class WaitingItemBody(ApiModel):
    """An item the caller can act on, and its page."""

    title: str
    text: str
    href: str
    since: datetime | None


class WaitingBody(ApiModel):
    """Waiting items of one kind: how many, and those waiting longest."""

    noun: str
    count: int
    or_more: bool = Field(description="Whether counting stopped at this number.")
    href: str
    items: list[WaitingItemBody]


class JobSummaryBody(ApiModel):
    """Today's runs of one task, with the latest failure, or else the latest run."""

    task: str
    title: str
    times: int
    failed: int
    job_id: int
    status: JobStatus
    finished_at: datetime | None
    reason: str | None
    schedule: str | None


class FigureBody(ApiModel):
    """A number with its label."""

    number: int
    or_more: bool
    words: str
    href: str


class SeriesBody(ApiModel):
    """The values of a chart, in order."""

    title: str
    points: list[tuple[str, int]]


class HomeLinkBody(ApiModel):
    """A link with its label."""

    words: str
    href: str
    at: datetime | None
    language: str = Field(description="Empty for English.")


class DeskBody(ApiModel):
    """The overview of a desk, or why it couldn't be loaded."""

    name: str
    title: str
    figures: list[FigureBody]
    series: SeriesBody | None
    last: HomeLinkBody | None
    first_step: HomeLinkBody | None
    problem: str


class HomeBody(ApiModel):
    """The home page as data."""

    waiting: list[WaitingBody]
    ran_today: list[JobSummaryBody] | None = Field(description="Null for callers who may not see jobs.")
    desks: list[DeskBody]


@router.get("")
async def get_home(request: Request, principal: Annotated[Principal, signed_in()]) -> HomeBody:
    """Get what the home page shows, limited to what the caller may see and do."""
    state = get_state(request)
    home = await load_home(state.services, state.desks, principal)
    return HomeBody(
        waiting=[WaitingBody.model_validate(group) for group in home.waiting],
        ran_today=[_job_summary_body(ran) for ran in home.today.ran] if home.today else None,
        desks=[_desk_body(desk) for desk in home.desks],
    )


def _job_summary_body(ran: JobSummary) -> JobSummaryBody:
    job = ran.job
    return JobSummaryBody(
        task=job.task,
        title=ran.title,
        times=ran.times,
        failed=ran.failed,
        job_id=job.id,
        status=job.status,
        finished_at=job.finished_at,
        reason=job.reason,
        schedule=job.schedule,
    )


def _desk_body(card: DeskCard) -> DeskBody:
    glance = card.glance
    return DeskBody(
        name=card.desk.name,
        title=str(card.desk.title),
        figures=[FigureBody.model_validate(figure) for figure in glance.figures],
        series=SeriesBody.model_validate(glance.series) if glance.series else None,
        last=HomeLinkBody.model_validate(glance.last) if glance.last else None,
        first_step=HomeLinkBody.model_validate(glance.first_step) if glance.first_step else None,
        problem=card.problem,
    )
