"""The public archive by API: put an issue in, take it out."""

from datetime import datetime

from fastapi import Request

from almanac.desks.newsletter.api.dependencies import Code, Sender, new_router
from almanac.desks.newsletter.service import archive as archive_service
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.problems import documented_problems

router = new_router()


class ArchiveBody(ApiModel):
    """Where anyone can read the issue, and since when."""

    url: str
    published_at: datetime | None


@router.post("/{code}/archive", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def publish_issue(request: Request, code: Code, principal: Sender) -> ArchiveBody:
    """Show a completed issue to everybody, as it is now."""
    status = await archive_service.publish_issue(get_state(request).services, principal, code)
    return ArchiveBody(url=status.url, published_at=status.issue.published_at if status.issue else None)


@router.delete("/{code}/archive", status_code=204)
async def withdraw_issue(request: Request, code: Code, principal: Sender) -> None:
    """Take an issue out of the archive."""
    await archive_service.withdraw_issue(get_state(request).services, principal, code)
