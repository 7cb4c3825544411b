"""Every read and write of accounts, by name; rules and permissions are the callers' business."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from almanac.accounts.model import ApiToken, LinkPurpose, Preferences, Principal, Session, Theme, User
from almanac.accounts.permissions import NO_DESK_RIGHTS, DeskRights, Role, permissions_at
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.accounts.throttle import AttemptCount
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class Credentials:
    """The hash to check a password against."""

    id: str
    password_hash: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLink:
    """A one-time link as stored."""

    id: str
    user_id: str
    purpose: LinkPurpose
    expires_at: datetime
    email: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnFlow:
    """A single sign-on under way."""

    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    return_to: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class CredentialUse:
    """A principal found by a credential, when that credential was noted last, and whether they sign in in two steps."""

    principal: Principal
    noted_at: datetime | None
    two_step: bool = False

    def noted_before(self, moment: datetime) -> bool:
        """Whether it is time to note again that the credential is in use."""
        return self.noted_at is None or self.noted_at <= moment


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFilter:
    """Which people to list; what is left out is not restricted."""

    text: str | None = None
    role: Role | None = None
    active: bool | None = None
    signed_in: bool | None = None


async def find_user(reading: ReadTransaction, user_id: str) -> User | None:
    """One person by id."""
    return await reading.one(QUERIES["find_user"], {"id": user_id}, into=_user) if could_be_id(user_id) else None


async def lock_user(unit: Unit, user_id: str) -> User | None:
    """One person by id, kept from changing until the transaction ends."""
    return await unit.one(QUERIES["lock_user"], {"id": user_id}, into=_user) if could_be_id(user_id) else None


async def find_user_by_email(unit: Unit, email: str) -> User | None:
    """One person by the address they sign in with."""
    return await unit.one(QUERIES["find_user_by_email"], {"email": email}, into=_user)


async def find_user_by_subject(unit: Unit, issuer: str, subject: str) -> User | None:
    """One person by their identity at the OpenID Connect issuer."""
    return await unit.one(QUERIES["find_user_by_subject"], {"issuer": issuer, "subject": subject}, into=_user)


async def list_users(
    reading: ReadTransaction, wanted: UserFilter, *, after: tuple[str, str] | None, limit: int
) -> list[User]:
    """People by name, after the one with this name and id."""
    after_name, after_id = after or (None, None)
    place = {"after_name": after_name, "after_id": after_id, "limit": limit}
    wishes = {"text": wanted.text, "role": wanted.role, "active": wanted.active, "signed_in": wanted.signed_in}
    return await reading.all(QUERIES["list_users"], {**wishes, **place}, into=_user)


async def lock_roles(unit: Unit) -> list[str]:
    """Ids of all active administrators, who stay that until the transaction ends. Take it before any other lock."""
    await unit.execute(QUERIES["lock_roles"])
    return [str(row["id"]) for row in await unit.all(QUERIES["active_admins"])]


async def has_usable_admin(unit: Unit) -> bool:
    """Whether any active administrator has a password, a passkey or a single sign-on identity."""
    return bool(await unit.value(QUERIES["an_admin_can_sign_in"]))


async def add_user(
    unit: Unit, *, user_id: str, email: str, name: str, role: Role, password_hash: str | None, now: datetime
) -> None:
    """A new person."""
    row = {"id": user_id, "email": email, "name": name, "role": role, "password_hash": password_hash, "now": now}
    await unit.execute(QUERIES["add_user"], row)


async def update_user(unit: Unit, user: User, now: datetime) -> None:
    """What an edit may change about a person."""
    row = {"id": user.id, "name": user.name, "email": user.email, "role": user.role, "active": user.active, "now": now}
    await unit.execute(QUERIES["update_user"], row)


async def set_preferences(unit: Unit, user_id: str, preferences: Preferences, now: datetime) -> None:
    """How a person wants to see things."""
    row = {"theme": preferences.theme, "language": preferences.language, "time_zone": preferences.time_zone}
    await unit.execute(QUERIES["set_preferences"], {**row, "id": user_id, "now": now})


async def end_tour(unit: Unit, user_id: str, now: datetime) -> None:
    """The person needs no tour any more."""
    await unit.execute(QUERIES["end_tour"], {"id": user_id, "now": now})


async def set_password(unit: Unit, user_id: str, password_hash: str, now: datetime) -> None:
    """A person's new password hash."""
    await unit.execute(QUERIES["set_password"], {"id": user_id, "password_hash": password_hash, "now": now})


async def refresh_password_hash(unit: Unit, user_id: str, *, stale: str, fresh: str) -> None:
    """The same password hashed at today's cost, unless it was changed meanwhile."""
    await unit.execute(QUERIES["refresh_password_hash"], {"id": user_id, "stale": stale, "fresh": fresh})


async def find_credentials(unit: Unit, email: str) -> Credentials | None:
    """The stored hash of an active person, if they have one."""
    return await unit.one(QUERIES["password_hash_of"], {"email": email}, into=Credentials)


async def attach_subject(unit: Unit, user_id: str, issuer: str, subject: str) -> bool:
    """Tie a person to their identity at the issuer; False if they have another one already."""
    params = {"id": user_id, "issuer": issuer, "subject": subject}
    return await unit.execute(QUERIES["attach_subject"], params) == 1


async def add_session(unit: Unit, session: Session, token_hash: str) -> None:
    """A browser that has just signed in."""
    row = {
        "id": session.id,
        "user_id": session.user_id,
        "token_hash": token_hash,
        "address": session.address,
        "user_agent": session.user_agent,
        "method": session.method,
        "now": session.created_at,
        "expires_at": session.expires_at,
    }
    await unit.execute(QUERIES["add_session"], row)
    await unit.execute(QUERIES["mark_signed_in"], {"id": session.user_id, "now": session.created_at})


async def find_session_principal(
    reading: ReadTransaction, token_hash: str, *, now: datetime, idle_since: datetime
) -> CredentialUse | None:
    """Who is behind a session that still works."""
    params = {"token_hash": token_hash, "now": now, "idle_since": idle_since}
    return await reading.one(QUERIES["principal_of_session"], params, into=_by_session)


async def touch_session(unit: Unit, session_id: str, now: datetime) -> None:
    """Note that a session is in use."""
    await unit.execute(QUERIES["touch_session"], {"id": session_id, "now": now})


async def list_sessions(unit: Unit, user_id: str, *, now: datetime, idle_since: datetime) -> list[Session]:
    """A person's sessions that still work, the latest used first."""
    params = {"user_id": user_id, "now": now, "idle_since": idle_since}
    return await unit.all(QUERIES["list_sessions"], params, into=_session)


async def end_session(unit: Unit, session_id: str, user_id: str) -> bool:
    """End one session of a person; False if there is no such session."""
    if not could_be_id(session_id):
        return False
    return await unit.execute(QUERIES["end_session"], {"id": session_id, "user_id": user_id}) == 1


async def end_session_by_token(unit: Unit, token_hash: str) -> str | None:
    """End the session that holds a token; returns whose it was."""
    ended = await unit.value(QUERIES["end_session_by_token"], {"token_hash": token_hash})
    return None if ended is None else str(ended)


async def end_sessions(unit: Unit, user_id: str, *, keep: str | None = None) -> int:
    """End a person's sessions, all or all but one."""
    return await unit.execute(QUERIES["end_sessions"], {"user_id": user_id, "keep": keep})


async def add_token(unit: Unit, token: ApiToken, token_hash: str) -> None:
    """A new API token."""
    row = {
        "id": token.id,
        "user_id": token.user_id,
        "name": token.name,
        "prefix": token.prefix,
        "token_hash": token_hash,
        "scopes": sorted(token.scopes),
        "now": token.created_at,
        "expires_at": token.expires_at,
    }
    await unit.execute(QUERIES["add_token"], row)


async def find_token(unit: Unit, token_id: str) -> ApiToken | None:
    """One API token by id."""
    return await unit.one(QUERIES["find_token"], {"id": token_id}, into=_token) if could_be_id(token_id) else None


async def list_tokens(unit: Unit, user_id: str | None) -> list[ApiToken]:
    """API tokens of one person, or of everybody, the newest first."""
    return await unit.all(QUERIES["list_tokens"], {"user_id": user_id}, into=_token)


async def find_token_principal(reading: ReadTransaction, token_hash: str, now: datetime) -> CredentialUse | None:
    """Who is behind an API token that still works."""
    return await reading.one(QUERIES["principal_of_token"], {"token_hash": token_hash, "now": now}, into=_by_token)


async def touch_token(unit: Unit, token_id: str, now: datetime) -> None:
    """Note that an API token is in use."""
    await unit.execute(QUERIES["touch_token"], {"id": token_id, "now": now})


async def revoke_token(unit: Unit, token_id: str, now: datetime) -> bool:
    """End one API token for good; False if it was revoked before."""
    return await unit.execute(QUERIES["revoke_token"], {"id": token_id, "now": now}) == 1


async def revoke_tokens(unit: Unit, user_id: str, now: datetime) -> int:
    """End all API tokens of a person for good."""
    return await unit.execute(QUERIES["revoke_tokens"], {"user_id": user_id, "now": now})


async def add_link(unit: Unit, link: StoredLink, *, token_hash: str, now: datetime) -> None:
    """A new one-time link."""
    row = {"id": link.id, "user_id": link.user_id, "purpose": link.purpose, "expires_at": link.expires_at}
    await unit.execute(QUERIES["add_link"], {**row, "email": link.email, "token_hash": token_hash, "now": now})


async def find_open_link(unit: Unit, token_hash: str, now: datetime) -> StoredLink | None:
    """A link that would still work for an active person."""
    return await unit.one(QUERIES["find_open_link"], {"token_hash": token_hash, "now": now}, into=_link)


async def use_link(unit: Unit, token_hash: str, now: datetime) -> bool:
    """Use a link up. Of any number of attempts at once, one gets True."""
    return await unit.execute(QUERIES["use_link"], {"token_hash": token_hash, "now": now}) == 1


async def void_links(unit: Unit, user_id: str, now: datetime, purpose: LinkPurpose | None = None) -> None:
    """Make a person's unused links useless: those for one purpose, or all."""
    await unit.execute(QUERIES["void_links"], {"user_id": user_id, "now": now, "purpose": purpose})


async def lock_attempts(unit: Unit, key: str, now: datetime) -> AttemptCount:
    """The tally of a key, kept from changing until the transaction ends."""
    await unit.execute(QUERIES["open_tally"], {"key": key, "now": now})
    tally = await unit.one(QUERIES["lock_tally"], {"key": key}, into=AttemptCount)
    return tally or AttemptCount(key, 0, now, None)


async def save_attempts(unit: Unit, tally: AttemptCount) -> None:
    """The tally after one more attempt, or one fewer."""
    row = {"key": tally.key, "failures": tally.failures, "last_attempt_at": tally.last_attempt_at}
    await unit.execute(QUERIES["save_tally"], {**row, "blocked_until": tally.blocked_until})


async def clear_attempts(unit: Unit, key: str) -> None:
    """Forget the failures of a key."""
    await unit.execute(QUERIES["clear_tally"], {"key": key})


async def add_flow(unit: Unit, flow: SignOnFlow, state_hash: str) -> None:
    """A sign-on that begins."""
    row = {"nonce": flow.nonce, "verifier": flow.verifier, "return_to": flow.return_to, "expires_at": flow.expires_at}
    await unit.execute(QUERIES["add_flow"], {**row, "state_hash": state_hash})


async def take_flow(unit: Unit, state_hash: str) -> SignOnFlow | None:
    """Take a sign-on out. Of any number of answers at once, one gets it."""
    return await unit.one(QUERIES["take_flow"], {"state_hash": state_hash}, into=SignOnFlow)


async def delete_expired(unit: Unit, *, now: datetime, idle_since: datetime, long_ago: datetime) -> int:
    """Remove what is over: sessions, links, tallies, unfinished sign-ons."""
    removed = await unit.execute(QUERIES["sweep_sessions"], {"now": now, "idle_since": idle_since})
    removed += await unit.execute(QUERIES["sweep_links"], {"before": long_ago})
    removed += await unit.execute(QUERIES["sweep_tallies"], {"before": long_ago, "now": now})
    return removed + await unit.execute(QUERIES["sweep_flows"], {"now": now})


def could_be_id(text: str) -> bool:
    """Ids come from addresses and bodies; PostgreSQL refuses to look for text that it couldn't hold."""
    return text.isascii() and text.isprintable()


def _user(**row: Any) -> User:
    return User(**_person(**row))


def _person(
    *,
    role: str,
    theme: Theme,
    language: str,
    time_zone: str | None,
    toured: bool,
    own_rights: list[str],
    team_rights: list[str],
    **row: Any,
) -> dict[str, Any]:
    """What users and principals have in common, as the fields of both, and the rest of the row."""
    preferences = Preferences(theme=theme, language=language, time_zone=time_zone, toured=toured)
    return {"role": Role(role), "preferences": preferences, "rights": _rights(own_rights, team_rights), **row}


def _token(*, scopes: list[str], **row: Any) -> ApiToken:
    return ApiToken(scopes=frozenset(scopes), **row)


def _link(*, purpose: str, **row: Any) -> StoredLink:
    return StoredLink(purpose=LinkPurpose(purpose), **row)


def _session(*, method: str, **row: Any) -> Session:
    return Session(method=SignInMethod(method), **row)


def _by_session(*, session_id: str, last_seen_at: datetime, method: str, two_step: bool, **row: Any) -> CredentialUse:
    principal = _principal(**row, via="session", session_id=session_id, method=SignInMethod(method))
    return CredentialUse(principal, last_seen_at, two_step)


def _by_token(*, token_id: str, scopes: list[str], last_used_at: datetime | None, **row: Any) -> CredentialUse:
    return CredentialUse(_principal(**row, via="token", token_id=token_id, scopes=frozenset(scopes)), last_used_at)


def _principal(**row: Any) -> Principal:
    return Principal(**_person(**row))


def _rights(own: list[str], teams: list[str]) -> DeskRights:
    """Each entry is a desk and its actions, as in `reminders:read,write`."""
    if not own and not teams:
        return NO_DESK_RIGHTS
    desks = frozenset(entry.partition(":")[0] for entry in own)
    return DeskRights(desks, parse_desk_actions(own), parse_desk_actions(teams))


def parse_desk_actions(entries: list[str]) -> frozenset[str]:
    """The permissions of entries such as `reminders:read,write`."""
    split = (entry.partition(":") for entry in entries)
    return frozenset().union(*(permissions_at(desk, filter(None, actions.split(","))) for desk, _, actions in split))
