"""People who keep habits: their time zone, points, days off and groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.habits.model.history import Vacation
from almanac.desks.habits.model.local_time import LocalTime, TimeZonePeriod
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitPerson:
    """A person's points and settings. `revision` rises with every change of the points.

    `log_version` changes with everything that stats are computed from; None to a transaction that may be changing it.
    """

    user_id: str
    username: str
    listed: bool
    weekly_report: bool
    points: int
    revision: int
    version: int
    turned_on: date | None
    log_version: str | None


@dataclass(frozen=True, slots=True)
class HabitOwner:
    """A person with their local time and the date it is for them now."""

    person: HabitPerson
    local: LocalTime
    today: date

    @property
    def id(self) -> str:
        return self.person.user_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedVacation:
    """A stored vacation."""

    id: str
    first_day: date
    last_day: date

    @property
    def days(self) -> Vacation:
        return Vacation(self.first_day, self.last_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitGroup:
    """A leaderboard group; anybody with the id may join. `joined` is about the person who asks."""

    id: str
    name: str
    owner_id: str
    created_at: datetime
    members: int
    joined: bool


async def add_person(unit: Unit, user_id: str, username: str, local: LocalTime, now: datetime) -> None:
    person = {"user_id": user_id, "username": username, "now": now}
    await unit.execute(QUERIES["add_person"], person)
    await unit.execute(QUERIES["add_first_time_zone"], person | {"zone": local.zone, "day_start": local.day_start})


async def find_person(unit: ReadTransaction, user_id: str, *, lock: bool = False) -> HabitPerson | None:
    return await unit.one(QUERIES["lock_person" if lock else "find_person"], {"user_id": user_id}, into=HabitPerson)


async def load_owner(unit: ReadTransaction, person: HabitPerson, now: datetime) -> HabitOwner:
    """A stored person with the local time they use now."""
    row = await unit.one(QUERIES["find_time_zone"], {"user_id": person.user_id})
    assert row is not None
    local = LocalTime(row["zone"], row["day_start"])
    return HabitOwner(person, local, local.day_of(now))


async def list_people(unit: Unit, *, after: str, limit: int) -> list[HabitPerson]:
    return await unit.all(QUERIES["list_people"], {"after": after, "limit": limit}, into=HabitPerson)


async def update_person(unit: Unit, user_id: str, *, listed: bool, weekly_report: bool, now: datetime) -> None:
    chosen = {"user_id": user_id, "listed": listed, "weekly_report": weekly_report, "now": now}
    await unit.execute(QUERIES["update_person"], chosen)


async def delete_person(unit: Unit, user_id: str) -> None:
    """Delete a person with their time zones, days off, ledger and memberships. Their habits must be deleted first."""
    await unit.execute(QUERIES["delete_ledger"], {"user_id": user_id})
    await unit.execute(QUERIES["leave_all_groups"], {"user_id": user_id})
    await unit.execute(QUERIES["delete_person"], {"user_id": user_id})


async def add_person_points(unit: Unit, user_id: str, points: int, now: datetime) -> None:
    await unit.execute(QUERIES["add_person_points"], {"user_id": user_id, "points": points, "now": now})


async def set_person_points(unit: Unit, user_id: str, points: int, now: datetime) -> None:
    await unit.execute(QUERIES["set_person_points"], {"user_id": user_id, "points": points, "now": now})


async def list_due_rollovers(unit: Unit, *, after: str, now: datetime, limit: int) -> list[str]:
    """Ids of people whose next day has started, or whose rollover isn't scheduled yet."""
    rows = await unit.all(QUERIES["list_due_rollovers"], {"after": after, "now": now, "limit": limit})
    return [row["user_id"] for row in rows]


async def set_rollover(unit: Unit, user_id: str, day: date, next_at: datetime) -> None:
    """Record the day that was rolled over to, and when the next one starts."""
    await unit.execute(QUERIES["set_rollover"], {"user_id": user_id, "day": day, "next": next_at})


async def list_report_recipients(unit: Unit, *, after: str, since: date, limit: int) -> list[str]:
    """Ids of people who want reports and had none since a day."""
    rows = await unit.all(QUERIES["list_report_recipients"], {"after": after, "since": since, "limit": limit})
    return [row["user_id"] for row in rows]


async def claim_report(unit: Unit, user_id: str, monday: date) -> bool:
    """Claim the report of a Monday; false if it was claimed before or isn't wanted any more."""
    return bool(await unit.execute(QUERIES["claim_report"], {"user_id": user_id, "monday": monday}))


async def list_time_zones(unit: ReadTransaction, user_id: str) -> list[TimeZonePeriod]:
    rows = await unit.all(QUERIES["list_time_zones"], {"user_id": user_id})
    return [TimeZonePeriod(row["since"], LocalTime(row["zone"], row["day_start"])) for row in rows]


async def add_time_zone(unit: Unit, user_id: str, local: LocalTime, now: datetime) -> None:
    await unit.execute(
        QUERIES["add_time_zone"], {"user_id": user_id, "zone": local.zone, "day_start": local.day_start, "now": now}
    )
    await unit.execute(QUERIES["reset_rollover"], {"user_id": user_id})


async def list_vacations(unit: ReadTransaction, owner_id: str) -> list[PlannedVacation]:
    return await unit.all(QUERIES["list_vacations"], {"owner_id": owner_id}, into=PlannedVacation)


async def add_vacation(unit: Unit, owner_id: str, vacation: PlannedVacation) -> bool:
    """Add a vacation; false if the same days were stored already."""
    values = {"id": vacation.id, "owner_id": owner_id, "first_day": vacation.first_day, "last_day": vacation.last_day}
    return bool(await unit.execute(QUERIES["add_vacation"], values))


async def delete_vacation(unit: Unit, owner_id: str, vacation_id: str) -> bool:
    return bool(await unit.execute(QUERIES["delete_vacation"], {"id": vacation_id, "owner_id": owner_id}))


async def list_rest_days(unit: ReadTransaction, owner_id: str) -> list[date]:
    return [row["day"] for row in await unit.all(QUERIES["list_rest_days"], {"owner_id": owner_id})]


async def add_rest_day(unit: Unit, owner_id: str, day: date) -> bool:
    return bool(await unit.execute(QUERIES["add_rest_day"], {"owner_id": owner_id, "day": day}))


async def delete_rest_day(unit: Unit, owner_id: str, day: date) -> bool:
    return bool(await unit.execute(QUERIES["delete_rest_day"], {"owner_id": owner_id, "day": day}))


async def add_group(unit: Unit, group_id: str, name: str, owner_id: str, now: datetime) -> None:
    await unit.execute(QUERIES["add_group"], {"id": group_id, "name": name, "owner_id": owner_id, "now": now})


async def find_group(unit: ReadTransaction, group_id: str, user_id: str) -> HabitGroup | None:
    return await unit.one(QUERIES["find_group"], {"id": group_id, "user_id": user_id}, into=HabitGroup)


async def lock_group(unit: Unit, group_id: str) -> bool:
    """Lock a group until the unit ends; false if it doesn't exist."""
    return await unit.one(QUERIES["lock_group"], {"id": group_id}) is not None


async def list_groups(unit: ReadTransaction, user_id: str) -> Sequence[HabitGroup]:
    return await unit.all(QUERIES["list_groups"], {"user_id": user_id}, into=HabitGroup)


async def join_group(unit: Unit, group_id: str, user_id: str, now: datetime) -> None:
    await unit.execute(QUERIES["join_group"], {"id": group_id, "user_id": user_id, "now": now})


async def leave_group(unit: Unit, group_id: str, user_id: str) -> None:
    await unit.execute(QUERIES["leave_group"], {"id": group_id, "user_id": user_id})


async def delete_group(unit: Unit, group_id: str) -> None:
    await unit.execute(QUERIES["delete_group"], {"id": group_id})


async def count_owned_groups(reading: ReadTransaction, owner_id: str) -> int:
    return int(await reading.value(QUERIES["count_owned_groups"], {"owner_id": owner_id}))


async def hand_over_groups(unit: Unit, from_id: str, to_id: str) -> int:
    return await unit.execute(QUERIES["hand_over_groups"], {"from_id": from_id, "to_id": to_id})
