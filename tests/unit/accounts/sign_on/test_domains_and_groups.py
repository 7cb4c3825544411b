"""Strangers stay out unless their domain or group is allowed; roles follow groups at each sign-on."""

from dataclasses import replace

import pytest

from almanac.accounts import service
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.accounts.sign_on_rules import GroupGrant, SignOnRules, parse_domains, parse_grants, read_groups
from almanac.accounts.team_store import list_teams_of_user
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.errors import NotAllowed

GRANTS = parse_grants("writers=editor, heads=approver, it=admin, finance=team:Accounts")


async def changes_of_role(accounts):
    wanted = AuditFilter(action="user.role_changed")
    return (await audit.list_entries(accounts.database, wanted, key=accounts.cursor_key)).items


class TestByDefault:
    @pytest.fixture
    def rules(self):
        return SignOnRules()

    async def test_a_stranger_is_told_to_ask_for_an_invitation(self, sign_on, accounts):
        with pytest.raises(NotAllowed, match=r"Nobody has invited ada@example\.org here yet; ask an administrator"):
            await sign_on()
        assert (await service.list_users(accounts, CONSOLE)).items == []

    async def test_somebody_invited_comes_in_with_the_role_they_were_given(self, make_user, sign_on):
        await make_user(Role.EDITOR, password=None)
        assert (await sign_on()).signed_in.user.role is Role.EDITOR

    async def test_an_administrator_with_a_password_connects_the_two_while_signed_in(
        self, make_user, sign_on, enter, visit
    ):
        ada = await make_user(Role.ADMIN)
        with pytest.raises(NotAllowed, match="Sign in with your password first"):
            await sign_on()
        other = await enter(await make_user(Role.EDITOR, name="Bob"))
        with pytest.raises(NotAllowed, match="Sign in with your password first"):
            await sign_on(visit=replace(visit, replaces=other.token))
        connected = await sign_on(visit=replace(visit, replaces=(await enter(ada)).token))
        assert connected.signed_in.user.id == ada.id
        assert (await sign_on()).signed_in.user.id == ada.id


class TestAllowedDomains:
    async def test_the_domain_is_the_part_after_the_last_at_sign(self, issuer, sign_on):
        for email in ("ada@example.org.evil.test", "ada@sub.example.org", "ada@example.com"):
            issuer.person |= {"sub": email, "email": email}
            with pytest.raises(NotAllowed, match="Nobody has invited"):
                await sign_on()
        issuer.person |= {"sub": "s-9", "email": "Grace@Example.ORG"}
        assert (await sign_on()).signed_in.user.email == "grace@example.org"


class TestGroups:
    @pytest.fixture
    def rules(self):
        return SignOnRules(grants=GRANTS)

    async def test_a_newcomer_gets_the_role_that_gives_most(self, issuer, sign_on):
        issuer.person |= {"groups": ["writers", "heads", "choir"]}
        assert (await sign_on()).signed_in.user.role is Role.APPROVER

    async def test_groups_told_only_on_request_are_asked_for(self, issuer, sign_on):
        issuer.person |= {"groups": ["writers"]}
        issuer.only_userinfo = True
        assert (await sign_on()).signed_in.user.role is Role.EDITOR

    async def test_the_role_follows_the_groups_at_each_sign_on_and_is_recorded(
        self, issuer, sign_on, make_user, principals, accounts
    ):
        await make_user(Role.ADMIN, name="Boss")
        issuer.person |= {"groups": ["it"]}
        first = await sign_on()
        assert first.signed_in.user.role is Role.ADMIN
        issuer.person |= {"groups": ["writers"]}
        second = await sign_on()
        assert second.signed_in.user.role is Role.EDITOR
        # The session of the former sign-on has the new role too.
        assert (await principals.for_session(first.signed_in.token)).role is Role.EDITOR
        [entry] = await changes_of_role(accounts)
        assert (entry.actor_id, entry.why) == ("system", "Groups at the single sign-on service")
        assert entry.detail == {"old_role": "admin", "new_role": "editor"}

    async def test_a_role_given_here_lasts_until_the_next_sign_on(self, issuer, sign_on, accounts):
        issuer.person |= {"groups": ["writers"]}
        user = (await sign_on()).signed_in.user
        await service.change_role(accounts, CONSOLE, user.id, "admin")
        await service.create_user(accounts, CONSOLE, email="boss@example.org", name="Boss", role="admin")
        assert (await sign_on()).signed_in.user.role is Role.EDITOR

    async def test_the_last_administrator_stays_one(self, issuer, sign_on, make_user):
        await make_user(Role.ADMIN, password=None)
        issuer.person |= {"groups": ["writers"]}
        assert (await sign_on()).signed_in.user.role is Role.ADMIN

    async def test_somebody_in_no_group_is_refused_also_with_an_account(self, issuer, sign_on, make_user):
        issuer.person |= {"groups": ["writers"]}
        await sign_on()
        for groups in (["choir"], [], None, "choir"):
            issuer.person |= {"groups": groups}
            with pytest.raises(NotAllowed, match="None of your groups"):
                await sign_on()

    async def test_a_team_alone_opens_the_door_and_gives_a_members_role(self, issuer, sign_on):
        issuer.person |= {"groups": ["finance"]}
        assert (await sign_on()).signed_in.user.role is Role.MEMBER

    async def test_groups_put_people_into_teams_and_take_them_out_again(self, issuer, sign_on, accounts):
        for name in ("Accounts", "Choir"):
            await service.create_team(accounts, CONSOLE, name=name)
        issuer.person |= {"groups": ["finance"]}
        user = (await sign_on()).signed_in.user
        choir = await service.get_team_by_name(accounts, CONSOLE, "Choir")
        await service.add_team_member(accounts, CONSOLE, choir.id, user.id)
        assert await teams_of(accounts, user) == ["Accounts", "Choir"]
        issuer.person |= {"groups": ["writers"]}
        await sign_on()
        assert await teams_of(accounts, user) == ["Choir"]


async def teams_of(accounts, user):
    async with accounts.database.reading() as reading:
        return [team.name for team in await list_teams_of_user(reading, user.id)]


class TestGroupsThatAreNotRequired:
    @pytest.fixture
    def rules(self):
        return SignOnRules(grants=GRANTS, group_required=False)

    async def test_who_lost_every_group_becomes_a_member(self, issuer, sign_on):
        issuer.person |= {"groups": ["heads"]}
        assert (await sign_on()).signed_in.user.role is Role.APPROVER
        issuer.person |= {"groups": []}
        assert (await sign_on()).signed_in.user.role is Role.MEMBER

    async def test_a_stranger_in_no_group_stays_out(self, sign_on):
        with pytest.raises(NotAllowed, match="Nobody has invited"):
            await sign_on()


def test_the_settings_are_read_with_spaces_and_signs():
    assert parse_domains(" Example.org, @sub.example.com ,") == {"example.org", "sub.example.com"}
    assert parse_grants("a=b=editor, ops=team:On call") == (
        GroupGrant("a=b", role=Role.EDITOR),
        GroupGrant("ops", team="On call"),
    )


@pytest.mark.parametrize("wrong", ["editors", "editors=", "=editor", "editors=boss", "x=team:", "a=editor,b"])
def test_a_mapping_that_says_nothing_is_refused(wrong):
    with pytest.raises(ValueError, match="which isn't a group with a role"):
        parse_grants(wrong)


@pytest.mark.parametrize(
    ("claims", "claim", "groups"),
    [
        ({"groups": ["a", "b", 3]}, "groups", {"a", "b"}),
        ({"groups": "a b"}, "groups", {"a", "b"}),
        ({"realm_access": {"roles": ["a"]}}, "realm_access.roles", {"a"}),
        ({"https://example.org/groups": ["a"]}, "https://example.org/groups", {"a"}),
        ({"groups": {"a": True}}, "groups", None),
        ({}, "groups", None),
        ({"realm_access": "x"}, "realm_access.roles", None),
    ],
)
def test_groups_are_found_where_issuers_put_them(claims, claim, groups):
    assert read_groups(claims, claim) == groups
