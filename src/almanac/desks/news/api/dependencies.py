"""What the desk's API routes share: who may come in, and names in paths."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import AfterValidator, Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.auth import require
from almanac.http.idempotency.route import IdempotentRoute

PREFIX = f"{API_PREFIX}/news"


def _storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("Leave out the character of code zero")
    return text


Reader = Annotated[Principal, require("desk.news.read")]
Editor = Annotated[Principal, require("desk.news.write")]
Name = Annotated[str, AfterValidator(_storable), Path(min_length=1, max_length=255)]
Words = Annotated[str, AfterValidator(_storable), Field(max_length=5000)]
Number = Annotated[int, Path(ge=1, le=2**63 - 1)]


def new_router() -> APIRouter:
    """A router of this desk; POSTs may carry an Idempotency-Key."""
    return APIRouter(prefix=PREFIX, tags=["news"], route_class=IdempotentRoute)


class StartedBody(ApiModel):
    """The job that does it; watch it at `/api/v1/jobs/{job_id}`."""

    job_id: int
