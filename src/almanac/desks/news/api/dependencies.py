"""What the desk's API routes share: who may call them, the router, and parameters."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import AfterValidator, Field

from almanac.accounts.model import Principal
from almanac.desks.news.permissions import READ, WRITE
from almanac.http.api_models import API_PREFIX, reject_nul
from almanac.http.auth import require
from almanac.http.idempotency.route import AtomicRoute

PREFIX = f"{API_PREFIX}/news"
Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Name = Annotated[str, AfterValidator(reject_nul), Path(min_length=1, max_length=255)]
Words = Annotated[str, AfterValidator(reject_nul), Field(max_length=5000)]


def new_router() -> APIRouter:
    """A router of this desk; POST requests may carry an Idempotency-Key."""
    return APIRouter(prefix=PREFIX, tags=["news"], route_class=AtomicRoute)
