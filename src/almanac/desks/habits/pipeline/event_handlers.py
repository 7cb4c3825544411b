"""Jobs that handle the desk's events: check_streaks, award_points and send_notification.

Each is idempotent by event id and copies the current state of PostgreSQL, so that neither a duplicate delivery nor
another order leaves the table wrong. Each locks its person while it writes, like every change of the log: what is
deleted in between stays deleted.
"""

from contextlib import suppress
from datetime import datetime

from almanac.desks.habits.events import ACHIEVED_HOOK, ACHIEVEMENT_UNLOCKED, HOOKS, HabitEvent
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import achievement_type
from almanac.desks.habits.pipeline.demo_habits import is_demo_habit
from almanac.desks.habits.pipeline.mail import achievement_message
from almanac.desks.habits.pipeline.public_events import publish_shared
from almanac.desks.habits.store import events, habits, items, people, rewards
from almanac.desks.habits.store.events import StoredHabitEvent
from almanac.errors import Conflict
from almanac.jobs import JobType, RunningJob
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.saved.owners import find_active_owner
from almanac.services import Services

QUEUE = "habits"


async def record_event(
    services: Services, unit: Unit, habit: Habit, event: HabitEvent, event_id: str, now: datetime
) -> None:
    """Store an event, defer its handlers and publish its webhook, in the caller's transaction."""
    stored = StoredHabitEvent(
        id=event_id, name=event.name, owner_id=habit.owner_id, habit_id=habit.id, body=event.body, created_at=now
    )
    await events.add_event(unit, stored)
    await services.jobs.defer(CHECK_STREAKS, {"event_id": event_id}, unit=unit)
    if event.points:
        await services.jobs.defer(AWARD_POINTS, {"event_id": event_id}, unit=unit)
    if event.name in HOOKS and not event.quiet:
        await publish_shared(
            services, unit, HOOKS[event.name], habit.owner_id, day=event.day.isoformat(), points=event.points
        )


async def _claim_event(job: RunningJob[Services], unit: Unit, event_id: str, handler: str) -> StoredHabitEvent | None:
    """Lock the event's person and return the event; None if this handler processed it before."""
    event = await events.find_event(unit, event_id)
    if event is None or not await events.add_receipt(unit, event_id, handler, job.services.clock.now()):
        return None
    await people.find_person(unit, event.owner_id, lock=True)
    return event


async def check_streaks(job: RunningJob[Services], event_id: str) -> None:
    """Update the streak item, and record an event for each reached milestone."""
    services = job.services
    async with job.unit() as unit:
        stored = await _claim_event(job, unit, event_id, "check_streaks")
        if stored is None:
            return
        habit = await habits.find_habit(unit, stored.habit_id)
        if habit is None:
            await items.delete_habit_items(services.tables, stored.owner_id, stored.habit_id)
            return
        await items.write_streak(services.tables, habit)
        event = HabitEvent.from_body(stored.name, stored.body)
        for milestone in event.unlocked:
            await _record_achievement(services, unit, habit, milestone, quiet=event.quiet)
        reached = {row.milestone for row in await rewards.list_achievements(unit, habit.id)}
        for milestone in set(event.withdrawn) - reached:
            await items.delete_achievement(services.tables, habit.owner_id, achievement_type(milestone, habit.id))


async def _record_achievement(services: Services, unit: Unit, habit: Habit, milestone: int, *, quiet: bool) -> None:
    event_id, body = new_id(), {"milestone": milestone, "quiet": quiet}
    stored = StoredHabitEvent(
        id=event_id,
        name=ACHIEVEMENT_UNLOCKED,
        owner_id=habit.owner_id,
        habit_id=habit.id,
        body=body,
        created_at=services.clock.now(),
    )
    await events.add_event(unit, stored)
    await services.jobs.defer(SEND_NOTIFICATION, {"event_id": event_id}, unit=unit)


async def award_points(job: RunningJob[Services], event_id: str) -> None:
    """Update the person's points item, and with it the leaderboard."""
    async with job.unit() as unit:
        stored = await _claim_event(job, unit, event_id, "award_points")
        if stored is None:
            return
        person = await people.find_person(unit, stored.owner_id)
        if person is not None:
            await items.write_stats(job.services.tables, person)


async def send_notification(job: RunningJob[Services], event_id: str) -> None:
    """Store the achievement item, and notify its owner once per achievement."""
    services = job.services
    async with job.unit() as unit:
        stored = await _claim_event(job, unit, event_id, "send_notification")
        if stored is None:
            return
        habit = await habits.find_habit(unit, stored.habit_id)
        milestone = int(stored.body["milestone"])
        reached = await rewards.list_achievements(unit, stored.habit_id)
        unlocked = next((row for row in reached if row.milestone == milestone), None)
        if habit is None or unlocked is None:
            return
        await items.write_achievement(services.tables, habit, milestone, unlocked.unlocked_at)
        if not stored.body["quiet"]:
            await _notify(services, unit, habit, milestone)


async def _notify(services: Services, unit: Unit, habit: Habit, milestone: int) -> None:
    """By webhook and mail. The mail's key is the achievement: reaching it again sends no second mail."""
    await publish_shared(services, unit, ACHIEVED_HOOK, habit.owner_id, milestone=milestone)
    owner = await find_active_owner(services.accounts, habit.owner_id)
    if owner is None or not owner.email or await is_demo_habit(services, habit):
        return
    message = achievement_message(services.settings.public_url, owner, habit, milestone)
    # After the habit was renamed, the text differs from the first mail's; it is still sent only once.
    with suppress(Conflict):
        await services.mailer.queue(
            message, key=f"habits:achievement:{achievement_type(milestone, habit.id)}", unit=unit
        )


CHECK_STREAKS = JobType("habits.check_streaks", check_streaks, queue=QUEUE, title=gettext("Update a streak"))
AWARD_POINTS = JobType("habits.award_points", award_points, queue=QUEUE, title=gettext("Update points"))
SEND_NOTIFICATION = JobType(
    "habits.send_notification", send_notification, queue=QUEUE, title=gettext("Send an achievement")
)
