"""Signing in with a password, and changing or choosing one."""

from dataclasses import dataclass

from almanac.accounts import store
from almanac.accounts.fields import is_email, normal_email
from almanac.accounts.model import LinkPurpose, PendingSignIn, Principal, SignedIn, SignInClient, User
from almanac.accounts.passwords import PasswordMatch
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, user_subject
from almanac.accounts.service.links import consume_link, inspect_link
from almanac.accounts.service.proof import confirm_proof, require_fresh_proof
from almanac.accounts.service.rate_limits import count_sign_in, reset_sign_in_attempts
from almanac.accounts.service.second_factor import admit
from almanac.accounts.service.users import check_password_strength, require_own_account, require_user
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.accounts.store import Credentials
from almanac.audit.model import Actor
from almanac.errors import FieldErrors, NotAllowed, SignInNeeded
from almanac.kit.messages import gettext
from almanac.relational import Unit

PASSWORD_LINKS = (LinkPurpose.INVITE, LinkPurpose.RESET)


@dataclass(frozen=True, slots=True)
class _Proof:
    """Credentials whose password was given, and whether their hash must be replaced."""

    credentials: Credentials
    is_outdated: bool


async def sign_in(accounts: Accounts, *, email: str, password: str, visit: SignInClient) -> SignedIn | PendingSignIn:
    """Start a session for the right password. A wrong one and an unknown person look and take the same."""
    email = normal_email(email)
    await count_sign_in(accounts, email, visit.address)
    proof = await _proven(accounts, email, password)
    if proof is None:
        raise SignInNeeded(gettext("The e-mail address or the password is wrong."))
    async with accounts.database.unit() as unit:
        user = await store.lock_user(unit, proof.credentials.id)
        # Between the check and the lock the account may have been closed or the password changed.
        if not user or await store.find_credentials(unit, email) != proof.credentials:
            raise SignInNeeded(gettext("The e-mail address or the password is wrong."))
        await reset_sign_in_attempts(accounts, unit, email, visit.address)
        signed_in = await admit(accounts, unit, user, visit, SignInMethod.PASSWORD)
    if proof.is_outdated:
        await _refresh_hash(accounts, proof.credentials, password)
    return signed_in


async def prove_with_password(accounts: Accounts, by: Principal, password: str, *, address: str) -> None:
    """Confirm that it is oneself with the password."""
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.find_user(unit, by.user_id))
    await count_sign_in(accounts, user.email, address)
    if await _proven(accounts, user.email, password) is None:
        raise FieldErrors({"password": gettext("This isn't your password.")})
    async with accounts.database.unit() as unit:
        await reset_sign_in_attempts(accounts, unit, user.email, address)
        await confirm_proof(accounts, unit, by, method="password")


async def change_password(accounts: Accounts, by: Principal, *, current: str, new: str, address: str) -> None:
    """Change one's own password, knowing the current one if there is one; every other session ends."""
    by.require("account.own")
    if by.via != "session":
        # Somebody without a password needs no current one, so a token could turn itself into a whole account.
        raise NotAllowed(gettext("A password can be changed only by the person who is signed in."))
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.find_user(unit, by.user_id))
    check_password_strength(new, email=user.email, name=user.name)
    proof = None
    if not user.has_password:
        await require_fresh_proof(accounts, by)
    if user.has_password:
        await count_sign_in(accounts, user.email, address)
        proof = await _proven(accounts, user.email, current)
        if proof is None:
            raise FieldErrors({"current": gettext("This isn't your current password.")})
    password_hash = await accounts.passwords.hash(new)
    async with accounts.database.unit() as unit:
        await store.lock_user(unit, user.id)
        # Between the check and the lock somebody may have chosen another, perhaps to shut out whoever asks here.
        if await store.find_credentials(unit, user.email) != (proof and proof.credentials):
            raise FieldErrors({"current": gettext("Your password was just changed; sign in with the new one.")})
        if user.has_password:
            await reset_sign_in_attempts(accounts, unit, user.email, address)
        await _replace_password(accounts, unit, by.actor, user, password_hash, keep=by.session_id)


async def choose_password(
    accounts: Accounts, *, token: str, password: str, visit: SignInClient
) -> SignedIn | PendingSignIn:
    """Follow an invitation or a reset link: set the password, end every old session, start a new one."""
    link = await inspect_link(accounts, token)
    check_password_strength(password, email=link.user.email, name=link.user.name)
    password_hash = await accounts.passwords.hash(password)
    async with accounts.database.unit() as unit:
        user = await consume_link(accounts, unit, token, *PASSWORD_LINKS)
        await _replace_password(accounts, unit, Actor(user.id, "link"), user, password_hash, keep=None)
        user = require_user(await store.find_user(unit, user.id))
        return await admit(accounts, unit, user, visit, SignInMethod.LINK)


async def _replace_password(
    accounts: Accounts, unit: Unit, actor: Actor, user: User, password_hash: str, *, keep: str | None
) -> None:
    now = accounts.clock.now()
    await store.set_password(unit, user.id, password_hash, now)
    await store.void_links(unit, user.id, now)
    ended = await store.end_sessions(unit, user.id, keep=keep)
    await record_user_action(
        accounts, unit, actor, "user.password_changed", user_subject(user.id), sessions_ended=ended
    )


async def _proven(accounts: Accounts, email: str, password: str) -> _Proof | None:
    credentials = None
    if is_email(email):
        async with accounts.database.unit() as unit:
            credentials = await store.find_credentials(unit, email)
    fit = await accounts.passwords.matches(credentials.password_hash if credentials else None, password)
    return _Proof(credentials, fit is PasswordMatch.BY_AN_OUTDATED_HASH) if credentials and fit else None


async def _refresh_hash(accounts: Accounts, credentials: Credentials, password: str) -> None:
    """Only a sign-in knows the password, so it is the moment to hash it as it is done today."""
    fresh = await accounts.passwords.hash(password)
    async with accounts.database.unit() as unit:
        await store.refresh_password_hash(unit, credentials.id, stale=credentials.password_hash, fresh=fresh)
