"""Brings the demo's people and their year, and takes them away again."""

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.demo import DemoContent, DemoRun
from almanac.desks.habits.demo.people import OWNER, PEOPLE, DemoPerson, build_bundle
from almanac.desks.habits.formats.almanac_json import write_json
from almanac.desks.habits.service import habits, transfer
from almanac.kit.ids import new_id

HABIT = "habit"
PERSON = "person"


async def load_people(run: DemoRun) -> None:
    """Everybody's habits as a file brings them, so that a second time adds nothing."""
    for number, person in enumerate(PEOPLE):
        await run.ledger.progress(number, len(PEOPLE), "Bringing habits")
        if person.key not in run.made(PERSON):
            await run.note(PERSON, person.key, run.owner.user_id if person.key == OWNER else new_id())
        principal = _principal(run, person)
        bundle = build_bundle(person, run.day)
        taken = {one.habit.name for one in await habits.list_habits(run.services, principal, archived=True)}
        noted = run.made(HABIT)
        bundle.habits = [one for one in bundle.habits if one.name not in taken or f"{person.key}/{one.name}" in noted]
        await run.note_all(HABIT, {f"{person.key}/{one.name}": one.name for one in bundle.habits})
        await transfer.import_habits(run.services, principal, write_json(bundle), dry_run=False)


async def remove_people(content: DemoContent) -> None:
    """Every habit that was brought, and the people who are not the owner."""
    for person in PEOPLE:
        if person.key not in content.made(PERSON):
            continue
        principal = _principal(content, person)
        noted = content.made(HABIT)
        for one in await habits.list_habits(content.services, principal, archived=True):
            if f"{person.key}/{one.habit.name}" in noted:
                await habits.delete_habit(content.services, principal, one.habit.id)
        if person.key != OWNER:
            await habits.delete_person(content.services, principal)


def _principal(content: DemoContent, person: DemoPerson) -> Principal:
    if person.key == OWNER:
        return content.owner
    address = f"{person.key}@demo.invalid"
    return Principal(
        user_id=content.made(PERSON)[person.key], name=person.name, email=address, role=Role.MEMBER, via="automation"
    )
