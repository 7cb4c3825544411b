"""Every verb that changes something leaves an audit entry, and none of them holds personal data."""

import asyncio
import random

import pytest

from almanac.accounts import service
from almanac.accounts.model import CONSOLE, LINK_PATH
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.errors import AlmanacError, Unavailable

KEY = b"a key for cursors"


async def entries(database):
    return (await audit.list_entries(database, AuditFilter(), key=KEY, limit=100)).items[::-1]


async def test_a_persons_whole_life_is_on_record(accounts, courier, database, principals, visit):
    invitation = await service.invite_user(
        accounts, CONSOLE, email="grace@example.org", name="Grace Hopper", role="member"
    )
    user = invitation.user
    token = courier.links[0].path.removeprefix(LINK_PATH)
    signed_in = await service.choose_password(accounts, token=token, password="amber lantern 5 dune", visit=visit)
    grace = await principals.for_session(signed_in.token)
    made = await service.create_token(accounts, grace, name="script", scopes=["read"])
    await service.revoke_token(accounts, grace, made.token.id, why="lost the laptop")
    await service.rename_user(accounts, grace, user.id, "Admiral Hopper")
    await service.change_role(accounts, CONSOLE, user.id, Role.EDITOR, why="new duties")
    await service.sign_out(accounts, signed_in.token)
    await service.deactivate_user(accounts, CONSOLE, user.id)
    await service.reactivate_user(accounts, CONSOLE, user.id)
    expected = [
        (entry.action, entry.actor_id if entry.actor_id == "console" else "grace") for entry in await entries(database)
    ]
    assert expected == [
        ("user.created", "console"),
        ("link.issued", "console"),
        ("user.password_changed", "grace"),
        ("session.started", "grace"),
        ("token.created", "grace"),
        ("token.revoked", "grace"),
        ("user.renamed", "grace"),
        ("user.role_changed", "console"),
        ("session.ended", "grace"),
        ("user.deactivated", "console"),
        ("user.reactivated", "console"),
    ]
    assert (await audit.verify_chain(database)).intact


async def test_the_record_says_why_and_what_without_names_or_addresses(accounts, database, make_user):
    ada = await make_user()
    await service.change_role(accounts, CONSOLE, ada.id, Role.EDITOR, why="new duties")
    changed = (await entries(database))[-1]
    assert (changed.object_type, changed.object_id, changed.why) == ("user", ada.id, "new duties")
    assert changed.detail == {"old_role": "member", "new_role": "editor"}
    assert "example.org" not in str(await entries(database))


async def test_a_refused_change_leaves_no_entry(accounts, database, make_user):
    boss = await make_user(Role.ADMIN)
    before = len(await entries(database))
    for refused in (
        service.change_role(accounts, CONSOLE, boss.id, Role.MEMBER),
        service.create_user(accounts, CONSOLE, email=boss.email, name="Other", role="member"),
    ):
        with pytest.raises(AlmanacError):
            await refused
    assert len(await entries(database)) == before


async def test_verbs_at_the_same_moment_never_wait_in_a_circle(accounts, database, make_user, visit, password):
    """A deadlock would show as Unavailable."""
    ada, _ = await make_user(Role.ADMIN), await make_user(Role.ADMIN, name="Bob")

    async def link() -> str:
        return (await service.issue_sign_in_link(accounts, CONSOLE, ada.id)).path.removeprefix(LINK_PATH)

    links = [await link() for _ in range(12)]
    verbs = [
        *(service.sign_in_with_link(accounts, token=token, visit=visit) for token in links),
        *(service.sign_in(accounts, email=ada.email, password=password, visit=visit) for _ in range(12)),
        *(service.request_password_reset(accounts, email=ada.email, address="::1") for _ in range(4)),
        *(service.create_token(accounts, CONSOLE, name="x", scopes=["read"], owner_id=ada.id) for _ in range(6)),
        *(service.deactivate_user(accounts, CONSOLE, ada.id) for _ in range(4)),
        *(service.reactivate_user(accounts, CONSOLE, ada.id) for _ in range(4)),
        *(service.change_role(accounts, CONSOLE, ada.id, role) for role in (*Role, *Role)),
    ]
    random.Random(7).shuffle(verbs)
    results = await asyncio.gather(*verbs, return_exceptions=True)
    assert not [r for r in results if isinstance(r, Unavailable)]
    assert all(isinstance(r, AlmanacError) for r in results if isinstance(r, BaseException))
    assert (await audit.verify_chain(database)).intact
