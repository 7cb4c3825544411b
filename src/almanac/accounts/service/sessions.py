"""Sessions: start, list and end them; and the cleanup of ended sessions, links and sign-on flows."""

from datetime import timedelta

from almanac.accounts import credential_store, store
from almanac.accounts.model import SESSION_PREFIX, Principal, Session, SignedIn, SignInClient, User
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, user_subject
from almanac.accounts.service.users import require_user
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.audit.model import Actor
from almanac.errors import NotFound
from almanac.kit.ids import new_id, secret_token, token_hash
from almanac.kit.messages import gettext
from almanac.kit.text import shorten
from almanac.relational import Unit

LONGEST_USER_AGENT = 200


async def start_session(
    accounts: Accounts, unit: Unit, user: User, visit: SignInClient, *, method: SignInMethod, step: str = ""
) -> SignedIn:
    """Sign a person in, in the caller's transaction. The browser's former session ends: a sign-in always rotates."""
    now = accounts.clock.now()
    if visit.replaces and visit.replaces.isascii():
        await store.end_session_by_token(unit, token_hash(visit.replaces))
    token = secret_token(SESSION_PREFIX)
    session = Session(
        id=new_id(),
        user_id=user.id,
        created_at=now,
        last_seen_at=now,
        expires_at=now + accounts.session_life,
        address=visit.address,
        user_agent=shorten(visit.user_agent, LONGEST_USER_AGENT),
        method=method,
    )
    await store.add_session(unit, session, token_hash(token))
    actor, subject = Actor(user.id, "session"), user_subject(user.id)
    await record_user_action(
        accounts, unit, actor, "session.started", subject, by=method.value, second_step=step or None
    )
    return SignedIn(token=token, session=session, user=user)


async def sign_out(accounts: Accounts, session_token: str) -> None:
    """End the session that holds this token; signing out twice is no error."""
    if not session_token.isascii():
        return
    async with accounts.database.unit() as unit:
        ended = await store.end_session_by_token(unit, token_hash(session_token))
        if ended:
            await record_user_action(accounts, unit, Actor(ended, "session"), "session.ended", user_subject(ended))


async def list_sessions(accounts: Accounts, by: Principal) -> list[Session]:
    """One's own sessions that still work, the latest used first."""
    now = accounts.clock.now()
    async with accounts.database.unit() as unit:
        return await store.list_sessions(unit, by.user_id, now=now, idle_since=now - accounts.session_idle)


async def list_sessions_of(accounts: Accounts, by: Principal, user_id: str) -> list[Session]:
    """A person's sessions, for those who manage people."""
    by.require("users.manage")
    now = accounts.clock.now()
    async with accounts.database.unit() as unit:
        require_user(await store.find_user(unit, user_id))
        return await store.list_sessions(unit, user_id, now=now, idle_since=now - accounts.session_idle)


async def end_sessions_of(accounts: Accounts, by: Principal, user_id: str, *, why: str = "") -> int:
    """End all of a person's sessions, for those who manage people; returns how many."""
    by.require("users.manage")
    async with accounts.database.unit() as unit:
        user = require_user(await store.lock_user(unit, user_id))
        keep = by.session_id if by.owns(user.id) else None
        ended = await store.end_sessions(unit, user.id, keep=keep)
        await record_user_action(accounts, unit, by.actor, "sessions.ended", user_subject(user.id), why, count=ended)
    return ended


async def end_session(accounts: Accounts, by: Principal, session_id: str) -> None:
    """End one of one's own sessions."""
    by.require("account.own")
    async with accounts.database.unit() as unit:
        if not await store.end_session(unit, session_id, by.user_id):
            raise NotFound(gettext("There is no session with this id; it may have ended already."))
        await record_user_action(accounts, unit, by.actor, "session.ended", user_subject(by.user_id))


async def end_other_sessions(accounts: Accounts, by: Principal) -> int:
    """End all of one's own sessions but the one that asks; returns how many."""
    by.require("account.own")
    async with accounts.database.unit() as unit:
        ended = await store.end_sessions(unit, by.user_id, keep=by.session_id)
        await record_user_action(accounts, unit, by.actor, "sessions.ended", user_subject(by.user_id), count=ended)
    return ended


KEEP_FOR = timedelta(days=1)


async def delete_expired_credentials(accounts: Accounts) -> int:
    """Remove sessions, links, tallies and sign-ons that are over; returns how many rows went."""
    now = accounts.clock.now()
    async with accounts.database.unit() as unit:
        removed = await credential_store.delete_expired_challenges(unit, now)
        return removed + await store.delete_expired(
            unit, now=now, idle_since=now - accounts.session_idle, long_ago=now - KEEP_FOR
        )
