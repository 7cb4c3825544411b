"""Every read and write of rights at desks and of teams, by name; rules are the callers' business."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from almanac.accounts.model import Team, TeamMember
from almanac.accounts.store import QUERIES, could_be_id, parse_desk_actions
from almanac.relational import ReadTransaction, Unit


async def set_own_rights(unit: Unit, user_id: str, desk: str, actions: Iterable[str] | None, now: datetime) -> None:
    """What a person may do at a desk whatever their role; None lets the role decide again."""
    if actions is None:
        await unit.execute(QUERIES["clear_own_rights"], {"user_id": user_id, "desk": desk})
        return
    row = {"user_id": user_id, "desk": desk, "actions": sorted(actions), "now": now}
    await unit.execute(QUERIES["set_own_rights"], row)


async def list_teams(reading: ReadTransaction) -> list[Team]:
    """Every team, by name."""
    return await reading.all(QUERIES["list_teams"], into=_team)


async def list_teams_of_user(reading: ReadTransaction, user_id: str) -> list[Team]:
    """The teams that a person is in, by name."""
    return await reading.all(QUERIES["list_teams_of_user"], {"user_id": user_id}, into=_team)


async def find_team(reading: ReadTransaction, team_id: str) -> Team | None:
    """One team by id."""
    return await reading.one(QUERIES["find_team"], {"id": team_id}, into=_team) if could_be_id(team_id) else None


async def lock_team(unit: Unit, team_id: str) -> Team | None:
    """One team by id, kept from changing until the transaction ends."""
    if not could_be_id(team_id) or await unit.value(QUERIES["lock_team"], {"id": team_id}) is None:
        return None
    return await find_team(unit, team_id)


async def add_team(unit: Unit, team_id: str, *, name: str, description: str, now: datetime) -> None:
    """A new team without members and rights."""
    await unit.execute(QUERIES["add_team"], {"id": team_id, "name": name, "description": description, "now": now})


async def update_team(unit: Unit, team_id: str, *, name: str, description: str, now: datetime) -> None:
    """A team's name and description."""
    await unit.execute(QUERIES["update_team"], {"id": team_id, "name": name, "description": description, "now": now})


async def delete_team(unit: Unit, team_id: str) -> None:
    """A team with its memberships and rights."""
    await unit.execute(QUERIES["delete_team"], {"id": team_id})


async def list_team_members(reading: ReadTransaction, team_id: str) -> list[TeamMember]:
    """The people of a team, by name."""
    return await reading.all(QUERIES["list_team_members"], {"team_id": team_id}, into=TeamMember)


async def add_team_member(unit: Unit, team_id: str, user_id: str, now: datetime) -> bool:
    """Put a person into a team; False if they were in it already."""
    row = {"team_id": team_id, "user_id": user_id, "now": now}
    return await unit.execute(QUERIES["add_team_member"], row) == 1


async def remove_team_member(unit: Unit, team_id: str, user_id: str) -> bool:
    """Take a person out of a team; False if they weren't in it."""
    return await unit.execute(QUERIES["remove_team_member"], {"team_id": team_id, "user_id": user_id}) == 1


async def set_team_rights(unit: Unit, team_id: str, desk: str, actions: Iterable[str]) -> None:
    """What a team may do at a desk."""
    row = {"team_id": team_id, "desk": desk}
    if chosen := sorted(actions):
        await unit.execute(QUERIES["set_team_rights"], {**row, "actions": chosen})
    else:
        await unit.execute(QUERIES["clear_team_rights"], row)


def _team(*, rights: list[str], **row: Any) -> Team:
    return Team(rights=parse_desk_actions(rights), **row)
