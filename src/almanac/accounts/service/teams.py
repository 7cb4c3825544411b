"""Teams: people who share rights at desks. Those who manage people make them and say who is in them."""

from collections.abc import Collection, Iterable

from almanac.accounts import store, team_store
from almanac.accounts.fields import clean_name, is_storable
from almanac.accounts.model import Principal, Team, TeamMember
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action
from almanac.accounts.service.rights import MANAGE, no_own_gain, require_now, require_team
from almanac.accounts.service.users import require_user
from almanac.audit.model import AuditSubject, DetailValue
from almanac.errors import FieldErrors, StaleEdit
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.relational import DuplicateRow, Unit

LONGEST_DESCRIPTION = 300


async def create_team(accounts: Accounts, by: Principal, *, name: str, description: str = "") -> Team:
    """Make a team without members and rights."""
    by.require(MANAGE)
    name, description, team_id = clean_name(name), _clean_description(description), new_id()
    async with accounts.database.unit() as unit:
        try:
            await team_store.add_team(unit, team_id, name=name, description=description, now=accounts.clock.now())
        except DuplicateRow as error:
            raise _taken() from error
        await record_user_action(accounts, unit, by.actor, "team.created", _subject(team_id))
        return require_team(await team_store.find_team(unit, team_id))


async def edit_team(
    accounts: Accounts, by: Principal, team_id: str, *, name: str, description: str, expected: int | None = None
) -> Team:
    """Change a team's name and description. `expected` is the version the edit was made on."""
    by.require(MANAGE)
    name, description = clean_name(name), _clean_description(description)
    async with accounts.database.unit() as unit:
        team = require_team(await team_store.lock_team(unit, team_id))
        if expected is not None and expected != team.version:
            raise StaleEdit(
                gettext("Somebody else changed this team in the meantime; reload the page."), str(team.version)
            )
        if (team.name, team.description) == (name, description):
            return team
        try:
            await team_store.update_team(unit, team.id, name=name, description=description, now=accounts.clock.now())
        except DuplicateRow as error:
            raise _taken() from error
        await record_user_action(accounts, unit, by.actor, "team.renamed", _subject(team.id))
        return require_team(await team_store.find_team(unit, team.id))


async def delete_team(accounts: Accounts, by: Principal, team_id: str, *, why: str = "") -> None:
    """Remove a team; its members lose what it gave them at once."""
    by.require(MANAGE)
    async with accounts.database.unit() as unit:
        team = require_team(await team_store.lock_team(unit, team_id))
        await team_store.delete_team(unit, team.id)
        detail: dict[str, DetailValue] = {"rights": sorted(team.rights), "size": team.size}
        await record_user_action(accounts, unit, by.actor, "team.deleted", _subject(team.id), why, **detail)


async def list_teams(accounts: Accounts, by: Principal) -> list[Team]:
    """Every team by name, for those who manage people or administer a desk."""
    if not any(by.may(f"desk.{desk}.administer") for desk in accounts.desks):
        by.require(MANAGE)
    async with accounts.database.reading() as reading:
        return await team_store.list_teams(reading)


async def get_team(accounts: Accounts, by: Principal, team_id: str) -> tuple[Team, list[TeamMember]]:
    """A team with its members, for those who manage people."""
    by.require(MANAGE)
    async with accounts.database.reading() as reading:
        team = require_team(await team_store.find_team(reading, team_id))
        return team, await team_store.list_team_members(reading, team.id)


async def get_team_by_name(accounts: Accounts, by: Principal, name: str) -> Team:
    """One team by its name, whatever its capitals, for those who manage people."""
    teams = {team.name.casefold(): team for team in await list_teams(accounts, by)}
    return require_team(teams.get(name.strip().casefold()))


async def add_team_member(accounts: Accounts, by: Principal, team_id: str, user_id: str) -> None:
    """Put a person into a team; twice is no error."""
    by.require(MANAGE)
    async with accounts.database.unit() as unit, no_own_gain(unit, by):
        await require_now(unit, by, MANAGE)
        await _add(accounts, unit, by, team_id, user_id)


async def remove_team_member(accounts: Accounts, by: Principal, team_id: str, user_id: str) -> None:
    """Take a person out of a team; twice is no error."""
    by.require(MANAGE)
    async with accounts.database.unit() as unit:
        await _remove(accounts, unit, by, team_id, user_id)


async def set_user_teams(accounts: Accounts, by: Principal, user_id: str, team_ids: Collection[str]) -> None:
    """Put a person into exactly these teams."""
    by.require(MANAGE)
    async with accounts.database.unit() as unit, no_own_gain(unit, by):
        await require_now(unit, by, MANAGE)
        current = {team.id for team in await team_store.list_teams_of_user(unit, user_id)}
        await _add_all(accounts, unit, by, user_id, sorted(set(team_ids) - current))
        for team_id in sorted(current - set(team_ids)):
            await _remove(accounts, unit, by, team_id, user_id)


async def _add_all(accounts: Accounts, unit: Unit, by: Principal, user_id: str, team_ids: Iterable[str]) -> None:
    for team_id in team_ids:
        await _add(accounts, unit, by, team_id, user_id)


async def _add(accounts: Accounts, unit: Unit, by: Principal, team_id: str, user_id: str) -> None:
    team = require_team(await team_store.lock_team(unit, team_id))
    user = require_user(await store.find_user(unit, user_id))
    if await team_store.add_team_member(unit, team.id, user.id, accounts.clock.now()):
        await record_user_action(accounts, unit, by.actor, "team.member_added", _subject(team.id), member=user.id)


async def _remove(accounts: Accounts, unit: Unit, by: Principal, team_id: str, user_id: str) -> None:
    team = require_team(await team_store.lock_team(unit, team_id))
    if await team_store.remove_team_member(unit, team.id, user_id):
        await record_user_action(accounts, unit, by.actor, "team.member_removed", _subject(team.id), member=user_id)


def _subject(team_id: str) -> AuditSubject:
    return AuditSubject("team", team_id)


def _clean_description(text: str) -> str:
    text = one_line(text)
    if len(text) > LONGEST_DESCRIPTION or not is_storable(text):
        raise FieldErrors(
            {"description": gettext("Use at most %(limit)s ordinary characters.", limit=LONGEST_DESCRIPTION)}
        )
    return text


def _taken() -> FieldErrors:
    return FieldErrors({"name": gettext("There is already a team with this name.")})
