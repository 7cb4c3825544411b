"""Rights at desks: giving them to people and teams, and telling where each right comes from.

Whoever manages people gives rights at every desk; whoever administers a desk gives them there. Nobody raises their own.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from almanac.accounts import store, team_store
from almanac.accounts.fields import clean_actions, clean_desk, is_storable
from almanac.accounts.model import Principal, Team, User
from almanac.accounts.permissions import (
    ACTIONS,
    DESKS,
    EVERY_SCOPE,
    Role,
    desk_permission,
    granted_permissions,
    role_permissions,
)
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, user_subject
from almanac.accounts.service.users import require_user
from almanac.accounts.store import UserFilter
from almanac.audit.model import AuditSubject, DetailValue
from almanac.errors import NotAllowed, NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page, decode_cursor
from almanac.relational import Unit

MANAGE = "users.manage"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskAccess:
    """What a person may do at a desk: each action with where it comes from (`role`, `own` or the name of a team).

    `own` is what was set for the person; None means that the role decides. `default` is what the role gives.
    """

    desk: str
    default: tuple[str, ...]
    own: tuple[str, ...] | None
    sources: Mapping[str, Sequence[str]]

    def may(self, action: str) -> bool:
        return bool(self.sources[action])


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAccess:
    """A person with their teams and what they may do at each desk that is switched on."""

    user: User
    teams: Sequence[Team]
    desks: Sequence[DeskAccess]


def desk_defaults(role: Role, desk: str) -> tuple[str, ...]:
    """What a role gives at a desk."""
    return tuple(action for action in ACTIONS if desk_permission(desk, action) in role_permissions(role))


async def get_access(accounts: Accounts, by: Principal, user_id: str) -> PersonAccess:
    """What a person may do at each desk and why: one's own, or anybody's for those who manage people."""
    async with accounts.database.reading() as reading:
        user = await store.find_user(reading, user_id)
        if user is None or not (by.owns(user.id) or by.may(MANAGE)):
            raise NotFound(gettext("No matching person was found."))
        teams = await team_store.list_teams_of_user(reading, user_id)
    desks = [explain_access(user, desk, teams) for desk in DESKS if desk in accounts.desks]
    return PersonAccess(user=user, teams=teams, desks=desks)


def explain_access(user: User, desk: str, teams: Sequence[Team] | None = None) -> DeskAccess:
    """What a person may do at a desk, and where each right comes from; without `teams` those aren't named."""
    default, is_replaced = desk_defaults(user.role, desk), desk in user.rights.replaced
    own = tuple(action for action in ACTIONS if desk_permission(desk, action) in user.rights.own)
    base, name = (own, "own") if is_replaced else (default, "role")
    sources = {
        action: [
            *([name] if action in base else []),
            *_team_sources(user, teams, desk_permission(desk, action)),
        ]
        for action in ACTIONS
    }
    return DeskAccess(desk=desk, default=default, own=own if is_replaced else None, sources=sources)


def _team_sources(user: User, teams: Sequence[Team] | None, permission: str) -> list[str]:
    if teams is None:
        return ["a team"] if permission in user.rights.teams else []
    return [team.name for team in teams if permission in team.rights]


async def list_desk_people(
    accounts: Accounts, by: Principal, desk: str, text: str = "", *, cursor: str | None = None, limit: int = 50
) -> Page[tuple[User, DeskAccess]]:
    """Active people by name with what they may do at a desk, for those who give rights there."""
    desk = clean_desk(desk, accounts.desks)
    _require_giver(by, desk)
    if not is_storable(text):
        return Page()
    name = f"people at {desk} {text}"
    after = decode_cursor(cursor, of=name, key=accounts.cursor_key) if cursor else None
    place = (str(after[0]), str(after[1])) if after else None
    async with accounts.database.reading() as reading:
        wanted = UserFilter(text=text or None, active=True)
        users = await store.list_users(reading, wanted, after=place, limit=limit + 1)
    people = [(user, explain_access(user, desk)) for user in users]
    return build_page(people, limit, lambda pair: [pair[0].name, pair[0].id], of=name, key=accounts.cursor_key)


async def set_own_rights(
    accounts: Accounts, by: Principal, user_id: str, desk: str, actions: Iterable[str] | None, *, why: str = ""
) -> User:
    """Set what a person may do at a desk; None lets their role decide again. Their teams' rights stay on top."""
    desk = clean_desk(desk, accounts.desks)
    chosen = None if actions is None else clean_actions(actions)
    async with accounts.database.unit() as unit, no_own_gain(unit, by):
        user = await _lock_person(unit, by, user_id, desk)
        await give_own_rights(accounts, unit, by, user, {desk: chosen}, why=why)
        return require_user(await store.find_user(unit, user.id))


async def set_desk_rights(
    accounts: Accounts, by: Principal, user_id: str, rights: Mapping[str, Iterable[str]], *, why: str = ""
) -> User:
    """Set what a person may do at several desks at once; what equals the default of their role is left to the role."""
    chosen = {clean_desk(desk, accounts.desks): clean_actions(actions) for desk, actions in rights.items()}
    async with accounts.database.unit() as unit, no_own_gain(unit, by):
        user = await _lock_person(unit, by, user_id, *chosen)
        await give_own_rights(accounts, unit, by, user, differing_rights(user.role, chosen), why=why)
        return require_user(await store.find_user(unit, user.id))


def differing_rights(role: Role, chosen: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...] | None]:
    """The actions to set as own rights at each desk; None where they are what the role gives."""
    return {desk: None if actions == desk_defaults(role, desk) else actions for desk, actions in chosen.items()}


async def give_own_rights(
    accounts: Accounts,
    unit: Unit,
    by: Principal,
    user: User,
    rights: Mapping[str, tuple[str, ...] | None],
    *,
    why: str = "",
) -> None:
    """Set own rights in the caller's transaction, who has checked that they may be given; skips unchanged ones."""
    for desk, actions in rights.items():
        before = explain_access(user, desk).own
        if before == actions:
            continue
        await team_store.set_own_rights(unit, user.id, desk, actions, accounts.clock.now())
        detail: dict[str, DetailValue] = {
            "desk": desk,
            "before": None if before is None else list(before),
            "after": None if actions is None else list(actions),
        }
        await record_user_action(accounts, unit, by.actor, "user.rights_changed", user_subject(user.id), why, **detail)


async def _lock_person(unit: Unit, by: Principal, user_id: str, *desks: str) -> User:
    """The person whose rights at these desks are to change, if whoever asks may change them."""
    for desk in desks:
        await _require_giver_now(unit, by, desk)
    user = require_user(await store.lock_user(unit, user_id))
    if user.role is Role.ADMIN and not by.may(MANAGE):
        raise NotAllowed(gettext("Only administrators change the rights of an administrator."))
    return user


async def set_team_rights(
    accounts: Accounts, by: Principal, team_id: str, desk: str, actions: Iterable[str], *, why: str = ""
) -> Team:
    """Set what the members of a team may do at a desk beside what they may do anyway."""
    desk, chosen = clean_desk(desk, accounts.desks), clean_actions(actions)
    async with accounts.database.unit() as unit, no_own_gain(unit, by):
        await _require_giver_now(unit, by, desk)
        team = require_team(await team_store.lock_team(unit, team_id))
        before = [action for action in ACTIONS if desk_permission(desk, action) in team.rights]
        if before == list(chosen):
            return team
        await team_store.set_team_rights(unit, team.id, desk, chosen)
        subject = AuditSubject("team", team.id)
        detail: dict[str, DetailValue] = {"desk": desk, "before": before, "after": list(chosen)}
        await record_user_action(accounts, unit, by.actor, "team.rights_changed", subject, why, **detail)
        return require_team(await team_store.find_team(unit, team.id))


@asynccontextmanager
async def no_own_gain(unit: Unit, by: Principal) -> AsyncIterator[None]:
    """Undo whatever would give the one who asks more rights than before. The roles are locked meanwhile."""
    await store.lock_roles(unit)
    before = await _own_permissions(unit, by)
    yield
    if not await _own_permissions(unit, by) <= before:
        raise NotAllowed(gettext("Nobody can raise their own rights; ask another administrator."))


async def require_now(unit: Unit, by: Principal, *permissions: str) -> None:
    """Refuse unless one of the permissions is held now: a role may have changed since the request arrived."""
    if by.via not in ("session", "token"):
        return
    user = await store.find_user(unit, by.user_id)
    held = granted_permissions(user.role, by.scopes, user.rights, by.desks) if user and user.active else frozenset()
    if held.isdisjoint(permissions):
        raise NotAllowed(gettext("Your rights were just changed; reload the page."))


def require_team(team: Team | None) -> Team:
    """The team, which must exist."""
    if team is None:
        raise NotFound(gettext("There is no team with this id."))
    return team


async def _own_permissions(unit: Unit, by: Principal) -> frozenset[str]:
    """Everything the account of whoever asks gives now; nothing where there is no account."""
    user = await store.find_user(unit, by.user_id)
    return granted_permissions(user.role, EVERY_SCOPE, user.rights) if user else frozenset()


def _require_giver(by: Principal, desk: str) -> None:
    if not by.may(MANAGE):
        by.require(desk_permission(desk, "administer"))


async def _require_giver_now(unit: Unit, by: Principal, desk: str) -> None:
    _require_giver(by, desk)
    await require_now(unit, by, MANAGE, desk_permission(desk, "administer"))
