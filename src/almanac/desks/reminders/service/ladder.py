"""The ladder's rules, as an installation has chosen them: read them, change them."""

from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.rules import LadderRules
from almanac.desks.reminders.sending.deciding import READ, WRITE, rules_of
from almanac.desks.reminders.service.noting import note
from almanac.errors import StaleEdit
from almanac.services import Services


async def get_rules(services: Services, by: Principal) -> LadderRules:
    """The rules in force; version 0 are the documented ones that nobody changed."""
    by.require(READ)
    return await rules_of(services)


async def save_rules(services: Services, by: Principal, rules: LadderRules, *, expected: int) -> LadderRules:
    """Other rules, written on version `expected`; whatever is not sent yet is decided by them."""
    by.require(WRITE)
    known = await rules_of(services)
    if known.version != expected:
        raise StaleEdit("Somebody else changed the rules first; load them again.", current=str(known.version))
    saved = await store.save_rules(services.tables, replace(rules, version=expected, time_zone=known.time_zone))
    await note(services, by, "rules.changed", "rules", "ladder", version=saved.version)
    return saved
