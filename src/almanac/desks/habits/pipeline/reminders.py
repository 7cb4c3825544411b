"""Reminders: at the time that somebody chose, if the habit is still due that day, once, by mail and webhook."""

from datetime import datetime, timedelta

from almanac.desks.habits.events import REMINDED_HOOK
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.signed_links import LinkAction, SignedLink, sign_link
from almanac.desks.habits.pipeline.mail import REMINDER_TOPIC, reminder_message
from almanac.desks.habits.pipeline.settlement import load_snapshot
from almanac.desks.habits.store import habits, people
from almanac.desks.habits.store.people import HabitOwner, load_owner
from almanac.relational import Unit
from almanac.saved.owners import owner_of
from almanac.services import Services

_AT_A_TIME = 200
# A worker that was away all morning still reminds; a reminder from yesterday evening helps nobody.
_TOO_LATE = timedelta(hours=6)
_HALF_A_DAY = timedelta(hours=12)


async def send_due_reminders(services: Services) -> int:
    """Remind everybody whose time has come; returns how many reminders there were."""
    sent, after, now = 0, "", services.clock.now()
    while True:
        async with services.database.unit() as unit:
            some = await habits.list_due_reminders(unit, after=after, since=now - _HALF_A_DAY, limit=_AT_A_TIME)
        for habit_id, owner_id in some:
            sent += await _remind(services, habit_id, owner_id, now)
        if len(some) < _AT_A_TIME:
            return sent
        after = some[-1][0]


async def _remind(services: Services, habit_id: str, owner_id: str, now: datetime) -> bool:
    async with services.database.unit() as unit:
        person = await people.find_person(unit, owner_id)
        habit = await habits.find_habit(unit, habit_id)
        if person is None or habit is None or habit.remind_at is None or habit.archived_on is not None:
            return False
        owner = await load_owner(unit, person, services.clock.now())
        moment = owner.local.moment_of(owner.today, habit.remind_at)
        if not moment <= now < moment + _TOO_LATE:
            return False
        if not (await load_snapshot(unit, habit, owner.today)).stats.due_today:
            return False
        if not await habits.add_reminder(unit, habit_id, owner.today, now):
            return False
        await _tell(services, unit, owner, habit)
        return True


async def _tell(services: Services, unit: Unit, owner: HabitOwner, habit: Habit) -> None:
    links = {f"{act}_link": _link(services, owner, habit, act) for act in ("done", "skip")}
    facts = {
        "habit_id": habit.id,
        "name": habit.name,
        "owner_id": habit.owner_id,
        "day": owner.today.isoformat(),
        **links,
    }
    await services.webhooks.publish(unit, REMINDED_HOOK, facts)
    recipient = await owner_of(services.accounts, habit.owner_id)
    if (
        recipient is None
        or not recipient.email
        or await services.suppressions.find(recipient.email, topic=REMINDER_TOPIC)
    ):
        return
    manage = f"{services.settings.public_url}/habits/{habit.id}"
    message = reminder_message(recipient, habit, links | {"manage_link": manage})
    await services.mailer.queue(message, key=f"habits:reminder:{habit.id}:{owner.today}", unit=unit)


def _link(services: Services, owner: HabitOwner, habit: Habit, act: LinkAction) -> str:
    token = sign_link(services.key("habit-links"), SignedLink(owner.id, habit.id, owner.today, act))
    return f"{services.settings.public_url}/habits/do/{token}"
