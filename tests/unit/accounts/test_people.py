"""The life of an account, who may change what about it, and the administrator that always remains."""

import asyncio

import pytest

from almanac.accounts import service
from almanac.accounts.model import AUTOMATION, CONSOLE, Preferences
from almanac.accounts.permissions import Role, is_promotion
from almanac.errors import Conflict, FieldErrors, InputError, NotAllowed, NotFound, SignInNeeded, StaleEdit


async def active_admins(database) -> int:
    async with database.unit() as unit:
        return await unit.value("SELECT count(*) FROM users WHERE role = 'admin' AND active")


async def test_an_administrator_adds_a_person(accounts, as_principal, make_user):
    boss = await as_principal(await make_user(Role.ADMIN))
    user = await service.create_user(accounts, boss, email="Grace@Example.org", name=" Grace  Hopper ", role="editor")
    assert (user.email, user.name, user.role, user.active, user.has_password, user.version) == (
        "grace@example.org",
        "Grace Hopper",
        Role.EDITOR,
        True,
        False,
        1,
    )


@pytest.mark.parametrize("role", [Role.EDITOR, Role.APPROVER, Role.MEMBER])
async def test_nobody_else_does(accounts, as_principal, make_user, role):
    someone = await as_principal(await make_user(role))
    with pytest.raises(NotAllowed):
        await service.create_user(accounts, someone, email="x@example.org", name="X", role="member")
    with pytest.raises(NotAllowed):
        await service.list_users(accounts, someone)


async def test_two_people_cannot_share_an_address(accounts, make_user):
    await make_user()
    with pytest.raises(FieldErrors) as refused:
        await service.create_user(accounts, CONSOLE, email="ADA@example.org", name="Other", role="member")
    assert refused.value.fields == {"email": "There is already an account with this address."}


async def test_of_many_at_once_with_one_address_one_is_added(accounts):
    tries = [
        service.create_user(accounts, CONSOLE, email="ada@example.org", name=f"Ada {n}", role="member")
        for n in range(8)
    ]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(result, FieldErrors) for result in results) == 7


async def test_one_renames_oneself_but_nobody_else(accounts, as_principal, make_user):
    ada, bob = await make_user(), await make_user(name="Bob")
    principal = await as_principal(ada)
    assert (await service.rename_user(accounts, principal, ada.id, "Countess")).name == "Countess"
    with pytest.raises(NotFound, match="No matching person was found"):
        await service.rename_user(accounts, principal, bob.id, "Mine")
    with pytest.raises(NotFound):
        await service.get_user(accounts, principal, bob.id)


@pytest.mark.parametrize("role", [Role.EDITOR, Role.APPROVER, Role.MEMBER])
async def test_nobody_raises_their_own_role(accounts, as_principal, make_user, role):
    user = await make_user(role)
    principal = await as_principal(user)
    for wanted in set(Role) - {role}:
        words = "Nobody can raise their own role" if is_promotion(role, wanted) else "doesn't allow that"
        with pytest.raises(NotAllowed, match=words):
            await service.change_role(accounts, principal, user.id, wanted)
    assert (await service.get_user(accounts, principal, user.id)).role is role


async def test_nobody_without_the_right_changes_their_own_address(accounts, as_principal, make_user):
    ada = await make_user(Role.EDITOR)
    with pytest.raises(NotAllowed):
        await service.edit_user(
            accounts, await as_principal(ada), ada.id, service.UserEdit(name="Ada", email="boss@example.org")
        )


async def test_an_edit_on_an_older_version_is_refused_with_the_current_one(accounts, make_user):
    ada = await make_user()
    edited = await service.rename_user(accounts, CONSOLE, ada.id, "Countess", expected=ada.version)
    with pytest.raises(StaleEdit) as stale:
        await service.rename_user(accounts, CONSOLE, ada.id, "Lady", expected=ada.version)
    assert stale.value.current == str(edited.version)


async def test_of_two_edits_on_one_version_one_wins(accounts, make_user):
    ada = await make_user()
    edits = [service.rename_user(accounts, CONSOLE, ada.id, name, expected=ada.version) for name in ("One", "Two")]
    results = await asyncio.gather(*edits, return_exceptions=True)
    assert sum(isinstance(result, StaleEdit) for result in results) == 1


async def test_an_edit_that_changes_nothing_leaves_the_version(accounts, make_user):
    ada = await make_user()
    assert (await service.rename_user(accounts, CONSOLE, ada.id, "Ada")).version == ada.version


async def test_a_deactivated_person_loses_every_way_in(accounts, principals, as_principal, make_user, enter):
    ada = await make_user()
    session = await enter(ada)
    token = await service.create_token(accounts, await as_principal(ada), name="script", scopes=["read"])
    await service.deactivate_user(accounts, CONSOLE, ada.id, why="left the organisation")
    assert await principals.for_session(session.token) is None
    assert await principals.for_token(token.secret) is None
    with pytest.raises(SignInNeeded):
        await enter(ada)


async def test_a_reactivated_person_signs_in_again_but_old_credentials_stay_dead(
    accounts, principals, as_principal, make_user, enter
):
    ada = await make_user()
    session = await enter(ada)
    token = await service.create_token(accounts, await as_principal(ada), name="script", scopes=["read"])
    await service.deactivate_user(accounts, CONSOLE, ada.id)
    await service.reactivate_user(accounts, CONSOLE, ada.id)
    assert await principals.for_session(session.token) is None
    assert await principals.for_token(token.secret) is None
    await enter(ada)


@pytest.mark.parametrize("edit", [service.UserEdit(role="member"), service.UserEdit(active=False)])
async def test_the_last_active_administrator_stays(accounts, as_principal, make_user, edit):
    boss = await make_user(Role.ADMIN)
    for by in (await as_principal(boss), CONSOLE, AUTOMATION):
        with pytest.raises(Conflict, match="last active administrator; make somebody else one first"):
            await service.edit_user(accounts, by, boss.id, edit)


async def test_a_deactivated_administrator_does_not_count_as_one(accounts, make_user):
    boss, former = await make_user(Role.ADMIN), await make_user(Role.ADMIN, name="Former")
    await service.deactivate_user(accounts, CONSOLE, former.id)
    with pytest.raises(Conflict):
        await service.change_role(accounts, CONSOLE, boss.id, Role.EDITOR)


async def test_an_administrator_may_step_down_when_there_is_another(accounts, as_principal, make_user):
    boss, _ = await make_user(Role.ADMIN), await make_user(Role.ADMIN, name="Other")
    assert (await service.change_role(accounts, await as_principal(boss), boss.id, Role.MEMBER)).role is Role.MEMBER


async def test_the_last_two_administrators_cannot_remove_each_other_at_once(
    accounts, database, as_principal, make_user
):
    for attempt in range(5):
        admin = await make_user(Role.ADMIN, name=f"One {attempt}")
        two = await make_user(Role.ADMIN, name=f"Two {attempt}")
        as_one, as_two = await as_principal(admin), await as_principal(two)
        results = await asyncio.gather(
            service.change_role(accounts, as_one, two.id, Role.MEMBER),
            service.deactivate_user(accounts, as_two, admin.id),
            return_exceptions=True,
        )
        assert sum(isinstance(result, Conflict | NotAllowed) for result in results) == 1
        assert await active_admins(database) == 1
        async with database.unit() as unit:
            await unit.execute("UPDATE users SET role = 'member'")


async def test_somebody_demoted_a_moment_ago_changes_nobody(accounts, as_principal, make_user):
    boss, former = await make_user(Role.ADMIN), await make_user(Role.ADMIN, name="Former")
    as_former = await as_principal(former)
    await service.change_role(accounts, CONSOLE, former.id, Role.MEMBER)
    member = await make_user(name="Member")
    with pytest.raises(NotAllowed, match="Your role was just changed"):
        await service.change_role(accounts, as_former, member.id, Role.ADMIN)
    with pytest.raises(NotAllowed, match="Nobody can raise their own role"):
        await service.change_role(accounts, as_former, former.id, Role.ADMIN)
    assert (await service.get_user(accounts, CONSOLE, boss.id)).role is Role.ADMIN


async def test_people_are_listed_by_name_page_by_page(accounts, make_user):
    for name in ("Dora", "alan", "Bea", "Carl", "Élodie"):
        await make_user(name=name, password=None)
    names, cursor = [], None
    while True:
        page = await service.list_users(accounts, CONSOLE, cursor=cursor, limit=2)
        names += [user.name for user in page.items]
        if not (cursor := page.next_cursor):
            break
    assert sorted(names) == sorted(["alan", "Bea", "Carl", "Dora", "Élodie"])
    assert len(names) == 5


async def test_people_are_found_by_name_address_role_and_activity(accounts, make_user):
    ada, bob = await make_user(Role.EDITOR), await make_user(name="Bob")
    await service.deactivate_user(accounts, CONSOLE, bob.id)

    async def found(**wanted):
        return [u.id for u in (await service.list_users(accounts, CONSOLE, service.UserFilter(**wanted))).items]

    assert await found(text="AD") == [ada.id]
    assert await found(text="bob@EXAMPLE") == [bob.id]
    assert await found(text="%") == []
    assert await found(text="\x00") == []
    assert await found(role=Role.EDITOR) == [ada.id]
    assert await found(active=False) == [bob.id]


async def test_a_forged_cursor_is_refused(accounts):
    with pytest.raises(InputError, match="start again from the first page"):
        await service.list_users(accounts, CONSOLE, cursor="forged")


@pytest.mark.parametrize("user_id", ["nobody", "\x00", "\ud800", "ü"])
async def test_an_unknown_person_is_not_found(accounts, user_id):
    with pytest.raises(NotFound):
        await service.get_user(accounts, CONSOLE, user_id)
    with pytest.raises(NotFound):
        await service.deactivate_user(accounts, CONSOLE, user_id)


async def test_preferences_are_ones_own_and_come_with_the_principal(accounts, principals, make_user, enter):
    token = (await enter(await make_user())).token
    chosen = Preferences(theme="dark", language="ms", time_zone="Asia/Kuala_Lumpur")
    await service.set_preferences(accounts, await principals.for_session(token), chosen)
    assert (await principals.for_session(token)).preferences == chosen


async def test_automation_has_no_preferences_of_its_own(accounts):
    with pytest.raises(NotAllowed, match="sign in first"):
        await service.set_preferences(accounts, AUTOMATION, Preferences(theme="dark"))


async def test_nobody_chooses_for_somebody_else_how_they_see_things(accounts, make_user):
    ada = await make_user()
    edit = service.UserEdit(preferences=Preferences(theme="dark"))
    with pytest.raises(NotAllowed, match="the person themselves"):
        await service.edit_user(accounts, CONSOLE, ada.id, edit)
