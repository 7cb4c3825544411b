"""API: the log of a habit. All writes are idempotent."""

from datetime import date
from typing import Annotated

from fastapi import Query, Request, Response

from almanac.desks.habits.api.dependencies import Day, Reader, Writer, new_router
from almanac.desks.habits.api.schemas import (
    CompletionRequest,
    DayReasonBody,
    ExplainedStreakBody,
    HabitBody,
    HabitEntryBody,
    HabitNoteBody,
    SkipRequest,
    StreakRunBody,
)
from almanac.desks.habits.model.goal import parse_amount
from almanac.desks.habits.model.habit import note_hash
from almanac.desks.habits.service import entries, progress
from almanac.http.api_models import Id
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.problems import documented_problems

router = new_router()
_RUNS_SHOWN = 10


@router.post("/{habit_id}/complete", openapi_extra=REPEATABLE)
async def complete_habit(
    request: Request, habit_id: Id, principal: Writer, body: CompletionRequest | None = None
) -> HabitEntryBody:
    """Complete a day. Repeating it or retrying the request is still one completion."""
    body = body or CompletionRequest()
    amount = None if body.amount is None else parse_amount(body.amount)
    snapshot = await entries.complete_habit(
        get_state(request).services, principal, habit_id, day=body.date, amount=amount, note=body.note
    )
    return HabitEntryBody.of(snapshot)


@router.delete("/{habit_id}/completions/{date}")
async def undo_completion(request: Request, habit_id: Id, day: Day, principal: Writer) -> HabitEntryBody:
    """Delete a day's entry and its points."""
    return HabitEntryBody.of(await entries.undo_completion(get_state(request).services, principal, habit_id, day))


@router.post("/{habit_id}/skip", openapi_extra=REPEATABLE)
async def skip_day(
    request: Request, habit_id: Id, principal: Writer, body: SkipRequest | None = None
) -> HabitEntryBody:
    """Skip a day: it protects the streak and never extends it."""
    day = body.date if body else None
    return HabitEntryBody.of(await entries.skip_day(get_state(request).services, principal, habit_id, day=day))


@router.delete("/{habit_id}/skips/{date}")
async def unskip_day(request: Request, habit_id: Id, day: Day, principal: Writer) -> HabitEntryBody:
    """Undo a skip."""
    return HabitEntryBody.of(await entries.unskip_day(get_state(request).services, principal, habit_id, day))


@router.get("/{habit_id}/notes")
async def list_notes(request: Request, habit_id: Id, principal: Reader) -> dict[date, str]:
    """A habit's notes by day."""
    return await entries.list_notes(get_state(request).services, principal, habit_id)


@router.get("/{habit_id}/notes/{date}")
async def get_note(request: Request, response: Response, habit_id: Id, day: Day, principal: Reader) -> HabitNoteBody:
    """The note of a day; empty if there is none."""
    note = (await entries.list_notes(get_state(request).services, principal, habit_id)).get(day, "")
    response.headers["ETag"] = etag(note_hash(note))
    return HabitNoteBody(note=note)


@router.put("/{habit_id}/notes/{date}", status_code=204, responses=documented_problems(412))
async def write_note(
    request: Request,
    response: Response,
    habit_id: Id,
    day: Day,
    body: HabitNoteBody,
    principal: Writer,
    if_match: IfMatch = None,
) -> None:
    """Write the note of a day. With its ETag in If-Match, a note that has changed since is not replaced."""
    over = None if if_match is None else if_match.strip().strip('"')
    new_hash = await entries.write_note(get_state(request).services, principal, habit_id, day, body.note, over=over)
    response.headers["ETag"] = etag(new_hash)


@router.get("/{habit_id}/explain")
async def explain_habit(
    request: Request,
    habit_id: Id,
    principal: Reader,
    first: Annotated[date | None, Query(description="By default thirty days back.")] = None,
    last: Annotated[date | None, Query(description="By default today.")] = None,
) -> ExplainedStreakBody:
    """For each day, the rule that made it count, protect or break the streak."""
    explained = await progress.explain_streak(get_state(request).services, principal, habit_id, first=first, last=last)
    runs = sorted(explained.snapshot.stats.runs, key=lambda run: (-run.length, run.first))[:_RUNS_SHOWN]
    return ExplainedStreakBody(
        habit=HabitBody.of(explained.snapshot),
        days=[DayReasonBody.model_validate(day) for day in explained.days],
        best_streaks=[StreakRunBody.model_validate(run) for run in runs],
    )
