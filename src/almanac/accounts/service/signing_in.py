"""Signing in with a password, and changing or choosing one."""

from almanac.accounts import store
from almanac.accounts.fields import is_email, normal_email
from almanac.accounts.model import LinkPurpose, Principal, SignedIn, User, Visit
from almanac.accounts.passwords import LONGEST
from almanac.accounts.port import Accounts
from almanac.accounts.service.attempts import count_sign_in, forgive_sign_in
from almanac.accounts.service.links import look_at_link, use_up
from almanac.accounts.service.people import found, own_account, refuse_weak
from almanac.accounts.service.sessions import start_session
from almanac.accounts.service.trail import note, the_user
from almanac.accounts.store import Credentials
from almanac.audit.model import Actor
from almanac.errors import FieldErrors, NotAllowed, SignInNeeded
from almanac.relational import Unit

PASSWORD_LINKS = (LinkPurpose.INVITE, LinkPurpose.RESET)


async def sign_in(accounts: Accounts, *, email: str, password: str, visit: Visit) -> SignedIn:
    """Start a session for the right password. A wrong one and an unknown person look and take the same."""
    email = normal_email(email)
    await count_sign_in(accounts, email, visit.address)
    credentials = await _checked(accounts, email, password)
    if credentials is None:
        raise SignInNeeded("The e-mail address or the password is wrong.")
    async with accounts.database.unit() as unit:
        user = await store.lock_user(unit, credentials.id)
        # Between the check and the lock the account may have been closed or the password changed.
        if not user or await store.password_hash_of(unit, email) != credentials:
            raise SignInNeeded("The e-mail address or the password is wrong.")
        await forgive_sign_in(accounts, unit, email, visit.address)
        signed_in = await start_session(accounts, unit, user, visit, by="password")
    await _refresh_hash(accounts, credentials, password)
    return signed_in


async def change_password(accounts: Accounts, by: Principal, *, current: str, new: str, address: str) -> None:
    """Change one's own password, knowing the current one if there is one; every other session ends."""
    by.require("account.own")
    if by.via != "session":
        # Somebody without a password needs no current one, so a token could turn itself into a whole account.
        raise NotAllowed("A password can be changed only by the person who is signed in.")
    async with accounts.database.unit() as unit:
        user = own_account(await store.find_user(unit, by.user_id))
    refuse_weak(new, email=user.email, name=user.name)
    credentials = None
    if user.has_password:
        await count_sign_in(accounts, user.email, address)
        credentials = await _checked(accounts, user.email, current)
        if credentials is None:
            raise FieldErrors({"current": "This is not your current password."})
    password_hash = await accounts.passwords.hash(new)
    async with accounts.database.unit() as unit:
        await store.lock_user(unit, user.id)
        # Between the check and the lock somebody may have chosen another, perhaps to shut out whoever asks here.
        if await store.password_hash_of(unit, user.email) != credentials:
            raise FieldErrors({"current": "Your password was changed at the same moment; sign in with the new one."})
        if user.has_password:
            await forgive_sign_in(accounts, unit, user.email, address)
        await _replace_password(accounts, unit, by.actor, user, password_hash, keep=by.session_id)


async def choose_password(accounts: Accounts, *, token: str, password: str, visit: Visit) -> SignedIn:
    """Follow an invitation or a reset link: set the password, end every old session, start a new one."""
    link = await look_at_link(accounts, token)
    refuse_weak(password, email=link.user.email, name=link.user.name)
    password_hash = await accounts.passwords.hash(password)
    async with accounts.database.unit() as unit:
        user = await use_up(accounts, unit, token, *PASSWORD_LINKS)
        await _replace_password(accounts, unit, Actor(user.id, "link"), user, password_hash, keep=None)
        user = found(await store.find_user(unit, user.id))
        return await start_session(accounts, unit, user, visit, by=link.purpose.value)


async def _replace_password(
    accounts: Accounts, unit: Unit, actor: Actor, user: User, password_hash: str, *, keep: str | None
) -> None:
    now = accounts.clock.now()
    await store.set_password(unit, user.id, password_hash, now)
    await store.void_links(unit, user.id, now)
    ended = await store.end_sessions(unit, user.id, keep=keep)
    await note(accounts, unit, actor, "user.password_changed", the_user(user.id), sessions_ended=ended)


async def _checked(accounts: Accounts, email: str, password: str) -> Credentials | None:
    credentials = None
    if is_email(email) and len(password) <= LONGEST:
        async with accounts.database.unit() as unit:
            credentials = await store.password_hash_of(unit, email)
    fits = await accounts.passwords.matches(credentials.password_hash if credentials else None, password[:LONGEST])
    return credentials if fits else None


async def _refresh_hash(accounts: Accounts, credentials: Credentials, password: str) -> None:
    """Only a sign-in knows the password, so it is the moment to hash it at today's cost."""
    if not accounts.passwords.is_outdated(credentials.password_hash):
        return
    fresh = await accounts.passwords.hash(password)
    async with accounts.database.unit() as unit:
        await store.refresh_password_hash(unit, credentials.id, stale=credentials.password_hash, fresh=fresh)
