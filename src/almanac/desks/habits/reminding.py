"""Reminders: at the time that somebody chose, if the habit is still due that day, once, by mail and webhook."""

from datetime import datetime, timedelta

from almanac.desks.habits.events import REMINDED_HOOK
from almanac.desks.habits.letters import REMINDER_TOPIC, reminder_message
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.service.access import Keeper, known_keeper
from almanac.desks.habits.settling import look
from almanac.desks.habits.signed_links import Act, LinkedAct, link_token
from almanac.desks.habits.store import habits, people
from almanac.relational import Unit
from almanac.saved.owners import owner_of
from almanac.services import Services

_AT_A_TIME = 200
# A worker that was away all morning still reminds; a reminder from yesterday evening helps nobody.
_TOO_LATE = timedelta(hours=6)
_HALF_A_DAY = timedelta(hours=12)


async def remind_due(services: Services) -> int:
    """Remind everybody whose time has come; returns how many reminders there were."""
    sent, after, now = 0, "", services.clock.now()
    while True:
        async with services.database.unit() as unit:
            some = await habits.list_to_remind(unit, after=after, since=now - _HALF_A_DAY, limit=_AT_A_TIME)
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
        keeper = await known_keeper(services, unit, person)
        moment = keeper.local.moment_of(keeper.today, habit.remind_at)
        if not moment <= now < moment + _TOO_LATE:
            return False
        if not (await look(unit, habit, keeper.today)).standing.due_today:
            return False
        if not await habits.add_reminder(unit, habit_id, keeper.today, now):
            return False
        await _tell(services, unit, keeper, habit)
        return True


async def _tell(services: Services, unit: Unit, keeper: Keeper, habit: Habit) -> None:
    links = {f"{act}_link": _link(services, keeper, habit, act) for act in ("done", "skip")}
    facts = {
        "habit_id": habit.id,
        "name": habit.name,
        "owner_id": habit.owner_id,
        "day": keeper.today.isoformat(),
        **links,
    }
    await services.webhooks.publish(unit, REMINDED_HOOK, facts)
    owner = await owner_of(services.accounts, habit.owner_id)
    if owner is None or not owner.email or await services.suppressions.of(owner.email, topic=REMINDER_TOPIC):
        return
    manage = f"{services.settings.public_url}/habits/{habit.id}"
    message = reminder_message(owner, habit, links | {"manage_link": manage})
    await services.mailer.queue(message, key=f"habits:reminder:{habit.id}:{keeper.today}", unit=unit)


def _link(services: Services, keeper: Keeper, habit: Habit, act: Act) -> str:
    token = link_token(services.key("habit-links"), LinkedAct(keeper.id, habit.id, keeper.today, act))
    return f"{services.settings.public_url}/habits/do/{token}"
