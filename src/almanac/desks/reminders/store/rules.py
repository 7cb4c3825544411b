"""The ladder's rules as stored; an installation that chose none follows the documented ones."""

from dataclasses import replace

from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.rules import DEFAULT_RULES, LadderRules, check_rules
from almanac.errors import StaleEdit
from tablature import create, update
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed

_CHANGED = "Somebody else changed the ladder's rules first; load them again and repeat your change."


async def get_rules(tables: AsyncDatabase, *, time_zone: str) -> LadderRules:
    """The rules in force; the time zone is that of the installation."""
    found = await tables.get(table.Rules.key(name="ladder"))
    return stored.rules_from(found, time_zone) if found else replace(DEFAULT_RULES, time_zone=time_zone)


async def save_rules(tables: AsyncDatabase, rules: LadderRules) -> LadderRules:
    """New rules, edited on the version that they carry."""
    item = stored.stored_rules(check_rules(rules))
    try:
        await tables.transact(update(item) if rules.version else create(item))
    except ConditionFailed as error:
        raise StaleEdit(_CHANGED, current="") from error
    return replace(rules, version=rules.version + 1)
