"""The audit log: who did what, when and why, with filters in the URL, and its export."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response, StreamingResponse

from almanac.accounts.model import AUTOMATION, Principal
from almanac.audit import service as audit
from almanac.audit.export import MEDIA_TYPES, ExportForm
from almanac.audit.model import SYSTEM, AuditFilter, parse_period
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.desk import Desk
from almanac.http.pages import render_page
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.messages import gettext
from almanac.services import Services
from almanac.web.audit_log import ACTOR_NAMES, VIA_LABELS, AuditReader, list_action_groups

pages = APIRouter(prefix="/audit")

Reader = Annotated[Principal, require("audit.read")]
PERIODS = {"": gettext("Any day"), "today": gettext("Today"), "week": gettext("This week")}


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
        period: str = "",
    ) -> None:
        self.action = action
        self.person = person
        self.actor = actor
        self.kind = kind
        self.about = about
        self.since = since
        self.until = until
        self.period = period

    def filters(self, zone: str, now: datetime) -> AuditFilter:
        """What to ask for; raises InputError for a date that isn't one. Days that were typed are preferred."""
        today = now.astimezone(ZoneInfo(zone)).date()
        begins = {"today": today, "week": today - timedelta(days=today.weekday())}
        first = begins[self.period].isoformat() if self.period in begins and not (self.since or self.until) else ""
        since, until = parse_period(self.since or first, self.until, zone)
        return AuditFilter(
            actor_id=self.actor or None,
            action=self.action or None,
            object_type=self.kind or None,
            object_id=self.about or None,
            since=since,
            until=until,
            person=self.person or None,
        )

    def chips(self, request: Request, words: Mapping[str, str]) -> list[tuple[str, str]]:
        """What is filtered that no field shows, each removable: `words` are the names of values."""
        labels = {
            "person": gettext("Person"),
            "kind": gettext("Kind"),
            "about": gettext("About"),
        }
        return [
            (
                gettext("%(name)s: %(value)s", name=label, value=words.get(value, value)),
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
    state = get_state(request)
    services, zone = state.services, _zone(state.services, principal)
    listed = await audit.list_entries(
        services.database, query.filters(zone, services.clock.now()), key=services.key("cursors"), cursor=cursor
    )
    lines = await AuditReader(services, state.desks, principal).describe(listed.items)
    words = {line.entry.object_id: line.subject for line in lines if line.subject}
    return await render_page(
        request,
        "audit.html",
        lines=lines,
        actors=await _list_actors(services),
        actions=_list_choices(state.desks, await audit.list_actions(services.database)),
        via_labels=VIA_LABELS,
        query=query,
        periods=list(PERIODS.items()),
        exports=[
            (label, with_query(request.url.replace(path="/audit/export"), form=form, cursor=None))
            for form, label in (("jsonl", gettext("Export as JSON lines")), ("csv", gettext("Export as CSV")))
        ],
        chips=query.chips(request, words),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


async def _list_actors(services: Services) -> list[tuple[str, str]]:
    actors = await audit.list_actors(services.database)
    people = [(actor_id, name) for actor_id, name in actors.items() if name]
    others = {actor_id: name for actor_id, name in ACTOR_NAMES.items() if actor_id in actors}
    if SYSTEM.id in others and AUTOMATION.user_id in others:
        others[AUTOMATION.user_id] = gettext("Almanac, for a job")
    return [*people, *others.items()]


def _list_choices(desks: Sequence[Desk], actions: Sequence[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The actions that ever happened, in words and by area; a code without a sentence is listed as it is."""
    choices: list[tuple[str, list[tuple[str, str]]]] = []
    others = set(actions)
    for group in list_action_groups(desks):
        options: list[tuple[str, str]] = [(code, text) for code, text in group.sentences.items() if code in others]
        others -= group.sentences.keys()
        if options:
            choices.append((group.title, options))
    if others:
        choices.append((gettext("Earlier versions"), [(code, code) for code in sorted(others)]))
    return choices


@pages.get("/export")
async def export_entries(
    request: Request, principal: Reader, query: Annotated[AuditQuery, Depends()], form: ExportForm = "jsonl"
) -> Response:
    """Download the entries that fit the filters, oldest first, with their hashes."""
    services = get_state(request).services
    filters = query.filters(_zone(services, principal), services.clock.now())
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
