"""API: the log of a habit. Every one of these may be repeated without harm."""

from datetime import date
from typing import Annotated

from fastapi import Query, Request, Response

from almanac.desks.habits.api.dependencies import CalendarDay, Day, Reader, Writer, new_router
from almanac.desks.habits.api.schemas import Amount, DayBody, EntryBody, HabitBody, StreakRunBody
from almanac.desks.habits.model.goal import parse_amount
from almanac.desks.habits.model.habit import note_hash
from almanac.desks.habits.service import entries, progress
from almanac.http.api_models import ApiModel, Id, Text
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag
from almanac.http.problems import documented_problems

router = new_router()
_LONGEST_RUNS = 10


class CompletionWish(ApiModel):
    """A day to enter; today where none is given."""

    date: CalendarDay | None = None
    amount: Amount | None = None
    note: Text | None = None


class SkipWish(ApiModel):
    """A day to leave out; today where none is given."""

    date: CalendarDay | None = None


class NoteBody(ApiModel):
    """Some words about a day; empty words remove them."""

    note: Text


class ExplainedBody(ApiModel):
    """The standing of a habit, the longest streaks, and the reason of each day."""

    habit: HabitBody
    days: list[DayBody]
    best_streaks: list[StreakRunBody]


@router.post("/{habit_id}/complete")
async def complete_habit(
    request: Request, habit_id: Id, principal: Writer, wish: CompletionWish | None = None
) -> EntryBody:
    """Complete a day. Twice on one day, or twice by retry, is one completion."""
    wish = wish or CompletionWish()
    amount = None if wish.amount is None else parse_amount(wish.amount)
    snapshot = await entries.complete_habit(
        get_state(request).services, principal, habit_id, day=wish.date, amount=amount, note=wish.note
    )
    return EntryBody.of(snapshot)


@router.delete("/{habit_id}/completions/{date}")
async def undo_completion(request: Request, habit_id: Id, day: Day, principal: Writer) -> EntryBody:
    """Take a day's entry back, and with it exactly what it brought."""
    return EntryBody.of(await entries.undo_completion(get_state(request).services, principal, habit_id, day))


@router.post("/{habit_id}/skip")
async def skip_day(request: Request, habit_id: Id, principal: Writer, wish: SkipWish | None = None) -> EntryBody:
    """Leave a day out: it protects the streak and never extends it."""
    day = wish.date if wish else None
    return EntryBody.of(await entries.skip_day(get_state(request).services, principal, habit_id, day=day))


@router.delete("/{habit_id}/skips/{date}")
async def unskip_day(request: Request, habit_id: Id, day: Day, principal: Writer) -> EntryBody:
    """Ask for a day again that was skipped."""
    return EntryBody.of(await entries.unskip_day(get_state(request).services, principal, habit_id, day))


@router.get("/{habit_id}/notes")
async def list_notes(request: Request, habit_id: Id, principal: Reader) -> dict[date, str]:
    """What was written about days."""
    return await entries.list_notes(get_state(request).services, principal, habit_id)


@router.get("/{habit_id}/notes/{date}")
async def get_note(request: Request, response: Response, habit_id: Id, day: Day, principal: Reader) -> NoteBody:
    """What was written about one day; empty words where nothing was."""
    note = (await entries.list_notes(get_state(request).services, principal, habit_id)).get(day, "")
    response.headers["ETag"] = etag(note_hash(note))
    return NoteBody(note=note)


@router.put("/{habit_id}/notes/{date}", status_code=204, responses=documented_problems(412))
async def write_note(
    request: Request,
    response: Response,
    habit_id: Id,
    day: Day,
    wish: NoteBody,
    principal: Writer,
    if_match: IfMatch = None,
) -> None:
    """Keep some words about a day. With the ETag that was read in If-Match, words that came since are not replaced."""
    over = None if if_match is None else if_match.strip().strip('"')
    mark = await entries.write_note(get_state(request).services, principal, habit_id, day, wish.note, over=over)
    response.headers["ETag"] = etag(mark)


@router.get("/{habit_id}/explain")
async def explain_habit(
    request: Request,
    habit_id: Id,
    principal: Reader,
    first: Annotated[date | None, Query(description="Thirty days back unless given.")] = None,
    last: Annotated[date | None, Query(description="Today unless given.")] = None,
) -> ExplainedBody:
    """For each day, which rule made it count, protect or break."""
    found = await progress.explain_streak(get_state(request).services, principal, habit_id, first=first, last=last)
    runs = sorted(found.snapshot.stats.runs, key=lambda run: (-run.length, run.first))[:_LONGEST_RUNS]
    return ExplainedBody(
        habit=HabitBody.of(found.snapshot),
        days=[DayBody.model_validate(day) for day in found.days],
        best_streaks=[StreakRunBody.model_validate(run) for run in runs],
    )
