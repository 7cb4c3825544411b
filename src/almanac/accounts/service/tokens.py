"""API tokens: made once with their scopes, shown by their prefix, revoked for good."""

from collections.abc import Iterable
from datetime import datetime

from almanac.accounts import store
from almanac.accounts.fields import clean_name, clean_scopes
from almanac.accounts.model import SHOWN_TOKEN_CHARACTERS, TOKEN_PREFIX, ApiToken, NewToken, Principal, User
from almanac.accounts.permissions import granted_permissions, scope_permissions
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action
from almanac.accounts.service.proof import require_fresh_proof
from almanac.accounts.service.users import require_own_account, require_visible_user
from almanac.audit.model import AuditSubject
from almanac.errors import Conflict, FieldErrors, NotAllowed, NotFound
from almanac.kit.ids import new_id, secret_token, token_hash
from almanac.kit.messages import gettext
from almanac.relational import Unit

ADMIN_SCOPE = "admin"


async def create_token(
    accounts: Accounts,
    by: Principal,
    *,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None = None,
    owner_id: str | None = None,
) -> NewToken:
    """Make a token for oneself, or for `owner_id` where one manages tokens. Its secret is known only now."""
    by.require("tokens.own" if owner_id in (None, by.user_id) else "tokens.manage")
    scopes = frozenset(scopes)
    if by.via == "session" and ADMIN_SCOPE in scopes:
        await require_fresh_proof(accounts, by)
    name, now = clean_name(name), accounts.clock.now()
    if expires_at is not None and expires_at <= now:
        raise FieldErrors({"expires_at": gettext("Choose a future date.")})
    async with accounts.database.unit() as unit:
        owner = await _owner(unit, by, owner_id)
        chosen = clean_scopes(scopes, granted_permissions(owner.role, rights=owner.rights))
        _refuse_wider(by, chosen)
        secret = secret_token(TOKEN_PREFIX)
        token = ApiToken(
            id=new_id(),
            user_id=owner.id,
            name=name,
            prefix=secret[:SHOWN_TOKEN_CHARACTERS],
            scopes=chosen,
            created_at=now,
            expires_at=expires_at,
            last_used_at=None,
            revoked_at=None,
        )
        await store.add_token(unit, token, token_hash(secret))
        await record_user_action(
            accounts, unit, by.actor, "token.created", AuditSubject("token", token.id), scopes=sorted(chosen)
        )
    return NewToken(token=token, secret=secret)


async def list_tokens(accounts: Accounts, by: Principal, *, user_id: str | None = None) -> list[ApiToken]:
    """One's own tokens; a given person's for those who manage tokens."""
    wanted = user_id or by.user_id
    by.require("tokens.own" if by.owns(wanted) else "tokens.manage")
    async with accounts.database.unit() as unit:
        return await store.list_tokens(unit, wanted)


async def list_all_tokens(accounts: Accounts, by: Principal) -> list[ApiToken]:
    """Everybody's tokens, for those who manage them."""
    by.require("tokens.manage")
    async with accounts.database.unit() as unit:
        return await store.list_tokens(unit, None)


async def revoke_token(accounts: Accounts, by: Principal, token_id: str, *, why: str = "") -> None:
    """End a token for good; revoking it twice is no error."""
    async with accounts.database.unit() as unit:
        token = await store.find_token(unit, token_id)
        if token is None or not (by.owns(token.user_id) or by.may("tokens.manage")):
            raise NotFound(gettext("There is no token with this id."))
        by.require("tokens.own" if by.owns(token.user_id) else "tokens.manage")
        if await store.revoke_token(unit, token.id, accounts.clock.now()):
            await record_user_action(accounts, unit, by.actor, "token.revoked", AuditSubject("token", token.id), why)


async def _owner(unit: Unit, by: Principal, owner_id: str | None) -> User:
    """The locked row keeps a deactivation from missing the token that is being made."""
    if owner_id is None or by.owns(owner_id):
        owner = require_own_account(await store.lock_user(unit, by.user_id))
    else:
        owner = require_visible_user(by, await store.lock_user(unit, owner_id))
    if not owner.active:
        raise Conflict(gettext("This person is deactivated; reactivate them first."))
    return owner


def _refuse_wider(by: Principal, chosen: frozenset[str]) -> None:
    """A token can't be used to make a stronger one."""
    if not scope_permissions(chosen) <= scope_permissions(by.scopes):
        raise NotAllowed(gettext("A token can't make a token with more scopes than its own."))
