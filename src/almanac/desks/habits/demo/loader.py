"""Loads the demo people with a year of habits, and removes them."""

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.demo import DemoContent, DemoRun
from almanac.desks.habits.demo.people import PEOPLE, DemoPerson, build_bundle
from almanac.desks.habits.formats.almanac_json import write_json
from almanac.desks.habits.pipeline.demo_habits import HABIT, OWNER, demo_key
from almanac.desks.habits.service import habits, transfer
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext

PERSON = "person"


async def load_people(run: DemoRun) -> None:
    """Import everybody's habits like a file, so that a second run adds nothing."""
    for number, person in enumerate(PEOPLE):
        await run.ledger.progress(number, len(PEOPLE), gettext("Importing habits"))
        if person.key not in run.made(PERSON):
            await run.note(PERSON, person.key, run.owner.user_id if person.key == OWNER else new_id())
        principal = _principal(run, person)
        bundle = build_bundle(person, run.day)
        own = {snapshot.habit.name for snapshot in await habits.list_habits(run.services, principal, archived=True)}
        loaded = run.made(HABIT)
        bundle.habits = [
            record for record in bundle.habits if record.name not in own or demo_key(person.key, record.name) in loaded
        ]
        await run.note_all(HABIT, {demo_key(person.key, record.name): record.name for record in bundle.habits})
        await transfer.import_habits(run.services, principal, write_json(bundle), dry_run=False)


async def remove_people(content: DemoContent) -> None:
    """Delete every habit that was loaded, and all demo people except the owner."""
    for person in PEOPLE:
        if person.key not in content.made(PERSON):
            continue
        principal = _principal(content, person)
        loaded = content.made(HABIT)
        for snapshot in await habits.list_habits(content.services, principal, archived=True):
            if demo_key(person.key, snapshot.habit.name) in loaded:
                await habits.delete_habit(content.services, principal, snapshot.habit.id)
        if person.key != OWNER:
            await habits.delete_person(content.services, principal)


def _principal(content: DemoContent, person: DemoPerson) -> Principal:
    if person.key == OWNER:
        return content.owner
    address = f"{person.key}@demo.invalid"
    return Principal(
        user_id=content.made(PERSON)[person.key], name=person.name, email=address, role=Role.MEMBER, via="automation"
    )
