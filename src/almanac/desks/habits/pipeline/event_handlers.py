"""What follows an event of this desk, from the queue: check_streaks, award_points and send_notification.

Each is idempotent by the event's id and copies what PostgreSQL says at its time, so that neither a second delivery nor
another order can leave the table wrong. Each holds the lock on its person while it writes, as whoever changes the log
does: what is deleted meanwhile stays deleted.
"""

from contextlib import suppress
from datetime import datetime

from almanac.desks.habits.events import ACHIEVED_HOOK, ACHIEVEMENT_UNLOCKED, HOOKS, HabitEvent
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import achievement_type, describe_achievement
from almanac.desks.habits.pipeline.mail import achievement_message
from almanac.desks.habits.store import events, habits, items, people, rewards
from almanac.desks.habits.store.events import StoredHabitEvent
from almanac.errors import Conflict
from almanac.jobs import JobType, RunningJob
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.saved.owners import owner_of
from almanac.services import Services

QUEUE = "habits"


async def record_event(
    services: Services, unit: Unit, habit: Habit, event: HabitEvent, event_id: str, now: datetime
) -> None:
    """Keep an event and have the handlers told of it, in the transaction in which it happens."""
    stored = StoredHabitEvent(
        id=event_id, name=event.name, owner_id=habit.owner_id, habit_id=habit.id, body=event.body, created_at=now
    )
    await events.add_event(unit, stored)
    await services.jobs.defer(CHECK_STREAKS, {"event_id": event_id}, unit=unit)
    if event.points:
        await services.jobs.defer(AWARD_POINTS, {"event_id": event_id}, unit=unit)
    if event.name in HOOKS and not event.quiet:
        facts = {
            "habit_id": habit.id,
            "name": habit.name,
            "owner_id": habit.owner_id,
            "day": event.day.isoformat(),
            "streak": event.streak,
            "points": event.points,
        }
        await services.webhooks.publish(unit, HOOKS[event.name], facts)


async def _received(job: RunningJob[Services], unit: Unit, event_id: str, handler: str) -> StoredHabitEvent | None:
    """The event with the lock on its person, unless the handler has dealt with it before."""
    event = await events.find_event(unit, event_id)
    if event is None or not await events.add_receipt(unit, event_id, handler, job.services.clock.now()):
        return None
    await people.find_person(unit, event.owner_id, lock=True)
    return event


async def check_streaks(job: RunningJob[Services], event_id: str) -> None:
    """Bring the streak item up to date; a milestone that was reached is an event of its own."""
    services = job.services
    async with job.unit() as unit:
        stored = await _received(job, unit, event_id, "check_streaks")
        if stored is None:
            return
        habit = await habits.find_habit(unit, stored.habit_id)
        if habit is None:
            await items.delete_habit_items(services.tables, stored.owner_id, stored.habit_id)
            return
        await items.write_streak(services.tables, habit)
        event = HabitEvent.stored(stored.name, stored.body)
        for milestone in event.unlocked:
            await _announce_achievement(services, unit, habit, milestone, quiet=event.quiet)
        achieved = {one.milestone for one in await rewards.list_achievements(unit, habit.id)}
        for milestone in set(event.withdrawn) - achieved:
            await items.delete_achievement(services.tables, habit.owner_id, achievement_type(milestone, habit.id))


async def _announce_achievement(services: Services, unit: Unit, habit: Habit, milestone: int, *, quiet: bool) -> None:
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
    """Bring the person's points up to date, and with them the leaderboard."""
    async with job.unit() as unit:
        stored = await _received(job, unit, event_id, "award_points")
        if stored is None:
            return
        person = await people.find_person(unit, stored.owner_id)
        if person is not None:
            await items.write_stats(job.services.tables, person)


async def send_notification(job: RunningJob[Services], event_id: str) -> None:
    """Put the achievement into the person's history and write to them about it, once for each achievement."""
    services = job.services
    async with job.unit() as unit:
        stored = await _received(job, unit, event_id, "send_notification")
        if stored is None:
            return
        habit = await habits.find_habit(unit, stored.habit_id)
        milestone = int(stored.body["milestone"])
        achieved = await rewards.list_achievements(unit, stored.habit_id)
        unlocked = next((one for one in achieved if one.milestone == milestone), None)
        if habit is None or unlocked is None:
            return
        await items.write_achievement(services.tables, habit, milestone, unlocked.unlocked_at)
        if not stored.body["quiet"]:
            await _tell(services, unit, habit, milestone)


async def _tell(services: Services, unit: Unit, habit: Habit, milestone: int) -> None:
    """By mail and webhook. The key of the mail is the achievement's: lost and reached again, it is not sent again."""
    kind = achievement_type(milestone, habit.id)
    facts = {
        "type": kind,
        "habit_id": habit.id,
        "owner_id": habit.owner_id,
        "milestone": milestone,
        "description": describe_achievement(milestone, habit.name, habit.streak_unit),
    }
    await services.webhooks.publish(unit, ACHIEVED_HOOK, facts)
    owner = await owner_of(services.accounts, habit.owner_id)
    if owner is None or not owner.email:
        return
    message = achievement_message(services.settings.public_url, owner, habit, milestone)
    # The words may differ from those of the first time, after the habit was renamed; it stays one mail.
    with suppress(Conflict):
        await services.mailer.queue(message, key=f"habits:achievement:{kind}", unit=unit)


CHECK_STREAKS = JobType("habits.check_streaks", check_streaks, queue=QUEUE, title="Bring a streak up to date")
AWARD_POINTS = JobType("habits.award_points", award_points, queue=QUEUE, title="Bring points up to date")
SEND_NOTIFICATION = JobType("habits.send_notification", send_notification, queue=QUEUE, title="Tell of an achievement")
