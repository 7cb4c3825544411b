"""Rights at desks for people and teams: what they give, who may give them, and that nobody raises their own."""

import pytest

from almanac.accounts import service
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import ACTIONS, DESKS, Role
from almanac.errors import FieldErrors, NotAllowed, NotFound

RAISE = "Nobody can raise their own rights"


def held(principal, desk):
    return {action for action in ACTIONS if principal.may(f"desk.{desk}.{action}")}


async def team_with(accounts, *members, **rights):
    team = await service.create_team(accounts, CONSOLE, name="Finance")
    for desk, actions in rights.items():
        await service.set_team_rights(accounts, CONSOLE, team.id, desk, actions)
    for member in members:
        await service.add_team_member(accounts, CONSOLE, team.id, member.id)
    return team


async def test_own_rights_replace_the_roles_and_a_teams_come_on_top(accounts, as_principal, make_user):
    user = await make_user(Role.EDITOR)
    assert held(await as_principal(user), "reminders") == {"read", "write"}
    await service.set_own_rights(accounts, CONSOLE, user.id, "reminders", [])
    assert held(await as_principal(user), "reminders") == set()
    await team_with(accounts, user, reminders=["approve"])
    assert held(await as_principal(user), "reminders") == {"read", "approve"}
    assert held(await as_principal(user), "news") == {"read", "write"}
    await service.set_own_rights(accounts, CONSOLE, user.id, "reminders", None)
    assert held(await as_principal(user), "reminders") == {"read", "write", "approve"}


async def test_a_change_counts_for_the_next_request_of_a_session_and_of_a_token(accounts, principals, enter, make_user):
    user = await make_user()
    session = (await enter(user)).token
    await service.set_own_rights(accounts, CONSOLE, user.id, "reminders", ["write"])
    me = await principals.for_session(session)
    made = await service.create_token(accounts, me, name="t", scopes=["reminders:write"])
    assert held(await principals.for_token(made.secret), "reminders") == {"write"}
    await service.set_own_rights(accounts, CONSOLE, user.id, "reminders", None)
    assert held(await principals.for_session(session), "reminders") == set()
    assert held(await principals.for_token(made.secret), "reminders") == set()


async def test_a_deleted_team_and_a_left_team_give_nothing(accounts, as_principal, make_user):
    user, other = await make_user(), await make_user(name="Ben")
    team = await team_with(accounts, user, other, reminders=["read"])
    assert held(await as_principal(user), "reminders") == {"read"}
    await service.remove_team_member(accounts, CONSOLE, team.id, user.id)
    assert held(await as_principal(user), "reminders") == set()
    await service.delete_team(accounts, CONSOLE, team.id)
    assert held(await as_principal(other), "reminders") == set()


async def test_nobody_raises_their_own_rights_by_any_way(accounts, as_principal, make_user):
    """An administrator without rights at a desk can give them to others only."""
    boss_user, other = await make_user(Role.ADMIN, "Boss"), await make_user(name="Ben")
    await service.set_own_rights(accounts, CONSOLE, boss_user.id, "reminders", [])
    full = await team_with(accounts, reminders=["read"])
    empty = await service.create_team(accounts, CONSOLE, name="Own")
    await service.add_team_member(accounts, CONSOLE, empty.id, boss_user.id)
    boss = await as_principal(boss_user)
    for attempt in (
        lambda: service.set_own_rights(accounts, boss, boss.user_id, "reminders", ["read"]),
        lambda: service.set_own_rights(accounts, boss, boss.user_id, "reminders", None),
        lambda: service.add_team_member(accounts, boss, full.id, boss.user_id),
        lambda: service.set_user_teams(accounts, boss, boss.user_id, [full.id]),
        lambda: service.set_team_rights(accounts, boss, empty.id, "reminders", ["read"]),
    ):
        with pytest.raises(NotAllowed, match=RAISE):
            await attempt()
        assert held(await as_principal(boss_user), "reminders") == set()
    await service.set_own_rights(accounts, boss, other.id, "reminders", ["read"])
    await service.set_own_rights(accounts, boss, boss.user_id, "news", ["read"])
    assert held(await as_principal(boss_user), "news") == {"read"}


@pytest.mark.parametrize("desk", DESKS)
async def test_a_desk_administrator_gives_rights_at_that_desk_only(accounts, as_principal, make_user, desk):
    user, other, boss = await make_user(), await make_user(name="Ben"), await make_user(Role.ADMIN, "Boss")
    await service.set_own_rights(accounts, CONSOLE, user.id, desk, ["administer"])
    keeper, team = await as_principal(user), await team_with(accounts)
    await service.set_own_rights(accounts, keeper, other.id, desk, ["send"])
    await service.set_team_rights(accounts, keeper, team.id, desk, ["read"])
    assert held(await as_principal(other), desk) == {"read", "send"}
    elsewhere = next(name for name in DESKS if name != desk)
    for refused in (
        service.set_own_rights(accounts, keeper, other.id, elsewhere, ["send"]),
        service.set_team_rights(accounts, keeper, team.id, elsewhere, ["send"]),
        service.set_own_rights(accounts, keeper, boss.id, desk, []),
        service.set_own_rights(accounts, keeper, user.id, desk, ["administer", "send"]),
        service.create_team(accounts, keeper, name="Mine"),
        service.add_team_member(accounts, keeper, team.id, other.id),
        service.list_desk_people(accounts, keeper, elsewhere),
        service.list_users(accounts, keeper),
    ):
        with pytest.raises(NotAllowed):
            await refused


async def test_rights_taken_away_meanwhile_give_nothing_away(accounts, as_principal, make_user):
    user, other = await make_user(), await make_user(name="Ben")
    await service.set_own_rights(accounts, CONSOLE, user.id, "news", ["administer"])
    keeper = await as_principal(user)
    await service.set_own_rights(accounts, CONSOLE, user.id, "news", None)
    with pytest.raises(NotAllowed, match="just changed"):
        await service.set_own_rights(accounts, keeper, other.id, "news", ["write"])


async def test_it_is_told_where_each_right_comes_from(accounts, as_principal, make_user):
    user = await make_user(Role.EDITOR)
    await team_with(accounts, user, reminders=["send"], news=["read"])
    await service.set_own_rights(accounts, CONSOLE, user.id, "recap", ["read"])
    desks = {row.desk: row for row in (await service.get_access(accounts, await as_principal(user), user.id)).desks}
    assert desks["news"].sources["read"] == ["role", "Finance"]
    assert desks["reminders"].sources == {
        "read": ["role", "Finance"],
        "write": ["role"],
        "approve": [],
        "send": ["Finance"],
        "administer": [],
    }
    assert (desks["recap"].sources["read"], desks["recap"].sources["write"]) == (["own"], [])
    assert (desks["recap"].own, desks["recap"].default, desks["news"].own) == (("read",), ("read", "write"), None)
    stranger = await as_principal(await make_user(name="Ben"))
    with pytest.raises(NotFound):
        await service.get_access(accounts, stranger, user.id)


async def test_every_change_is_in_the_audit_log_with_before_and_after(accounts, database, make_user):
    user = await make_user()
    await service.set_own_rights(accounts, CONSOLE, user.id, "reminders", ["write"], why="covers for Eve")
    await service.set_own_rights(accounts, CONSOLE, user.id, "reminders", ["write"])
    await team_with(accounts, user, news=["send"])
    async with database.unit() as unit:
        rows = await unit.all("SELECT action, why, detail::text AS detail FROM audit_entries ORDER BY position")
    entries = {row["action"]: (row["why"], row["detail"]) for row in rows}
    assert [row["action"] for row in rows].count("user.rights_changed") == 1
    why, detail = entries["user.rights_changed"]
    assert why == "covers for Eve"
    assert all(words in detail for words in ('"reminders"', '"before":null', '"write"'))
    assert {"team.created", "team.rights_changed", "team.member_added"} <= set(entries)


async def test_what_makes_no_sense_is_refused_with_a_sentence(accounts, make_user):
    user = await make_user()
    with pytest.raises(FieldErrors) as wrong:
        await service.set_own_rights(accounts, CONSOLE, user.id, "news", ["fly"])
    assert wrong.value.fields == {"actions": "There is no action fly; use read, write, approve, send, administer."}
    with pytest.raises(NotFound, match="does not exist or is switched off"):
        await service.set_own_rights(accounts, CONSOLE, user.id, "tea", ["read"])
    await service.create_team(accounts, CONSOLE, name="Finance")
    with pytest.raises(FieldErrors) as taken:
        await service.create_team(accounts, CONSOLE, name="finance")
    assert taken.value.fields == {"name": "There is already a team with this name."}


async def test_the_people_of_a_desk_are_listed_in_pages(accounts, as_principal, make_user):
    for name in ("Ada", "Ben", "Cleo"):
        await make_user(name=name)
    boss = await as_principal(await make_user(Role.ADMIN, "Zed"))
    first = await service.list_desk_people(accounts, boss, "reminders", limit=3)
    rest = await service.list_desk_people(accounts, boss, "reminders", cursor=first.next_cursor)
    assert [user.name for user, _ in [*first.items, *rest.items]] == ["Ada", "Ben", "Cleo", "Zed"]
    assert [access.may("read") for _, access in rest.items] == [True]
    narrowed = await service.list_desk_people(accounts, boss, "reminders", "cle")
    assert [user.name for user, _ in narrowed.items] == ["Cleo"]
