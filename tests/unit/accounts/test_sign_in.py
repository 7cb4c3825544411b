"""Signing in with a password: the right one opens a session, everything else is refused alike."""

import asyncio
from dataclasses import replace
from unicodedata import normalize

import pytest
from argon2 import PasswordHasher

from almanac.accounts import service
from almanac.accounts.model import CONSOLE, LINK_PATH, SignInClient
from almanac.accounts.passwords import PasswordHashes
from almanac.errors import FieldErrors, NotAllowed, SignInNeeded

WRONG = "The e-mail address or the password is wrong."


async def stored_hash(database, user) -> str:
    async with database.unit() as unit:
        return await unit.value("SELECT password_hash FROM users WHERE id = %(id)s", {"id": user.id})


async def test_the_right_password_opens_a_session(accounts, principals, make_user, visit, password):
    ada = await make_user()
    signed_in = await service.sign_in(accounts, email=" ADA@example.org ", password=password, visit=visit)
    principal = await principals.for_session(signed_in.token)
    assert (principal.user_id, principal.name, principal.role, principal.via) == (ada.id, "Ada", "member", "session")
    assert principal.session_id == signed_in.session.id


@pytest.mark.parametrize(
    ("email", "given"),
    [
        ("ada@example.org", "wrong kettle 97 harbour"),
        ("ada@example.org", ""),
        ("nobody@example.org", "violet kettle"),
        ("", ""),
        ("ada\x00@example.org", "x"),
        ("\ud800@example.org", "\ud800"),
        ("ada@example.org", "x" * 5000),
    ],
)
async def test_anything_else_is_refused_with_the_same_sentence(accounts, make_user, visit, email, given):
    await make_user()
    with pytest.raises(SignInNeeded) as refused:
        await service.sign_in(accounts, email=email, password=given, visit=visit)
    assert refused.value.sentence == WRONG


async def test_an_unknown_person_costs_as_many_hashes_as_a_known_one(accounts, make_user, visit):
    await make_user()
    checked = []

    class Counting(PasswordHashes):
        async def matches(self, stored, password):
            checked.append(stored is None)
            return await super().matches(stored, password)

    watched = replace(accounts, passwords=Counting(accounts.passwords.hasher))
    for email in ("ada@example.org", "nobody@example.org"):
        with pytest.raises(SignInNeeded):
            await service.sign_in(watched, email=email, password="wrong kettle", visit=visit)
    assert checked == [False, True]


async def test_a_person_without_a_password_cannot_sign_in_with_an_empty_one(accounts, make_user, visit):
    await make_user(password=None)
    with pytest.raises(SignInNeeded):
        await service.sign_in(accounts, email="ada@example.org", password="", visit=visit)


async def test_a_sign_in_replaces_the_session_the_browser_had(accounts, principals, make_user, enter, password):
    first = await enter(await make_user())
    again = SignInClient(address="203.0.113.7", replaces=first.token)
    second = await service.sign_in(accounts, email="ada@example.org", password=password, visit=again)
    assert second.token != first.token
    assert await principals.for_session(first.token) is None
    assert await principals.for_session(second.token) is not None


async def test_only_hashes_of_tokens_are_stored(database, make_user, enter):
    signed_in = await enter(await make_user())
    async with database.unit() as unit:
        rows = await unit.all("SELECT * FROM sessions")
    assert signed_in.token not in str(rows)


async def test_a_hash_made_at_an_older_cost_is_renewed_by_the_next_sign_in(
    accounts, database, make_user, visit, password
):
    ada = await make_user()
    before = await stored_hash(database, ada)
    dearer = PasswordHashes(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    later = replace(accounts, passwords=dearer)
    await service.sign_in(later, email=ada.email, password=password, visit=visit)
    after = await stored_hash(database, ada)
    assert before != after
    await service.sign_in(later, email=ada.email, password=password, visit=visit)
    assert await stored_hash(database, ada) == after


async def test_nobody_is_shut_out_by_how_their_keyboard_composes_letters(accounts, database, make_user, visit):
    """Not even who chose a password when it was still hashed as it was typed."""
    composed = "Crème brûlée à Zürich"
    decomposed = normalize("NFD", composed)
    ada = await make_user()
    async with database.unit() as unit:
        old = {"id": ada.id, "hash": accounts.passwords.hasher.hash(decomposed)}
        await unit.execute("UPDATE users SET password_hash = %(hash)s WHERE id = %(id)s", old)
    for typed in (decomposed, composed, decomposed):
        await service.sign_in(accounts, email=ada.email, password=typed, visit=visit)


async def test_changing_ones_password_needs_the_current_one(accounts, as_principal, make_user):
    ada = await as_principal(await make_user())
    with pytest.raises(FieldErrors) as refused:
        await service.change_password(accounts, ada, current="guess", new="amber lantern 5 dune", address="::1")
    assert refused.value.fields == {"current": "This isn't your current password."}


async def test_a_changed_password_ends_every_other_session(accounts, principals, make_user, enter, password):
    ada = await make_user()
    elsewhere, here = await enter(ada), await enter(ada)
    principal = await principals.for_session(here.token)
    await service.change_password(accounts, principal, current=password, new="amber lantern 5 dune", address="::1")
    assert await principals.for_session(elsewhere.token) is None
    assert await principals.for_session(here.token) is not None
    with pytest.raises(SignInNeeded):
        await enter(ada)


async def test_of_two_who_change_a_password_at_once_one_succeeds(accounts, principals, make_user, enter, password):
    """The other may be whoever is being shut out just then, and knows the password that was."""
    ada = await make_user()
    here = [await principals.for_session((await enter(ada)).token) for _ in range(2)]
    new = ["amber lantern 5 dune", "cedar harbour 8 moss"]
    outcomes = await asyncio.gather(
        *(
            service.change_password(accounts, principal, current=password, new=chosen, address="::1")
            for principal, chosen in zip(here, new, strict=True)
        ),
        return_exceptions=True,
    )
    [refused] = [outcome for outcome in outcomes if outcome is not None]
    assert "current" in refused.fields


async def test_a_weak_new_password_is_refused_and_the_old_one_stays(accounts, as_principal, make_user, enter, password):
    ada = await make_user()
    with pytest.raises(FieldErrors) as refused:
        await service.change_password(
            accounts, await as_principal(ada), current=password, new="password123", address="::1"
        )
    assert "too common" in refused.value.fields["password"]
    await enter(ada)


async def test_an_api_token_cannot_choose_a_password_for_its_owner(accounts, principals, make_user):
    ada = await make_user(password=None)
    made = await service.create_token(accounts, CONSOLE, name="script", scopes=["write"], owner_id=ada.id)
    by_token = await principals.for_token(made.secret)
    with pytest.raises(NotAllowed, match="only by the person who is signed in"):
        await service.change_password(accounts, by_token, current="", new="amber lantern 5 dune", address="::1")


async def test_somebody_who_came_by_a_link_sets_a_first_password(accounts, principals, make_user, visit):
    ada = await make_user(password=None)
    link = await service.issue_sign_in_link(accounts, CONSOLE, ada.id)
    session = await service.sign_in_with_link(accounts, token=link.path.removeprefix(LINK_PATH), visit=visit)
    here = await principals.for_session(session.token)
    await service.change_password(accounts, here, current="", new="amber lantern 5 dune", address="::1")
    await service.sign_in(accounts, email=ada.email, password="amber lantern 5 dune", visit=visit)
