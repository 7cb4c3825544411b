"""One-time links work once, in time, for what they were made for."""

import asyncio
from dataclasses import replace

import pytest

from almanac.accounts import service
from almanac.accounts.model import AUTOMATION, CONSOLE, LinkExpired, LinkPurpose
from almanac.accounts.permissions import Role
from almanac.errors import Conflict, FieldErrors, NotAllowed, NotFound, TooMany

NEW_PASSWORD = "amber lantern 5 dune"


def token_of(link) -> str:
    return link.path.removeprefix("/link/")


async def test_a_sign_in_link_opens_a_session(accounts, principals, make_user, visit):
    ada = await make_user()
    link = await service.issue_sign_in_link(accounts, CONSOLE, ada.id)
    assert link.url == "http://almanac.test" + link.path
    signed_in = await service.sign_in_with_link(accounts, token=token_of(link), visit=visit)
    assert (await principals.for_session(signed_in.token)).user_id == ada.id


async def test_fifty_uses_of_one_link_at_once_open_one_session(accounts, database, make_user, visit):
    ada = await make_user()
    token = token_of(await service.issue_sign_in_link(accounts, CONSOLE, ada.id))
    uses = [service.sign_in_with_link(accounts, token=token, visit=visit) for _ in range(50)]
    results = await asyncio.gather(*uses, return_exceptions=True)
    assert sum(isinstance(result, LinkExpired) for result in results) == 49
    async with database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM sessions") == 1


async def test_a_used_link_is_over(accounts, make_user, visit):
    token = token_of(await service.issue_sign_in_link(accounts, CONSOLE, (await make_user()).id))
    await service.sign_in_with_link(accounts, token=token, visit=visit)
    with pytest.raises(LinkExpired) as over:
        await service.sign_in_with_link(accounts, token=token, visit=visit)
    assert (over.value.status, over.value.sentence) == (410, "This link was used or has expired; ask for a new one.")


async def test_a_link_ends_after_its_time(accounts, clock, make_user, visit):
    token = token_of(await service.issue_sign_in_link(accounts, CONSOLE, (await make_user()).id))
    clock.advance(hours=24)
    with pytest.raises(LinkExpired):
        await service.inspect_link(accounts, token)
    with pytest.raises(LinkExpired):
        await service.sign_in_with_link(accounts, token=token, visit=visit)


async def test_looking_at_a_link_does_not_use_it_up(accounts, make_user, visit):
    ada = await make_user()
    token = token_of(await service.issue_sign_in_link(accounts, CONSOLE, ada.id))
    for _ in range(3):
        seen = await service.inspect_link(accounts, token)
    assert (seen.purpose, seen.user.id) == (LinkPurpose.SIGN_IN, ada.id)
    await service.sign_in_with_link(accounts, token=token, visit=visit)


@pytest.mark.parametrize("token", ["", "alml_made_up", "ünïcode", "\x00", "\ud800"])
async def test_a_made_up_link_is_over(accounts, visit, token):
    with pytest.raises(LinkExpired):
        await service.inspect_link(accounts, token)
    with pytest.raises(LinkExpired):
        await service.sign_in_with_link(accounts, token=token, visit=visit)


async def test_the_link_of_a_deactivated_person_is_over(accounts, make_user, visit):
    ada = await make_user()
    token = token_of(await service.issue_sign_in_link(accounts, CONSOLE, ada.id))
    await service.deactivate_user(accounts, CONSOLE, ada.id)
    with pytest.raises(LinkExpired):
        await service.sign_in_with_link(accounts, token=token, visit=visit)
    with pytest.raises(Conflict, match="reactivate them first"):
        await service.issue_sign_in_link(accounts, CONSOLE, ada.id)


async def test_an_account_that_is_opened_again_revives_no_link(accounts, make_user, visit):
    """Whoever has kept a mail from before must ask for a new one."""
    ada = await make_user()
    token = token_of(await service.issue_sign_in_link(accounts, CONSOLE, ada.id))
    await service.deactivate_user(accounts, CONSOLE, ada.id)
    await service.reactivate_user(accounts, CONSOLE, ada.id)
    with pytest.raises(LinkExpired):
        await service.sign_in_with_link(accounts, token=token, visit=visit)


async def test_only_administrators_make_sign_in_links(accounts, as_principal, make_user):
    ada = await as_principal(await make_user(Role.EDITOR))
    with pytest.raises(NotAllowed):
        await service.issue_sign_in_link(accounts, ada, ada.user_id)


async def test_an_api_token_cannot_be_turned_into_a_session(accounts, principals, as_principal, make_user):
    boss = await as_principal(await make_user(Role.ADMIN))
    secret = (await service.create_token(accounts, boss, name="script", scopes=["admin"])).secret
    with pytest.raises(NotAllowed, match="can't make sign-in links"):
        await service.issue_sign_in_link(accounts, await principals.for_token(secret), boss.user_id)


async def test_a_link_for_nobody_is_refused(accounts):
    with pytest.raises(NotFound):
        await service.issue_sign_in_link(accounts, CONSOLE, "nobody")


async def test_the_first_run_makes_an_administrator_and_a_link(accounts, principals, visit):
    link = await service.first_run_link(accounts)
    signed_in = await service.sign_in_with_link(accounts, token=token_of(link), visit=visit)
    principal = await principals.for_session(signed_in.token)
    assert (principal.role, principal.email) == (Role.ADMIN, "admin@localhost")


async def test_starts_at_the_same_moment_make_one_administrator(accounts, database):
    links = await asyncio.gather(*(service.first_run_link(accounts) for _ in range(5)))
    assert len({link.user.id for link in links}) == 1
    assert len({link.url for link in links}) == 5
    async with database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM users") == 1


async def test_a_new_link_is_offered_until_an_administrator_has_another_way_in(accounts, as_principal, visit):
    link = await service.first_run_link(accounts)
    assert await service.first_run_link(accounts) is not None
    await service.sign_in_with_link(accounts, token=token_of(link), visit=visit)
    await service.create_user(
        accounts, CONSOLE, email="ada@example.org", name="Ada", role="admin", password=NEW_PASSWORD
    )
    assert await service.first_run_link(accounts) is None


async def test_an_invitation_lets_a_person_choose_a_password(accounts, courier, principals, visit):
    invitation = await service.invite_user(accounts, CONSOLE, email="Grace@example.org", name="Grace", role="editor")
    user = invitation.user
    (link,) = courier.links
    assert (link.purpose, link.user.email) == (LinkPurpose.INVITE, "grace@example.org")
    signed_in = await service.choose_password(accounts, token=token_of(link), password=NEW_PASSWORD, visit=visit)
    assert (await principals.for_session(signed_in.token)).user_id == user.id
    await service.sign_in(accounts, email="grace@example.org", password=NEW_PASSWORD, visit=visit)


async def test_a_weak_password_does_not_use_the_link_up(accounts, courier, visit):
    await service.invite_user(accounts, CONSOLE, email="grace@example.org", name="Grace", role="editor")
    token = token_of(courier.links[0])
    with pytest.raises(FieldErrors):
        await service.choose_password(accounts, token=token, password="short", visit=visit)
    await service.choose_password(accounts, token=token, password=NEW_PASSWORD, visit=visit)


async def test_a_second_invitation_replaces_the_first(accounts, courier, visit):
    invitation = await service.invite_user(accounts, CONSOLE, email="grace@example.org", name="Grace", role="editor")
    user = invitation.user
    await service.resend_invitation(accounts, CONSOLE, user.id)
    first, second = courier.links
    with pytest.raises(LinkExpired):
        await service.choose_password(accounts, token=token_of(first), password=NEW_PASSWORD, visit=visit)
    await service.choose_password(accounts, token=token_of(second), password=NEW_PASSWORD, visit=visit)
    with pytest.raises(Conflict, match="send a reset link instead"):
        await service.resend_invitation(accounts, CONSOLE, user.id)


async def test_an_invitation_that_cannot_be_carried_leaves_no_account(accounts, database):
    class Refusing:
        async def send_link(self, unit, link):
            raise Conflict("The post office is closed.")

    without_post = replace(accounts, link_sender=Refusing())
    with pytest.raises(Conflict, match="post office"):
        await service.invite_user(without_post, CONSOLE, email="grace@example.org", name="Grace", role="editor")
    async with database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM users") == 0


async def test_a_reset_ends_every_session_and_every_other_link(accounts, courier, principals, make_user, enter, visit):
    ada = await make_user()
    session = await enter(ada)
    spare = await service.issue_sign_in_link(accounts, CONSOLE, ada.id)
    await service.request_password_reset(accounts, email="ADA@example.org", address="203.0.113.7")
    token = token_of(courier.links[0])
    await service.choose_password(accounts, token=token, password=NEW_PASSWORD, visit=visit)
    assert await principals.for_session(session.token) is None
    with pytest.raises(LinkExpired):
        await service.sign_in_with_link(accounts, token=token_of(spare), visit=visit)


async def test_asking_for_a_reset_tells_nobody_whether_the_address_is_known(accounts, courier, make_user):
    await service.deactivate_user(accounts, CONSOLE, (await make_user()).id)
    for email in ("nobody@example.org", "ada@example.org", "no address", "\x00"):
        assert await service.request_password_reset(accounts, email=email, address="203.0.113.7") is None
    assert courier.links == []


async def test_reset_mails_are_throttled(accounts, courier, make_user):
    await make_user()
    for _ in range(3):
        await service.request_password_reset(accounts, email="ada@example.org", address="203.0.113.7")
    with pytest.raises(TooMany):
        await service.request_password_reset(accounts, email="ada@example.org", address="203.0.113.8")
    assert len(courier.links) == 3


async def test_a_link_for_signing_in_cannot_set_a_password(accounts, make_user, visit):
    token = token_of(await service.issue_sign_in_link(accounts, CONSOLE, (await make_user()).id))
    with pytest.raises(LinkExpired):
        await service.choose_password(accounts, token=token, password=NEW_PASSWORD, visit=visit)
    await service.sign_in_with_link(accounts, token=token, visit=visit)


async def test_an_administrator_sends_a_reset_link(accounts, courier, make_user):
    await service.send_reset_link(accounts, AUTOMATION, (await make_user()).id)
    assert [link.purpose for link in courier.links] == [LinkPurpose.RESET]


async def test_only_the_hash_of_a_link_is_stored(accounts, database, make_user):
    link = await service.issue_sign_in_link(accounts, CONSOLE, (await make_user()).id)
    async with database.unit() as unit:
        assert token_of(link) not in str(await unit.all("SELECT * FROM account_links"))


async def test_a_link_that_went_to_a_former_address_is_over(accounts, courier, make_user):
    ada = await make_user()
    await service.send_reset_link(accounts, CONSOLE, ada.id)
    await service.edit_user(accounts, CONSOLE, ada.id, service.UserEdit(name="Ada L."))
    assert (await service.inspect_link(accounts, token_of(courier.links[0]))).user.id == ada.id
    await service.edit_user(accounts, CONSOLE, ada.id, service.UserEdit(email="ada@new.example"))
    with pytest.raises(LinkExpired):
        await service.inspect_link(accounts, token_of(courier.links[0]))
