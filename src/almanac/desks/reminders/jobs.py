"""The desk's jobs of sending: one for each approved reminder, and every minute what is due, under way or in doubt.

None is ever wrong to run twice: only the transition to `sending` lets a mail out, the rest copies the mail's record.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from almanac.accounts.model import AUTOMATION, Principal
from almanac.desks.reminders import sending
from almanac.desks.reminders.events import tell_overdue
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.sending.following import Standing
from almanac.desks.reminders.store.reading import each_draft, find_draft
from almanac.errors import AlmanacError, Retryable
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.text import counted
from almanac.services import Services

QUEUE = "reminders"
_UNDER_WAY: tuple[DraftState, ...] = ("sending", "unknown")
_WATCHED: tuple[DraftState, ...] = (*_UNDER_WAY, "approved", "snoozed")


async def _send(job: RunningJob[Services], draft_id: str) -> None:
    """An approval that was taken back and given anew has another moment, or waits for a person."""
    draft = await find_draft(job.services.tables, draft_id)
    if draft is not None and (draft.state in _UNDER_WAY or _is_due(draft, job.services.clock.now())):
        await keep_up_with(job.services, draft)


async def _follow(job: RunningJob[Services], draft_id: str) -> None:
    await sending.follow(job.services, draft_id)


async def _news(job: RunningJob[Services], mail_id: str) -> None:
    await sending.follow_mail(job.services, mail_id)


async def _keep_up(job: RunningJob[Services]) -> None:
    for done, draft in enumerate(await _to_do(job.services), 1):
        await keep_up_with(job.services, draft)
        await job.progress(done, None, f"{counted(done, 'reminder')} looked after")
    await tell_overdue(job.services)


async def _to_do(services: Services) -> list[Draft]:
    """Drafts whose moment has come."""
    now = services.clock.now()
    found = [draft for state in _WATCHED for draft in [one async for one in each_draft(services.tables, state)]]
    return [draft for draft in found if draft.state in _UNDER_WAY or _is_due(draft, now)]


def _is_due(draft: Draft, now: datetime) -> bool:
    moment = draft.snoozed_until if draft.state == "snoozed" else draft.send_at
    return moment is not None and moment <= now


async def keep_up_with(services: Services, draft: Draft) -> Standing | None:
    """Do what is due for one draft; an obstacle to one is no obstacle to the others."""
    try:
        if draft.state == "snoozed":
            await sending.wake(services, draft.id)
            return None
        return await sending.send(services, AUTOMATION, draft.id)
    except Retryable:
        raise
    except AlmanacError as error:
        return Standing(draft.id, draft.state, error.sentence)


_LOCK = "reminders:{draft_id}"
SEND = JobType("reminders.send", _send, queue=QUEUE, lock=_LOCK, title="Send a reminder")
FOLLOW = JobType("reminders.follow", _follow, queue=QUEUE, lock=_LOCK, title="Find out what became of a reminder")
NEWS = JobType("reminders.news", _news, queue=QUEUE, lock="reminders:{mail_id}", title="Note news of a reminder")
KEEP_UP = Schedule(
    "reminders.keep-up",
    JobType("reminders.keep-up", _keep_up, queue=QUEUE, lock="reminders.keep-up", title="Send due reminders"),
    "* * * * *",
)
JOBS = (SEND, FOLLOW, NEWS)
SCHEDULES = (KEEP_UP,)


async def approve_and_send(
    services: Services, by: Principal, draft_id: str, *, seen: str, note: str = "", after: timedelta = timedelta()
) -> Draft:
    """Approve what was seen and have a job send it, at once or after a while in which it can be taken back."""
    approved = await sending.approve(services, by, draft_id, seen=seen, note=note, send_after=after)
    await queue_sending(services, [draft_id], after)
    return approved


async def queue_sending(services: Services, drafts: Iterable[str], after: timedelta) -> None:
    """Have approved drafts sent by jobs. Without them `keep-up` would send what is due, a minute later at most."""
    due = services.clock.now() + after if after else None
    async with services.database.unit() as unit:
        for draft in drafts:
            await services.jobs.defer(
                SEND, {"draft_id": draft}, schedule_at=due, queueing_lock=f"send:{draft}", unit=unit
            )
