"""API: which model writes what, and what a month of it took."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.app_state import get_state
from almanac.http.auth import require

router = APIRouter(prefix=API_PREFIX, tags=["models"])

Reader = Annotated[Principal, require("models.read")]
Month = Annotated[str | None, Query(max_length=20, description="A month such as 2026-03; by default the present one.")]


class AssignmentBody(ApiModel):
    """Who writes a step."""

    what: str
    model: str = Field(description="The model, or `extractive` where none takes part.")


class ModelDayBody(ApiModel):
    """One day's uses and their cost in US dollars."""

    day: date
    uses: int
    cost: Decimal


class ModelStepBody(ApiModel):
    """What one step of one desk took from one model."""

    desk: str
    step: str
    model: str
    uses: int
    cached: int
    failed: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: Decimal
    unpriced: int
    median_seconds: float


class UsageBody(ApiModel):
    """A month of the ledger; amounts are US dollars."""

    start: datetime
    end: datetime
    spent: Decimal
    cap: Decimal | None
    paused_until: datetime | None = Field(description="Set while the month's cap is used up.")
    unpriced: int = Field(description="Uses whose price is not known, and which the cap doesn't count.")
    assignments: list[AssignmentBody]
    days: list[ModelDayBody]
    steps: list[ModelStepBody]


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
        days=[ModelDayBody.model_validate(day) for day in use.days],
        steps=[ModelStepBody.model_validate(line) for line in use.steps],
    )
