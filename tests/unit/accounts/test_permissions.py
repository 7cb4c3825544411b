"""No principal exceeds its role and its rights at desks, whatever its scopes say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.accounts.model import AUTOMATION, Principal
from almanac.accounts.permissions import (
    ACTIONS,
    DESKS,
    EVERY_SCOPE,
    PERMISSIONS,
    PERSONAL_DATA,
    SCOPES,
    WHOLE_SCOPES,
    DeskRights,
    Role,
    desk_of,
    desk_permission,
    is_promotion,
    permissions_at,
    role_permissions,
    scope_permissions,
)
from almanac.errors import NotAllowed

roles = st.sampled_from(Role)
permissions = st.sampled_from(sorted(PERMISSIONS)) | st.text(max_size=20)
scopes = st.frozensets(st.sampled_from(SCOPES) | st.text(max_size=10))


desk_names = st.frozensets(st.sampled_from(DESKS))
desk_permissions = st.frozensets(st.sampled_from(sorted(p for p in PERMISSIONS if desk_of(p))))


@st.composite
def desk_rights(draw):
    replaced = draw(desk_names)
    own = {p for p in draw(desk_permissions) if desk_of(p) in replaced}
    return DeskRights(replaced, frozenset(own), draw(desk_permissions))


def principal(role: Role, scopes: frozenset[str] = EVERY_SCOPE, **more: object) -> Principal:
    return Principal(user_id="u", name="Ada", email="ada@example.org", role=role, via="token", scopes=scopes, **more)


@given(roles, scopes, permissions)
def test_no_principal_may_do_what_its_role_may_not(role, scopes, permission):
    if principal(role, scopes).may(permission):
        assert permission in role_permissions(role)


@given(roles, scopes, permissions)
def test_no_principal_may_do_what_its_scopes_do_not_let_through(role, scopes, permission):
    if principal(role, scopes).may(permission):
        assert permission in scope_permissions(scopes)


@given(roles, scopes, scopes, permissions)
def test_more_scopes_never_take_a_permission_away(role, some, others, permission):
    if principal(role, some).may(permission):
        assert principal(role, some | others).may(permission)


@given(roles, roles)
def test_a_change_is_a_raise_exactly_if_it_adds_a_permission(old, new):
    assert is_promotion(old, new) == bool(role_permissions(new) - role_permissions(old))


@given(st.text())
def test_an_unknown_permission_is_nobodys(permission):
    assert AUTOMATION.may(permission) == (permission in PERMISSIONS)


def test_every_permission_is_let_through_by_a_whole_scope():
    assert scope_permissions(WHOLE_SCOPES) == PERMISSIONS


@pytest.mark.parametrize("role", Role)
def test_a_session_has_every_right_of_its_role(role):
    assert {p for p in PERMISSIONS if principal(role).may(p)} == role_permissions(role)


@pytest.mark.parametrize("desk", DESKS)
def test_writing_approving_and_sending_are_separate_rights(desk):
    editor, approver = principal(Role.EDITOR), principal(Role.APPROVER)
    assert editor.may(f"desk.{desk}.write")
    assert not editor.may(f"desk.{desk}.approve")
    assert not editor.may(f"desk.{desk}.send")
    assert approver.may(f"desk.{desk}.approve")
    assert approver.may(f"desk.{desk}.send")


@pytest.mark.parametrize("role", [Role.EDITOR, Role.APPROVER, Role.MEMBER])
def test_only_an_administrator_manages_people_and_reads_the_audit_log(role):
    assert not principal(role).may("users.manage")
    assert not principal(role).may("audit.read")
    assert principal(Role.ADMIN).may("users.manage")


@pytest.mark.parametrize("role", Role)
def test_mail_which_holds_reset_links_is_read_only_with_the_right_to_manage_people(role):
    assert principal(role).may("mail.read") == principal(role).may("users.manage")
    assert not principal(role, EVERY_SCOPE - {"admin"}).may("mail.read")


def test_a_desk_scope_opens_that_desk_and_no_other():
    token = principal(Role.ADMIN, frozenset({"news:read"}))
    assert token.may("desk.news.read")
    assert not token.may("desk.recap.read")
    assert not token.may("desk.news.write")


def test_a_refusal_names_the_role():
    with pytest.raises(NotAllowed, match="The role member doesn't allow that; ask an administrator"):
        principal(Role.MEMBER).require("users.manage")


def test_a_refusal_for_want_of_scope_speaks_of_the_token():
    with pytest.raises(NotAllowed, match="lacks the scope"):
        principal(Role.ADMIN, frozenset({"read"})).require("users.manage")


@given(roles, scopes, desk_rights(), desk_names)
def test_rights_are_own_or_the_roles_and_the_teams_cut_by_scopes_and_desks(role, scopes, rights, desks):
    """The rule, written out a second time: for every permission there is."""
    somebody = principal(role, scopes, rights=rights, desks=desks)
    for permission in PERMISSIONS:
        desk = desk_of(permission)
        given = permission in (rights.own if desk in rights.replaced else role_permissions(role))
        held = given or permission in rights.teams
        switched_on = desk is None or desk in desks
        let_through = permission in scope_permissions(scopes)
        assert somebody.may(permission) == (held and switched_on and let_through), permission


@pytest.mark.parametrize("desk", PERSONAL_DATA)
def test_a_member_sees_personal_data_of_no_desk_unless_given(desk):
    assert not any(principal(Role.MEMBER).may(desk_permission(desk, action)) for action in ACTIONS)
    given = principal(Role.MEMBER, rights=DeskRights(teams=permissions_at(desk, ["read"])))
    assert [action for action in ACTIONS if given.may(desk_permission(desk, action))] == ["read"]


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("desk", DESKS)
def test_own_rights_can_be_none_at_all(role, desk):
    shut_out = principal(role, rights=DeskRights(replaced=frozenset({desk})))
    assert not any(shut_out.may(desk_permission(desk, action)) for action in ACTIONS)
    elsewhere = {p for p in role_permissions(role) if desk_of(p) != desk}
    assert shut_out.permissions == elsewhere


def test_a_refusal_at_a_desk_names_the_desk():
    with pytest.raises(NotAllowed, match="You don't have the right to do that at the reminders desk; ask an admin"):
        principal(Role.MEMBER).require("desk.reminders.read")
