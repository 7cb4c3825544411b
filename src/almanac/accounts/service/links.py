"""One-time links: made for a person, looked at by the page that shows them, used up exactly once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from almanac.accounts import store
from almanac.accounts.fields import (
    clean_actions,
    clean_desk,
    clean_email,
    clean_name,
    clean_role,
    is_email,
    normal_email,
)
from almanac.accounts.model import (
    LINK_LIFE,
    LINK_PATH,
    LINK_PREFIX,
    IssuedLink,
    LinkExpired,
    LinkPurpose,
    OpenLink,
    PendingSignIn,
    Principal,
    SignedIn,
    SignInClient,
    User,
)
from almanac.accounts.permissions import Role
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, user_subject
from almanac.accounts.service.rate_limits import count_reset
from almanac.accounts.service.rights import differing_rights, give_own_rights
from almanac.accounts.service.second_factor import admit
from almanac.accounts.service.users import add_person, require_user
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.audit.model import SYSTEM, Actor
from almanac.errors import Conflict, NotAllowed, check_all
from almanac.kit.ids import new_id, secret_token, token_hash
from almanac.kit.messages import gettext
from almanac.relational import Unit

FIRST_ADMIN_EMAIL = "admin@localhost"
FIRST_ADMIN_NAME = "Administrator"


async def issue_sign_in_link(accounts: Accounts, by: Principal, user_id: str) -> IssuedLink:
    """A link that signs a person in at once, to be handed over by whoever runs the installation."""
    by.require("users.manage")
    if by.via == "token":
        raise NotAllowed(gettext("An API token can't make sign-in links; sign in, or use the command line."))
    async with accounts.database.unit() as unit:
        user = _active(require_user(await store.lock_user(unit, user_id)))
        return await _issue(accounts, unit, by.actor, user, LinkPurpose.SIGN_IN)


async def first_run_link(accounts: Accounts) -> IssuedLink | None:
    """A sign-in link for the first administrator, as long as no administrator has another way in."""
    async with accounts.database.unit() as unit:
        admins = await store.lock_roles(unit)
        if await store.has_usable_admin(unit):
            return None
        user = await store.find_user(unit, admins[0]) if admins else None
        user = user or await add_first_admin(accounts, unit)
        return await _issue(accounts, unit, SYSTEM, user, LinkPurpose.SIGN_IN)


async def invite_user(
    accounts: Accounts,
    by: Principal,
    *,
    email: str,
    name: str,
    role: str,
    rights: Mapping[str, Iterable[str]] | None = None,
) -> IssuedLink:
    """Add a person and send them a link with which they choose a password; returns it for where mail isn't set up.

    `rights` are what they may do at desks; where that is what the role gives anyway, the role decides.
    """
    by.require("users.manage")
    check_all(lambda: clean_email(email), lambda: clean_name(name), lambda: clean_role(role))
    email, name, chosen = clean_email(email), clean_name(name), clean_role(role)
    given = {clean_desk(desk, accounts.desks): clean_actions(actions) for desk, actions in (rights or {}).items()}
    async with accounts.database.unit() as unit:
        user = await add_person(accounts, unit, by.actor, email=email, name=name, role=chosen)
        await give_own_rights(accounts, unit, by, user, differing_rights(chosen, given))
        return await _send(accounts, unit, by.actor, user, LinkPurpose.INVITE, inviter=_inviter(by))


async def resend_invitation(accounts: Accounts, by: Principal, user_id: str) -> IssuedLink:
    """Send the invitation once more; the earlier link stops working."""
    by.require("users.manage")
    async with accounts.database.unit() as unit:
        user = _active(require_user(await store.lock_user(unit, user_id)))
        if user.has_password:
            raise Conflict(gettext("This person has chosen a password already; send a reset link instead."))
        return await _send(accounts, unit, by.actor, user, LinkPurpose.INVITE, inviter=_inviter(by))


async def send_reset_link(accounts: Accounts, by: Principal, user_id: str) -> IssuedLink:
    """Send a person a link with which they choose a new password."""
    by.require("users.manage")
    async with accounts.database.unit() as unit:
        user = _active(require_user(await store.lock_user(unit, user_id)))
        return await _send(accounts, unit, by.actor, user, LinkPurpose.RESET)


async def request_password_reset(accounts: Accounts, *, email: str, address: str) -> None:
    """Send a reset link if the address is somebody's. The caller learns nothing either way."""
    email = normal_email(email)
    await count_reset(accounts, email, address)
    if not is_email(email):
        return
    async with accounts.database.unit() as unit:
        account = await store.find_user_by_email(unit, email)
        user = await store.lock_user(unit, account.id) if account else None
        if user and user.active:
            await _send(accounts, unit, SYSTEM, user, LinkPurpose.RESET)


async def inspect_link(accounts: Accounts, token: str) -> OpenLink:
    """What a link is for, without using it up; LinkExpired if it no longer works."""
    async with accounts.database.unit() as unit:
        stored = await store.find_open_link(unit, _hash_of(token), accounts.clock.now())
        user = await store.find_user(unit, stored.user_id) if stored else None
    if not stored or not user:
        raise LinkExpired
    return OpenLink(purpose=stored.purpose, user=user, expires_at=stored.expires_at, email=stored.email)


async def sign_in_with_link(accounts: Accounts, *, token: str, visit: SignInClient) -> SignedIn | PendingSignIn:
    """Use a sign-in link up and start a session. Of any number of attempts at once, one succeeds."""
    async with accounts.database.unit() as unit:
        user = await consume_link(accounts, unit, token, LinkPurpose.SIGN_IN)
        return await admit(accounts, unit, user, visit, SignInMethod.LINK)


async def issue_email_link(accounts: Accounts, unit: Unit, actor: Actor, user: User, email: str) -> IssuedLink:
    """Send a link to a new address, to confirm that it is the person's; an earlier one stops working."""
    await store.void_links(unit, user.id, accounts.clock.now(), LinkPurpose.EMAIL)
    link = await _issue(accounts, unit, actor, user, LinkPurpose.EMAIL, email=email)
    await accounts.link_sender.send_link(unit, link)
    return link


async def consume_email_link(accounts: Accounts, unit: Unit, token: str) -> tuple[User, str]:
    """Take a link that confirms an address; returns whose and which, or raises LinkExpired."""
    stored = await store.find_open_link(unit, _hash_of(token), accounts.clock.now())
    user = await consume_link(accounts, unit, token, LinkPurpose.EMAIL)
    if stored is None or stored.email is None:
        raise LinkExpired
    return user, stored.email


async def consume_link(accounts: Accounts, unit: Unit, token: str, *purposes: LinkPurpose) -> User:
    """Take a link for one of these purposes in the caller's transaction, or raise LinkExpired."""
    now, hashed = accounts.clock.now(), _hash_of(token)
    stored = await store.find_open_link(unit, hashed, now)
    if not stored or stored.purpose not in purposes:
        raise LinkExpired
    # The person before the link, as everywhere: a deactivation at this moment goes the same way.
    user = require_user(await store.lock_user(unit, stored.user_id))
    if not user.active or not await store.use_link(unit, hashed, now):
        raise LinkExpired
    return user


async def add_first_admin(accounts: Accounts, unit: Unit) -> User:
    """The account at the usual address, created or, if it was deactivated or demoted, under another address."""
    taken = await store.find_user_by_email(unit, FIRST_ADMIN_EMAIL)
    email = f"admin-{new_id()[-6:]}@localhost" if taken else FIRST_ADMIN_EMAIL
    return await add_person(accounts, unit, SYSTEM, email=email, name=FIRST_ADMIN_NAME, role=Role.ADMIN)


async def _send(
    accounts: Accounts, unit: Unit, actor: Actor, user: User, purpose: LinkPurpose, *, inviter: str = ""
) -> IssuedLink:
    await store.void_links(unit, user.id, accounts.clock.now(), purpose)
    link = replace(await _issue(accounts, unit, actor, user, purpose), inviter=inviter)
    await accounts.link_sender.send_link(unit, link)
    return link


async def _issue(
    accounts: Accounts, unit: Unit, actor: Actor, user: User, purpose: LinkPurpose, *, email: str | None = None
) -> IssuedLink:
    now = accounts.clock.now()
    token = secret_token(LINK_PREFIX)
    expires_at = now + LINK_LIFE[purpose]
    stored = store.StoredLink(id=new_id(), user_id=user.id, purpose=purpose, expires_at=expires_at, email=email)
    await store.add_link(unit, stored, token_hash=token_hash(token), now=now)
    await record_user_action(accounts, unit, actor, "link.issued", user_subject(user.id), purpose=purpose.value)
    path = LINK_PATH + token
    url = accounts.base_url.rstrip("/") + path
    return IssuedLink(url=url, path=path, purpose=purpose, user=user, expires_at=expires_at, email=email)


def _inviter(by: Principal) -> str:
    """The name of whoever invites; empty for programs, and until the first administrator has given theirs."""
    return by.name if by.via in ("session", "token") and by.name != FIRST_ADMIN_NAME else ""


def _active(user: User) -> User:
    if not user.active:
        raise Conflict(gettext("This person is deactivated; reactivate them first."))
    return user


def _hash_of(token: str) -> str:
    return token_hash(token) if token.isascii() else ""
