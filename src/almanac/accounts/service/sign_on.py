"""Single sign-on: a browser goes to the issuer and comes back as somebody; which account that is, is decided here."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from almanac.accounts import store, team_store
from almanac.accounts.fields import LONGEST_NAME, clean_name, is_email, is_storable, normal_email, safe_return_path
from almanac.accounts.model import SignedIn, SignInClient, User
from almanac.accounts.permissions import Role
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, user_subject
from almanac.accounts.service.sessions import start_session
from almanac.accounts.service.users import add_person, require_user
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.audit.model import SYSTEM, Actor, AuditSubject, DetailValue
from almanac.errors import NotAllowed, NotFound, SignInNeeded
from almanac.kit.ids import same_secret, secret_token, token_hash
from almanac.kit.messages import gettext
from almanac.kit.text import shorten
from almanac.relational import Unit

if TYPE_CHECKING:
    from almanac.accounts.oidc import OidcIdentity, OidcProvider

FLOW_LIFE = timedelta(minutes=10)
GROUPS_DECIDED = "Groups at the single sign-on service"


@dataclass(frozen=True, slots=True)
class SignOnStart:
    """Where to send the browser; `state` goes into a short-lived cookie that must come back with the answer."""

    url: str = field(repr=False)
    state: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignedOn:
    """A session started by single sign-on, and the page the person wanted."""

    signed_in: SignedIn
    return_to: str


async def begin_sign_on(accounts: Accounts, *, return_to: str = "/", again: bool = False) -> SignOnStart:
    """Start a sign-on at the issuer; `again` where a person who is signed in must prove who they are."""
    provider = _provider(accounts)
    state, nonce, verifier = secret_token(), secret_token(), secret_token()
    url = await provider.authorization_url(state=state, nonce=nonce, verifier=verifier, again=again)
    expires_at = accounts.clock.now() + FLOW_LIFE
    flow = store.SignOnFlow(
        nonce=nonce, verifier=verifier, return_to=safe_return_path(return_to), expires_at=expires_at
    )
    async with accounts.database.unit() as unit:
        await store.add_flow(unit, flow, token_hash(state))
    return SignOnStart(url, state)


async def finish_sign_on(
    accounts: Accounts, *, code: str, state: str, browser_state: str | None, visit: SignInClient
) -> SignedOn:
    """Turn the issuer's answer into a session. The answer must return to the browser that asked, once, in time."""
    provider = _provider(accounts)
    flow = await _take_flow(accounts, state, browser_state)
    identity = await provider.identify(code=code, nonce=flow.nonce, verifier=flow.verifier)
    if not accounts.sign_on_rules.admits(identity.groups):
        raise NotAllowed(
            gettext("None of your groups at the single sign-on service gives access here; ask an administrator.")
        )
    async with accounts.database.unit() as unit:
        # Before any other lock: the groups may change who is an administrator.
        admins = await store.lock_roles(unit)
        user = require_user(await store.lock_user(unit, await _account_of(accounts, unit, identity, visit)))
        if not user.active:
            raise NotAllowed(gettext("This account is deactivated; ask an administrator."))
        user = await _apply_role(accounts, unit, user, identity, admins)
        await _apply_teams(accounts, unit, user, identity)
        return SignedOn(await start_session(accounts, unit, user, visit, method=SignInMethod.SIGN_ON), flow.return_to)


async def _take_flow(accounts: Accounts, state: str, browser_state: str | None) -> store.SignOnFlow:
    flow = None
    if state.isascii() and browser_state and browser_state.isascii() and same_secret(browser_state, state):
        async with accounts.database.unit() as unit:
            flow = await store.take_flow(unit, token_hash(state))
    if flow is None or flow.expires_at <= accounts.clock.now():
        raise SignInNeeded(gettext("This sign-in was started elsewhere or took too long; start again."))
    return flow


async def _account_of(accounts: Accounts, unit: Unit, identity: "OidcIdentity", visit: SignInClient) -> str:
    """The id of the account tied to the subject; else of the one with the verified address; else of a newcomer whom
    the rules admit.
    """
    linked_user = await store.find_user_by_subject(unit, identity.issuer, identity.subject)
    if linked_user:
        return linked_user.id
    email = normal_email(identity.email or "")
    if not identity.email_verified or not is_email(email) or not is_storable(identity.subject):
        raise NotAllowed(
            gettext("The single sign-on service gave no verified e-mail address; confirm yours there first.")
        )
    user = await store.find_user_by_email(unit, email)
    if user is None:
        user = await _add_newcomer(accounts, unit, identity, email)
    elif user.role is Role.ADMIN and user.has_password:
        await _require_signed_in_as(accounts, unit, user, visit)
    if not await store.attach_subject(unit, user.id, identity.issuer, identity.subject):
        raise NotAllowed(gettext("This address belongs to another single sign-on identity here; ask an administrator."))
    await record_user_action(accounts, unit, Actor(user.id, "sign_on"), "user.identity_attached", user_subject(user.id))
    return user.id


async def _add_newcomer(accounts: Accounts, unit: Unit, identity: "OidcIdentity", email: str) -> User:
    rules = accounts.sign_on_rules
    if not rules.admits_newcomer(email, identity.groups):
        raise NotAllowed(
            gettext("Nobody has invited %(email)s here yet; ask an administrator for an invitation.", email=email)
        )
    role = rules.role_for(identity.groups)
    return await add_person(accounts, unit, SYSTEM, email=email, name=_name_of(identity, email), role=role)


async def _require_signed_in_as(accounts: Accounts, unit: Unit, user: User, visit: SignInClient) -> None:
    """An administrator with a password isn't taken over by whoever the issuer gives their address: they connect the
    two themselves, being signed in.
    """
    now = accounts.clock.now()
    hashed = token_hash(visit.replaces) if visit.replaces and visit.replaces.isascii() else ""
    seen = await store.find_session_principal(unit, hashed, now=now, idle_since=now - accounts.session_idle)
    if seen is None or seen.principal.user_id != user.id:
        raise NotAllowed(
            gettext(
                "This address belongs to an administrator here. Sign in with your password first, then choose "
                "“Connect single sign-on” on your account page."
            )
        )


async def _apply_role(accounts: Accounts, unit: Unit, user: User, identity: "OidcIdentity", admins: list[str]) -> User:
    """The person with the role that their groups give now. The last active administrator stays one."""
    rules = accounts.sign_on_rules
    role = rules.role_for(identity.groups)
    if not rules.decides_roles or role is user.role:
        return user
    if admins == [user.id]:
        await record_user_action(accounts, unit, SYSTEM, "user.role_kept", user_subject(user.id), new_role=role.value)
        return user
    await store.update_user(unit, replace(user, role=role), accounts.clock.now())
    detail: dict[str, DetailValue] = {"old_role": user.role.value, "new_role": role.value}
    await record_user_action(
        accounts, unit, SYSTEM, "user.role_changed", user_subject(user.id), GROUPS_DECIDED, **detail
    )
    return require_user(await store.find_user(unit, user.id))


async def _apply_teams(accounts: Accounts, unit: Unit, user: User, identity: "OidcIdentity") -> None:
    """Into the teams that the groups give, out of those that only other groups give; no other team changes."""
    rules = accounts.sign_on_rules
    if not rules.teams:
        return
    wanted = rules.teams_for(identity.groups)
    current = {team.id for team in await team_store.list_teams_of_user(unit, user.id)}
    for team in await team_store.list_teams(unit):
        subject = AuditSubject("team", team.id)
        if team.name in wanted and await team_store.add_team_member(unit, team.id, user.id, accounts.clock.now()):
            action = "team.member_added"
        elif team.name in rules.teams - wanted and team.id in current:
            await team_store.remove_team_member(unit, team.id, user.id)
            action = "team.member_removed"
        else:
            continue
        await record_user_action(accounts, unit, SYSTEM, action, subject, GROUPS_DECIDED, member=user.id)


def _name_of(identity: "OidcIdentity", email: str) -> str:
    name = shorten(identity.name or "", LONGEST_NAME)
    return clean_name(name if name and is_storable(name) else email.partition("@")[0][:LONGEST_NAME])


def _provider(accounts: Accounts) -> "OidcProvider":
    if accounts.oidc is None:
        raise NotFound(gettext("Single sign-on is not set up here; sign in with your password."))
    return accounts.oidc
