"""API: the models assigned to writing steps, and their monthly usage and cost."""

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
Month = Annotated[str | None, Query(max_length=20, description="A month such as 2026-03; by default the current one.")]


class AssignmentBody(ApiModel):
    """The model assigned to a step."""

    what: str
    model: str = Field(description="The model, or `extractive` if none is used.")


class UsageBody(ApiModel):
    """The usage of a month; amounts are in US dollars."""

    start: datetime
    end: datetime
    spent: Decimal
    cap: Decimal | None
    paused_until: datetime | None = Field(description="Set while the month's cap is used up.")
    unpriced: int = Field(description="Calls with an unknown price, which the cap doesn't count.")
    assignments: list[AssignmentBody]
    days: list[DailyUse]
    steps: list[StepUse]


@router.get("/models/usage")
async def get_usage(request: Request, _principal: Reader, month: Month = None) -> UsageBody:
    """Usage and cost of models in a month, by day, desk and step, compared with the cap."""
    models = get_state(request).services.models
    usage = await models.month(month)
    return UsageBody(
        start=usage.start,
        end=usage.end,
        spent=usage.spent,
        cap=usage.cap,
        paused_until=usage.paused_until,
        unpriced=usage.unpriced,
        assignments=[AssignmentBody.model_validate(line) for line in models.assignments()],
        days=list(usage.days),
        steps=list(usage.steps),
    )
