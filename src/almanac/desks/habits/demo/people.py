"""The people and habits of the demo, with a reproducible year of entries for each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random

from almanac.desks.habits.formats.bundle import HabitBundle, HabitRecord
from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import HabitRule, Vacation
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.desks.habits.pipeline.demo_habits import OWNER

DAYS = 365
_DAILY, _DONE = HabitSchedule(), Goal()


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoHabit:
    """A demo habit. `rate` is the probability of an entry per day; `unbroken` is the streak in days up to yesterday."""

    name: str
    about: str
    schedule: HabitSchedule = _DAILY
    goal: Goal = _DONE
    rate: float = 0.9
    unbroken: int = 0
    amounts: tuple[int, int] = (1, 1)
    group: str = ""
    tags: tuple[str, ...] = ()
    before: HabitSchedule | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """A demo person. The owner has no name, and keeps their own days off."""

    key: str
    name: str
    habits: tuple[DemoHabit, ...]
    away: int = 0


_WORKDAYS = HabitSchedule(kind="weekdays", weekdays=(0, 1, 2, 3, 4))
PEOPLE = (
    DemoPerson(
        OWNER,
        "",
        (
            DemoHabit(
                name="Walk before work",
                about="To the river and back.",
                schedule=_WORKDAYS,
                unbroken=12,
                rate=0.8,
                group="Morning",
                tags=("health",),
                note="Rain, went anyway.",
            ),
            DemoHabit(
                name="Swim",
                about="",
                schedule=HabitSchedule(kind="per_week", times=2),
                rate=0.33,
                group="Morning",
                tags=("health",),
                before=HabitSchedule(kind="weekly"),
            ),
            DemoHabit(
                name="Read twenty pages",
                about="Anything but the news.",
                unbroken=41,
                rate=0.82,
                group="Evening",
                goal=Goal(kind="at_least", target=Decimal(20), unit="pages"),
                amounts=(20, 46),
                tags=("calm",),
                note="Finished the second volume.",
            ),
            DemoHabit(
                name="No screens after ten",
                about="",
                goal=Goal(kind="avoid"),
                rate=0.06,
                group="Evening",
                tags=("calm",),
            ),
        ),
    ),
    DemoPerson(
        "wanjiru",
        "Wanjiru Otieno (demo)",
        (
            DemoHabit(name="Write the morning page", about="One page by hand.", unbroken=210, rate=0.9),
            DemoHabit(
                name="Drink two litres",
                about="",
                goal=Goal(kind="at_least", target=Decimal(2000), unit="ml"),
                amounts=(1600, 2600),
                rate=0.95,
            ),
            DemoHabit(name="Call home", about="", schedule=HabitSchedule(kind="weekly"), rate=0.2),
        ),
    ),
    DemoPerson(
        "mei-lin",
        "Tan Mei Lin (demo)",
        (
            DemoHabit(name="练字", about="每天十个字。", unbroken=64, rate=0.85),
            DemoHabit(name="Run", about="Five kilometres.", schedule=HabitSchedule(kind="per_week", times=3), rate=0.5),
            DemoHabit(name="Water the balcony", about="", schedule=HabitSchedule(kind="every_days", every=3), rate=0.4),
        ),
        away=90,
    ),
    DemoPerson(
        "yusuf",
        "Yusuf Abdi (demo)",
        (
            DemoHabit(
                name="Practise the oud",
                about="Scales first.",
                goal=Goal(kind="at_least", target=Decimal(15), unit="min"),
                amounts=(10, 45),
                rate=0.7,
                unbroken=8,
            ),
            DemoHabit(name="Tidy the accounts", about="", schedule=HabitSchedule(kind="monthly"), rate=0.06),
            DemoHabit(
                name="At most two coffees",
                about="",
                goal=Goal(kind="at_most", target=Decimal(2), unit="cups"),
                amounts=(1, 4),
                rate=0.5,
            ),
        ),
    ),
)


def build_bundle(person: DemoPerson, today: date) -> HabitBundle:
    """A person's habits up to yesterday, as an import bundle."""
    away = (
        [Vacation(today - timedelta(days=person.away), today - timedelta(days=person.away - 10))] if person.away else []
    )
    return HabitBundle(habits=[_record(habit, person, today) for habit in person.habits], vacations=away)


def _record(habit: DemoHabit, person: DemoPerson, today: date) -> HabitRecord:
    random = Random(f"{person.key}/{habit.name}")  # noqa: S311 - reproducible demo data, not a secret
    first = today - timedelta(days=DAYS)
    rules = [HabitRule(first, habit.before or habit.schedule, habit.goal)]
    if habit.before is not None:
        rules.append(HabitRule(today - timedelta(days=120), habit.schedule, habit.goal))
    record = HabitRecord(
        name=habit.name,
        description=habit.about,
        tags=habit.tags,
        group=habit.group,
        rules=rules,
        log=dict(_entries(habit, random, today)),
    )
    record.skips = {today - timedelta(days=ago) for ago in random.sample(range(20, DAYS), 4)} - record.log.keys()
    if habit.note:
        record.notes[max(record.log)] = habit.note
    return record


def _entries(habit: DemoHabit, random: Random, today: date) -> Iterator[tuple[date, Decimal]]:
    """Entries by day: without gaps for the last `unbroken` days, random before that."""
    for ago in range(DAYS, 0, -1):
        day = today - timedelta(days=ago)
        amount = Decimal(random.randint(*habit.amounts))
        done = random.random() < habit.rate
        if habit.schedule.kind == "weekdays" and day.weekday() not in habit.schedule.weekdays:
            continue
        if ago <= habit.unbroken:
            yield day, max(amount, habit.goal.default_amount)
        elif done:
            yield day, amount
