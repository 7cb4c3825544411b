"""API: which model writes what, and what a month of it took."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.llm.store import DailyUse, StepUse

router = APIRouter(prefix=API_PREFIX, tags=["models"])

Reader = Annotated[Principal, require("models.read")]
Month = Annotated[str | None, Query(max_length=20, description="A month such as 2026-03; by default the present one.")]


class AssignmentBody(ApiModel):
    """Who writes a step."""

    what: str
    model: str = Field(description="The model, or `extractive` where none takes part.")


class UsageBody(ApiModel):
    """A month of the ledger; amounts are US dollars."""

    start: datetime
    end: datetime
    spent: Decimal
    cap: Decimal | None
    paused_until: datetime | None = Field(description="Set while the month's cap is used up.")
    unpriced: int = Field(description="Uses whose price is not known, and which the cap doesn't count.")
    assignments: list[AssignmentBody]
    days: list[DailyUse]
    steps: list[StepUse]


@router.get("/models/usage")
async def get_usage(request: Request, _principal: Reader, month: Month = None) -> UsageBody:
    """What models took in a month, by day and by desk and step, against the cap."""
    models = get_state(request).services.models
    use = await models.month(month)
    return UsageBody(
        start=use.start,
        end=use.end,
        spent=use.spent,
        cap=use.cap,
        paused_until=use.paused_until,
        unpriced=use.unpriced,
        assignments=[AssignmentBody.model_validate(line) for line in models.assignments()],
        days=list(use.days),
        steps=list(use.steps),
    )
