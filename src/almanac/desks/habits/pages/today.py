"""Today's list: every habit with one tap, its week, and what is at risk."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.habits.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.habits.pages.rows import build_row, group_rows
from almanac.desks.habits.service import habits
from almanac.http.app_state import get_state

router = APIRouter(prefix=PREFIX)


@router.get("")
async def show_today(request: Request, principal: Reader, archived: bool = False) -> Response:
    """One's habits with what today asks for; archived ones on demand."""
    found = await habits.list_habits(get_state(request).services, principal, archived=archived)
    rows = [build_row(one) for one in found if (one.habit.archived_on is not None) == archived]
    open_today = [row for row in rows if row.snapshot.stats.due_today]
    return await desk_page(
        request,
        "today",
        "today",
        groups=group_rows(rows),
        archived=archived,
        open_today=len(open_today),
        at_risk=sum(row.is_at_risk for row in rows),
        points=sum(row.snapshot.habit.points for row in rows),
        best=max((row.snapshot.habit.current_streak for row in rows), default=0),
        told="",
    )
