"""API: what a newsletter's schedule did, and when it is due next."""

from datetime import datetime

from fastapi import Request
from pydantic import Field

from almanac.desks.newsletter import service
from almanac.desks.newsletter.api.dependencies import Code, Reader, new_router
from almanac.desks.newsletter.model.series import IssueRun, Outcome, Series
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state

router = new_router()


class RunBody(ApiModel):
    """One moment at which an issue was due: the newsletter that was prepared, or why there is none."""

    due_at: datetime
    outcome: Outcome
    issue: str | None = Field(description="The code of the issue that was begun.")
    reason: str
    at: datetime

    @classmethod
    def of(cls, run: IssueRun) -> "RunBody":
        return cls(due_at=run.due, outcome=run.outcome, issue=run.issue, reason=run.reason, at=run.at)


class SeriesBody(ApiModel):
    """Whether issues are prepared by themselves, when the next one is due, and the last runs, the latest first."""

    active: bool
    next_run: datetime | None
    runs: list[RunBody]

    @classmethod
    def of(cls, series: Series) -> "SeriesBody":
        return cls(active=series.active, next_run=series.next_run, runs=[RunBody.of(run) for run in series.latest])


@router.get("/{code}/runs")
async def list_runs(request: Request, code: Code, principal: Reader) -> SeriesBody:
    """What became of the issues that were due, and when the next one is."""
    return SeriesBody.of(await service.series_of(get_state(request).services, principal, code))
