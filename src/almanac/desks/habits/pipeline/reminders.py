"""Sends reminders by mail and webhook: once a day at the chosen time, if the habit is still due."""

from datetime import datetime, timedelta

from almanac.desks.habits.events import REMINDED_HOOK
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.signed_links import LinkAction, SignedLink, sign_link
from almanac.desks.habits.pipeline.batches import PAGE_SIZE, iter_pages
from almanac.desks.habits.pipeline.demo_habits import is_demo_habit
from almanac.desks.habits.pipeline.mail import REMINDER_TOPIC, find_recipient, reminder_message
from almanac.desks.habits.pipeline.public_events import publish_shared
from almanac.desks.habits.pipeline.settlement import load_snapshot
from almanac.desks.habits.store import habits, people
from almanac.desks.habits.store.people import HabitOwner
from almanac.relational import Unit
from almanac.services import Services

# A worker that was down in the morning still reminds; a reminder from last night is useless.
_TOO_LATE = timedelta(hours=6)
_REMINDED_RECENTLY = timedelta(hours=12)


async def send_due_reminders(services: Services) -> int:
    """Send all reminders whose time has come; returns how many."""
    now = services.clock.now()

    async def list_page(unit: Unit, after: str) -> list[tuple[str, str]]:
        return await habits.list_due_reminders(unit, after=after, since=now - _REMINDED_RECENTLY, limit=PAGE_SIZE)

    sent = 0
    async for habit_id, owner_id in iter_pages(services, list_page, key=lambda row: row[0]):
        sent += await _remind(services, habit_id, owner_id, now)
    return sent


async def _remind(services: Services, habit_id: str, owner_id: str, now: datetime) -> bool:
    async with services.database.unit() as unit:
        person = await people.find_person(unit, owner_id)
        habit = await habits.find_habit(unit, habit_id)
        if person is None or habit is None or habit.remind_at is None or habit.archived_on is not None:
            return False
        owner = await people.load_owner(unit, person, services.clock.now())
        remind_at = owner.local.moment_of(owner.today, habit.remind_at)
        if not remind_at <= now < remind_at + _TOO_LATE:
            return False
        if not (await load_snapshot(unit, habit, owner.today)).stats.due_today:
            return False
        if not await habits.add_reminder(unit, habit_id, owner.today, now):
            return False
        await _notify(services, unit, owner, habit)
        return True


async def _notify(services: Services, unit: Unit, owner: HabitOwner, habit: Habit) -> None:
    links = {f"{action}_link": _link(services, owner, habit, action) for action in ("done", "skip")}
    await publish_shared(services, unit, REMINDED_HOOK, habit.owner_id, day=owner.today.isoformat())
    recipient = await find_recipient(services, habit.owner_id, REMINDER_TOPIC)
    if recipient is None or await is_demo_habit(services, habit):
        return
    manage = f"{services.settings.public_url}/habits/{habit.id}"
    message = reminder_message(recipient, habit, links | {"manage_link": manage})
    await services.mailer.queue(message, key=f"habits:reminder:{habit.id}:{owner.today}", unit=unit)


def _link(services: Services, owner: HabitOwner, habit: Habit, action: LinkAction) -> str:
    token = sign_link(services.key("habit-links"), SignedLink(owner.id, habit.id, owner.today, action))
    return f"{services.settings.public_url}/habits/do/{token}"
