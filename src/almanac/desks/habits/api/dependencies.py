"""What the desk's API routes share: permissions, the router, and days in paths."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path

from almanac.accounts.model import Principal
from almanac.desks.habits.permissions import READ, WRITE
from almanac.http.api_models import API_PREFIX
from almanac.http.auth import require
from almanac.http.idempotency.route import IdempotentRoute

PREFIX = f"{API_PREFIX}/habits"

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Day = Annotated[date, Path(alias="date", description="Such as 2026-03-02.")]


def new_router() -> APIRouter:
    """A router of this desk; POSTs may carry an Idempotency-Key."""
    return APIRouter(prefix=PREFIX, tags=["habits"], route_class=IdempotentRoute)
