"""Access to one's own habits: loads and locks the owner, and checks that a habit is theirs and a day is allowed."""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from datetime import date, timedelta
from weakref import WeakValueDictionary

from almanac.accounts.model import Principal
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.local_time import LocalTime
from almanac.desks.habits.store import habits, people
from almanac.desks.habits.store.people import HabitOwner, HabitPerson, load_owner
from almanac.errors import FieldErrors, NotFound
from almanac.kit.messages import gettext
from almanac.relational import ReadTransaction, Unit
from almanac.services import Services

EARLIEST_DAY = date(1970, 1, 1)
PLANNING_HORIZON = timedelta(days=366)


class KeyedLocks:
    """One lock per key, kept only while somebody holds it or waits for it. Waiters are served in order."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def lock(self, key: Hashable) -> asyncio.Lock:
        """The lock for this key; hold it with `async with`."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock


_user_locks = KeyedLocks()


async def find_owner(services: Services, reading: ReadTransaction, principal: Principal) -> HabitOwner:
    """The principal as an owner of habits.

    Only who changes something is written down: looking at a page leaves no trace.
    """
    person = await people.find_person(reading, principal.user_id)
    if person is None:
        local = _local_time(services, principal)
        newcomer = HabitPerson(
            user_id=principal.user_id,
            username=principal.name,
            listed=True,
            weekly_report=False,
            points=0,
            revision=0,
            version=1,
            turned_on=None,
            log_version=None,
        )
        return HabitOwner(newcomer, local, local.day_of(services.clock.now()))
    return await load_owner(reading, person, services.clock.now())


def _local_time(services: Services, principal: Principal) -> LocalTime:
    return LocalTime(principal.preferences.time_zone or services.settings.time_zone)


@asynccontextmanager
async def lock_owner(services: Services, principal: Principal) -> AsyncIterator[tuple[Unit, HabitOwner]]:
    """A transaction that holds the principal's lock, so that nobody else changes their log.

    The database lock guarantees it. Requests of one process also queue here without a connection each, so that a
    thousand clicks of one person leave connections for everybody else.
    """
    async with _user_locks.lock(principal.user_id), services.database.unit() as unit:
        person = await people.find_person(unit, principal.user_id, lock=True)
        if person is None or (principal.via != "automation" and person.username != principal.name):
            local = _local_time(services, principal)
            await people.add_person(unit, principal.user_id, principal.name, local, services.clock.now())
            person = await people.find_person(unit, principal.user_id, lock=True)
        assert person is not None
        yield unit, await load_owner(unit, person, services.clock.now())


async def require_own_habit(unit: ReadTransaction, owner: HabitOwner, habit_id: str) -> Habit:
    """A habit of the owner; raises NotFound for habits of others, as if they didn't exist."""
    habit = await habits.find_habit(unit, habit_id)
    if habit is None or habit.owner_id != owner.id:
        raise NotFound(gettext("Habit not found; it may have been deleted."))
    return habit


def require_past_day(owner: HabitOwner, day: date | None) -> date:
    """A day up to today; None means today. Raises FieldErrors for other days."""
    day = day or owner.today
    if day > owner.today:
        raise FieldErrors(
            {"date": gettext("That day is in the future; choose a day up to %(today)s.", today=owner.today)}
        )
    return _require_recent(day)


def require_plannable_day(owner: HabitOwner, day: date | None, field: str = "date") -> date:
    """A day up to a year ahead; None means today. Raises FieldErrors for other days."""
    day = day or owner.today
    if day > owner.today + PLANNING_HORIZON:
        raise FieldErrors({field: gettext("That is more than a year ahead; choose an earlier day.")})
    return _require_recent(day, field)


def _require_recent(day: date, field: str = "date") -> date:
    if day < EARLIEST_DAY:
        raise FieldErrors(
            {
                field: gettext(
                    "That is too long ago; choose a day from %(day)s on.",
                    day=EARLIEST_DAY,
                )
            }
        )
    return day
