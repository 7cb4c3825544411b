"""API tokens carry scopes, never exceed their owner, and end when they should."""

from datetime import timedelta

import pytest

from almanac.accounts import service
from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.permissions import PERMISSIONS, Role
from almanac.errors import Conflict, FieldErrors, NotAllowed, NotFound


async def test_a_token_is_its_owner_cut_down_by_its_scopes(accounts, principals, as_principal, make_user):
    ada = await as_principal(await make_user(Role.EDITOR))
    made = await service.create_token(accounts, ada, name="reader", scopes=["read", "news:write"])
    principal = await principals.for_token(made.secret)
    assert (principal.user_id, principal.via, principal.token_id) == (ada.user_id, "token", made.token.id)
    assert principal.may("desk.recap.read")
    assert principal.may("desk.news.write")
    assert not principal.may("desk.recap.write")


async def test_a_token_loses_what_its_owner_loses(accounts, principals, as_principal, make_user):
    boss = await make_user(Role.ADMIN)
    await make_user(Role.ADMIN, name="Other")
    made = await service.create_token(accounts, await as_principal(boss), name="ops", scopes=["admin", "read"])
    await service.change_role(accounts, CONSOLE, boss.id, Role.MEMBER)
    principal = await principals.for_token(made.secret)
    assert principal.may("desk.news.read")
    assert not principal.may("users.manage")


async def test_the_secret_is_shown_once_and_only_its_hash_is_stored(accounts, database, as_principal, make_user):
    ada = await as_principal(await make_user())
    made = await service.create_token(accounts, ada, name="script", scopes=["read"])
    (listed,) = await service.list_tokens(accounts, ada)
    assert made.secret.startswith(listed.prefix)
    assert made.secret not in repr(made)
    async with database.unit() as unit:
        assert made.secret not in str(await unit.all("SELECT * FROM api_tokens"))


async def test_a_token_ends_at_its_expiry(accounts, clock, principals, as_principal, make_user):
    ada = await as_principal(await make_user())
    tomorrow = clock.now() + timedelta(days=1)
    made = await service.create_token(accounts, ada, name="script", scopes=["read"], expires_at=tomorrow)
    assert await principals.for_token(made.secret) is not None
    clock.advance(days=1)
    assert await principals.for_token(made.secret) is None


async def test_an_expiry_in_the_past_is_refused(accounts, clock, as_principal, make_user):
    ada = await as_principal(await make_user())
    with pytest.raises(FieldErrors) as refused:
        await service.create_token(accounts, ada, name="script", scopes=["read"], expires_at=clock.now())
    assert refused.value.fields == {"expires_at": "Choose a future date."}


async def test_a_revoked_token_is_dead_and_still_listed(accounts, principals, as_principal, make_user):
    ada = await as_principal(await make_user())
    made = await service.create_token(accounts, ada, name="script", scopes=["read"])
    await service.revoke_token(accounts, ada, made.token.id)
    await service.revoke_token(accounts, ada, made.token.id)
    assert await principals.for_token(made.secret) is None
    assert [token.revoked_at is not None for token in await service.list_tokens(accounts, ada)] == [True]


async def test_the_last_use_is_noted_at_most_once_a_minute(accounts, clock, principals, as_principal, make_user):
    ada = await as_principal(await make_user())
    made = await service.create_token(accounts, ada, name="script", scopes=["read"])

    async def last_used():
        await principals.for_token(made.secret)
        return (await service.list_tokens(accounts, ada))[0].last_used_at

    first = await last_used()
    clock.advance(seconds=30)
    assert await last_used() == first
    clock.advance(seconds=30)
    assert await last_used() == first + timedelta(minutes=1)


async def test_one_sees_and_revokes_only_ones_own(accounts, principals, as_principal, make_user):
    ada, bob = await as_principal(await make_user()), await as_principal(await make_user(name="Bob"))
    theirs = await service.create_token(accounts, bob, name="script", scopes=["read"])
    assert await service.list_tokens(accounts, ada) == []
    with pytest.raises(NotAllowed):
        await service.list_tokens(accounts, ada, user_id=bob.user_id)
    for token_id in (theirs.token.id, "unknown", "\x00"):
        with pytest.raises(NotFound, match="There is no token with this id"):
            await service.revoke_token(accounts, ada, token_id)
    assert await principals.for_token(theirs.secret) is not None


async def test_an_administrator_sees_makes_and_revokes_anybodys(accounts, principals, as_principal, make_user):
    ada = await make_user()
    made = await service.create_token(accounts, AUTOMATION, name="for Ada", scopes=["read"], owner_id=ada.id)
    assert (await principals.for_token(made.secret)).user_id == ada.id
    assert [token.id for token in await service.list_all_tokens(accounts, CONSOLE)] == [made.token.id]
    await service.revoke_token(accounts, CONSOLE, made.token.id)
    assert await principals.for_token(made.secret) is None


async def test_nobody_else_makes_a_token_for_another_person(accounts, as_principal, make_user):
    bob = await make_user(name="Bob")
    with pytest.raises(NotAllowed):
        await service.create_token(
            accounts, await as_principal(await make_user()), name="x", scopes=["read"], owner_id=bob.id
        )


async def test_a_token_cannot_make_a_stronger_one(accounts, principals, as_principal, make_user):
    boss = await as_principal(await make_user(Role.ADMIN))
    made = await service.create_token(accounts, boss, name="ops", scopes=["admin"])
    by_token = await principals.for_token(made.secret)
    with pytest.raises(NotAllowed, match="more scopes than its own"):
        await service.create_token(accounts, by_token, name="wider", scopes=["admin", "send"])
    await service.create_token(accounts, by_token, name="same", scopes=["admin"])


async def test_a_token_without_the_admin_scope_makes_no_tokens(accounts, principals, as_principal, make_user):
    boss = await as_principal(await make_user(Role.ADMIN))
    made = await service.create_token(accounts, boss, name="ops", scopes=["read", "write"])
    with pytest.raises(NotAllowed, match="lacks the scope"):
        await service.create_token(accounts, await principals.for_token(made.secret), name="x", scopes=["read"])


async def test_automation_owns_no_tokens(accounts):
    with pytest.raises(NotAllowed, match="sign in first"):
        await service.create_token(accounts, AUTOMATION, name="x", scopes=["read"])


async def test_a_deactivated_person_gets_no_token(accounts, make_user):
    ada = await make_user()
    await service.deactivate_user(accounts, CONSOLE, ada.id)
    with pytest.raises(Conflict):
        await service.create_token(accounts, CONSOLE, name="x", scopes=["read"], owner_id=ada.id)


async def test_the_fixed_token_is_automation_with_every_right(principals):
    principal = await principals.for_token("the-token-of-the-machine-room")
    assert principal == AUTOMATION
    assert all(principal.may(permission) for permission in PERMISSIONS)
    assert await principals.for_token("the-token-of-the-machine-roon") is None


async def test_the_fixed_token_opens_no_session(principals):
    assert await principals.for_session("the-token-of-the-machine-room") is None
