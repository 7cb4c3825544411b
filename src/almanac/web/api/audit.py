"""API: the audit log."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import AwareDatetime
from starlette.responses import StreamingResponse

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.export import MEDIA_TYPES, ExportForm
from almanac.audit.model import AuditFilter
from almanac.http.api_models import API_PREFIX, ApiModel, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.paging import Cursor, Limit

router = APIRouter(prefix=f"{API_PREFIX}/audit", tags=["audit"])

Reader = Annotated[Principal, require("audit.read")]


class AuditEntryBody(ApiModel):
    """An audit log entry."""

    id: str
    position: int
    recorded_at: datetime
    actor_id: str
    actor_via: str
    action: str
    object_type: str
    object_id: str
    why: str
    request_id: str | None
    detail: dict[str, Any]
    hash: str


class AuditCheckBody(ApiModel):
    """The result of checking the hash chain."""

    intact: bool
    entries: int
    head: str
    broken_at: int | None
    reason: str


@router.get("")
async def list_entries(
    request: Request,
    _principal: Reader,
    actor_id: Annotated[Text | None, Query()] = None,
    action: Annotated[Text | None, Query()] = None,
    object_type: Annotated[Text | None, Query()] = None,
    object_id: Annotated[Text | None, Query()] = None,
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    person: Annotated[Text | None, Query(description="Part of a name or address.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[AuditEntryBody]:
    """List entries, newest first."""
    services = get_state(request).services
    filters = AuditFilter(actor_id, action, object_type, object_id, since, until, person)
    page = await audit.list_entries(services.database, filters, key=services.key("cursors"), cursor=cursor, limit=limit)
    return Listed[AuditEntryBody].model_validate(page)


@router.get("/export", response_class=StreamingResponse)
async def export_entries(
    request: Request,
    principal: Reader,
    form: ExportForm = "jsonl",
    action: Annotated[Text | None, Query()] = None,
    object_type: Annotated[Text | None, Query()] = None,
    object_id: Annotated[Text | None, Query()] = None,
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    person: Annotated[Text | None, Query(description="Part of a name or address.")] = None,
) -> StreamingResponse:
    """Export entries, oldest first, with their hashes; `almanac audit verify` checks the file."""
    services = get_state(request).services
    filters = AuditFilter(None, action, object_type, object_id, since, until, person)
    lines = await audit.begin_export(services.database, services.clock, principal.actor, filters, form)
    return StreamingResponse(lines, media_type=MEDIA_TYPES[form])


@router.get("/check")
async def check_chain(request: Request, _principal: Reader) -> AuditCheckBody:
    """Check that no entry was changed or removed."""
    return AuditCheckBody.model_validate(await audit.verify_chain(get_state(request).services.database))
