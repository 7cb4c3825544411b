"""What follows an event of this desk, from the queue: check_streaks, award_points and send_notification.

Each is idempotent by the event's id and copies what PostgreSQL says at its time, so that neither a second delivery nor
another order can leave the table wrong. Jobs of one person never run at the same time.
"""

from contextlib import suppress
from datetime import datetime

from almanac.desks.habits.happenings import ACHIEVED_HOOK, ACHIEVEMENT_UNLOCKED, HOOKS, HabitEvent
from almanac.desks.habits.letters import achievement_message
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import achievement_sentence, achievement_type
from almanac.desks.habits.store import events, habits, items, people, rewards
from almanac.desks.habits.store.events import StoredEvent
from almanac.errors import Conflict
from almanac.jobs import RunningJob, Task
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.saved.owners import owner_of
from almanac.services import Services

QUEUE = "habits"


async def announce(
    services: Services, unit: Unit, habit: Habit, event: HabitEvent, event_id: str, now: datetime
) -> None:
    """Keep an event and have the handlers told of it, in the transaction in which it happens."""
    stored = StoredEvent(
        id=event_id, name=event.name, owner_id=habit.owner_id, habit_id=habit.id, body=event.body, created_at=now
    )
    await events.add_event(unit, stored)
    await defer(services, unit, CHECK_STREAKS, stored)
    if event.points:
        await defer(services, unit, AWARD_POINTS, stored)
    if event.name in HOOKS and not event.quiet:
        facts = {"habit_id": habit.id, "name": habit.name, "owner_id": habit.owner_id, "day": event.day.isoformat(),
                 "streak": event.streak, "points": event.points}  # fmt: skip
        await services.webhooks.publish(unit, HOOKS[event.name], facts)


async def defer(services: Services, unit: Unit, task: Task, event: StoredEvent) -> None:
    """Have an event dealt with after those that happened to the same person before."""
    await services.jobs.defer(task, {"event_id": event.id}, unit=unit, lock=f"habits:{event.owner_id}")


async def check_streaks(job: RunningJob[Services], event_id: str) -> None:
    """Bring the streak item up to date; a milestone that was reached is an event of its own."""
    services, now = job.services, job.services.clock.now()
    async with job.unit() as unit:
        stored = await events.find_event(unit, event_id)
        if stored is None or not await events.add_receipt(unit, event_id, "check_streaks", now):
            return
        habit = await habits.find_habit(unit, stored.habit_id)
        if habit is None:
            await items.forget_habit(services.tables, stored.owner_id, stored.habit_id)
            return
        await items.write_streak(services.tables, habit)
        event = HabitEvent.stored(stored.name, stored.body)
        for milestone in event.unlocked:
            await _announce_achievement(services, unit, habit, milestone, quiet=event.quiet)
        for milestone in event.withdrawn:
            await items.delete_achievement(services.tables, habit.owner_id, achievement_type(milestone, habit.id))


async def _announce_achievement(services: Services, unit: Unit, habit: Habit, milestone: int, *, quiet: bool) -> None:
    event_id, body = new_id(), {"milestone": milestone, "quiet": quiet}
    stored = StoredEvent(
        id=event_id, name=ACHIEVEMENT_UNLOCKED, owner_id=habit.owner_id, habit_id=habit.id, body=body,
        created_at=services.clock.now(),
    )  # fmt: skip
    await events.add_event(unit, stored)
    await defer(services, unit, SEND_NOTIFICATION, stored)


async def award_points(job: RunningJob[Services], event_id: str) -> None:
    """Bring the person's points up to date, and with them the leaderboard."""
    async with job.unit() as unit:
        stored = await events.find_event(unit, event_id)
        if stored is None or not await events.add_receipt(unit, event_id, "award_points", job.services.clock.now()):
            return
        person = await people.find_person(unit, stored.owner_id)
        if person is not None:
            await items.write_stats(job.services.tables, person)


async def send_notification(job: RunningJob[Services], event_id: str) -> None:
    """Put the achievement into the person's history and write to them about it, once for each achievement."""
    services, now = job.services, job.services.clock.now()
    async with job.unit() as unit:
        stored = await events.find_event(unit, event_id)
        if stored is None or not await events.add_receipt(unit, event_id, "send_notification", now):
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
    facts = {"type": kind, "habit_id": habit.id, "owner_id": habit.owner_id, "milestone": milestone,
             "description": achievement_sentence(milestone, habit.name, habit.streak_unit)}  # fmt: skip
    await services.webhooks.publish(unit, ACHIEVED_HOOK, facts)
    owner = await owner_of(services.accounts, habit.owner_id)
    if owner is None or not owner.email:
        return
    message = achievement_message(services.settings.public_url, owner, habit, milestone)
    # The words may differ from those of the first time, after the habit was renamed; it stays one mail.
    with suppress(Conflict):
        await services.mailer.queue(message, key=f"habits:achievement:{kind}", unit=unit)


CHECK_STREAKS = Task("habits.check_streaks", check_streaks, queue=QUEUE, title="Bring a streak up to date")
AWARD_POINTS = Task("habits.award_points", award_points, queue=QUEUE, title="Bring points up to date")
SEND_NOTIFICATION = Task("habits.send_notification", send_notification, queue=QUEUE, title="Tell of an achievement")
