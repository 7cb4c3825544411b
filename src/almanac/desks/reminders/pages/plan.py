"""The plan: who would be reminded at a given time and why, and what blocks the others."""

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.model.eligibility import NotEligible
from almanac.desks.reminders.model.plan import PlanLine, ReminderPlan
from almanac.desks.reminders.pages.layout import PREFIX, Facet, Reader, desk_page, get_time_zone, nine_in_the_morning
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE
from almanac.http.app_state import get_state
from almanac.http.paging import with_query
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/plan")
ROWS = 50
GOES_OUT = "goes-out"
RULES = {
    "claim": gettext("A draft is open"),
    "gap": gettext("Too soon after the last"),
    "hold": gettext("On hold"),
    "debt": gettext("Nothing overdue"),
    "grace": gettext("Grace period"),
    "never": gettext("Set to never remind"),
    "address": gettext("No address"),
    "exhausted": gettext("All levels sent"),
    "declined": gettext("Rejected"),
    "many": gettext("Too many invoices"),
    "day": gettext("Not a sending day"),
    "erased": gettext("Erased"),
}
DAYS = (
    ("0", gettext("Now")),
    ("1", gettext("Tomorrow")),
    ("3", gettext("In three days")),
    ("7", gettext("In a week")),
    ("30", gettext("In 30 days")),
)


@router.get("")
async def show_plan(
    request: Request,
    principal: Reader,
    days: Annotated[int, Query(ge=0, le=365)] = 1,
    rule: str = GOES_OUT,
    start: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Show what would be sent on a day and why; nothing is written."""
    services = get_state(request).services
    moment = _moment(request, principal, days)
    plan = await service.get_recent_plan(services, principal, f"{moment}" if days else "now", moment)
    lines = [line for line in plan.lines if _rule(line) == rule]
    return await desk_page(
        request,
        "plan",
        "plan",
        plan=plan,
        lines=lines[start : start + ROWS],
        days=days,
        choices=DAYS,
        rule=rule,
        total=len(lines),
        facets=_facets(request, plan, rule),
        goes_out=rule == GOES_OUT,
        most=MAX_BATCH_SIZE,
        next_url=with_query(request.url, start=str(start + ROWS)) if start + ROWS < len(lines) else "",
        first_url=with_query(request.url, start=None) if start else "",
    )


def _moment(request: Request, principal: Principal, days: int) -> datetime:
    """Now, or nine in the morning of a later day."""
    services = get_state(request).services
    now = services.clock.now()
    if days == 0:
        return now
    today = now.astimezone(get_time_zone(services, principal)).date()
    return nine_in_the_morning(services, principal, today + timedelta(days=days))


def _rule(line: PlanLine) -> str:
    return line.decision.rule if isinstance(line.decision, NotEligible) else GOES_OUT


def _facets(request: Request, plan: ReminderPlan, rule: str) -> list[Facet]:
    plan_url = with_query(request.url, rule=None, start=None)
    facets: list[Facet] = [(gettext("Goes out"), len(plan.going_out), plan_url, rule == GOES_OUT)]
    for name, count in sorted(plan.reasons.items(), key=lambda pair: -pair[1]):
        facets.append((RULES.get(name, name), count, with_query(request.url, rule=name, start=None), name == rule))
    return facets
