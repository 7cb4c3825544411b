"""Which account a single sign-on opens."""

from dataclasses import replace

import pytest

from almanac.accounts import service
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.errors import NotAllowed, NotFound


async def test_a_newcomer_of_an_allowed_domain_becomes_a_member(principals, sign_on):
    signed_on = await sign_on(return_to="/news")
    principal = await principals.for_session(signed_on.signed_in.token)
    assert (principal.email, principal.name, principal.role) == ("ada@example.org", "Ada", Role.MEMBER)
    assert signed_on.return_to == "/news"


async def test_a_verified_address_opens_the_account_that_has_it(make_user, sign_on):
    ada = await make_user(Role.EDITOR)
    user = (await sign_on()).signed_in.user
    assert (user.id, user.role) == (ada.id, Role.EDITOR)


async def test_the_subject_opens_its_account_even_after_the_address_changed(issuer, sign_on):
    first = (await sign_on()).signed_in.user
    issuer.person |= {"email": "countess@example.org", "email_verified": False}
    assert (await sign_on()).signed_in.user.id == first.id


async def test_an_address_that_is_not_verified_opens_nothing(issuer, make_user, sign_on):
    await make_user(Role.ADMIN)
    for person in ({"email_verified": False}, {"email_verified": "false"}, {"email": None}, {"email": "no address"}):
        issuer.person |= {"email": "ada@example.org", "email_verified": True} | person
        with pytest.raises(NotAllowed, match="no verified e-mail address"):
            await sign_on()


async def test_another_subject_cannot_take_over_an_account_by_its_address(issuer, sign_on):
    await sign_on()
    issuer.person |= {"sub": "s-2"}
    with pytest.raises(NotAllowed, match="another single sign-on identity"):
        await sign_on()


async def test_a_deactivated_person_stays_out(accounts, sign_on):
    user = (await sign_on()).signed_in.user
    await service.deactivate_user(accounts, CONSOLE, user.id)
    with pytest.raises(NotAllowed, match="deactivated"):
        await sign_on()


async def test_an_address_told_only_on_request_is_asked_for(issuer, sign_on):
    issuer.only_userinfo = True
    assert (await sign_on()).signed_in.user.email == "ada@example.org"


async def test_an_issuer_that_wants_the_secret_in_the_form_gets_it_there(issuer, sign_on):
    issuer.auth_methods = ("client_secret_post",)
    assert (await sign_on()).signed_in.user.email == "ada@example.org"


async def test_a_name_that_cannot_be_used_is_taken_from_the_address(issuer, sign_on):
    issuer.person |= {"name": None, "email": "grace@example.org"}
    assert (await sign_on()).signed_in.user.name == "grace"


async def test_without_an_issuer_there_is_no_single_sign_on(accounts):
    with pytest.raises(NotFound, match="not set up here"):
        await service.begin_sign_on(replace(accounts, oidc=None))
