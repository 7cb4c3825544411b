"""The audit log: who did what, when and why, with filters in the URL, and its export."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response, StreamingResponse

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.export import MEDIA_TYPES, ExportForm
from almanac.audit.model import AuditEntry, AuditFilter, parse_period
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.pages import render_page
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.messages import gettext, pgettext
from almanac.services import Services

pages = APIRouter(prefix="/audit")

Reader = Annotated[Principal, require("audit.read")]


class AuditQuery:
    """The filters of the page, as the URL has them. Days are those of the person's time zone, both included."""

    def __init__(
        self,
        action: str = "",
        person: str = "",
        actor: str = "",
        kind: str = "",
        about: str = "",
        since: str = "",
        until: str = "",
    ) -> None:
        self.action = action
        self.person = person
        self.actor = actor
        self.kind = kind
        self.about = about
        self.since = since
        self.until = until

    def filters(self, zone: str) -> AuditFilter:
        """What to ask for; raises InputError for a date that isn't one."""
        since, until = parse_period(self.since, self.until, zone)
        return AuditFilter(
            actor_id=self.actor or None,
            action=self.action or None,
            object_type=self.kind or None,
            object_id=self.about or None,
            since=since,
            until=until,
            person=self.person or None,
        )

    def chips(self, request: Request) -> list[tuple[str, str]]:
        labels = {
            "action": gettext("Action"),
            "person": gettext("Person"),
            "actor": gettext("Actor"),
            "kind": gettext("Kind"),
            "about": gettext("About"),
        }
        labels |= {"since": pgettext("day", "From"), "until": pgettext("day", "To")}
        return [
            (
                gettext("%(name)s: %(value)s", name=label, value=value),
                with_query(request.url, **{name: None, "cursor": None}),
            )
            for name, label in labels.items()
            if (value := getattr(self, name))
        ]


@pages.get("")
async def show_entries(
    request: Request, principal: Reader, query: Annotated[AuditQuery, Depends()], cursor: Cursor = None
) -> Response:
    """List entries, newest first."""
    services = get_state(request).services
    filters = query.filters(_zone(services, principal))
    listed = await audit.list_entries(services.database, filters, key=services.key("cursors"), cursor=cursor)
    return await render_page(
        request,
        "audit.html",
        entries=listed.items,
        actions=[(name, name) for name in await audit.list_actions(services.database)],
        query=query,
        exports=[
            (label, with_query(request.url.replace(path="/audit/export"), form=form, cursor=None))
            for form, label in (("jsonl", gettext("Export as JSON lines")), ("csv", gettext("Export as CSV")))
        ],
        chips=query.chips(request),
        names=await _names(services, listed.items),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.get("/export")
async def export_entries(
    request: Request, principal: Reader, query: Annotated[AuditQuery, Depends()], form: ExportForm = "jsonl"
) -> Response:
    """Download the entries that fit the filters, oldest first, with their hashes."""
    services = get_state(request).services
    filters = query.filters(_zone(services, principal))
    lines = await audit.begin_export(services.database, services.clock, principal.actor, filters, form)
    name = f"audit-{services.clock.now():%Y-%m-%d}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, media_type=MEDIA_TYPES[form], headers=headers)


def _zone(services: Services, principal: Principal) -> str:
    return principal.preferences.time_zone or services.settings.time_zone


@pages.get("/check")
async def check_chain(request: Request, _principal: Reader) -> Response:
    """Check that no entry was changed or removed since it was written."""
    report = await audit.verify_chain(get_state(request).services.database)
    return await render_page(request, "audit_check.html", report=report)


async def _names(services: Services, entries: list[AuditEntry]) -> dict[str, str]:
    """Display names for the ids on the page: names of people, and the last part of other ids."""
    ids = {entry.actor_id for entry in entries} | {entry.object_id for entry in entries}
    names = {user_id: user_id if len(user_id) < 20 else "…" + user_id[-8:] for user_id in ids}
    return names | await audit.list_names(services.database, entries)
