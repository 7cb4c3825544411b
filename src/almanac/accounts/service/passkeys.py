"""Passkeys: add, rename and remove one's own, and check the answer of one."""

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from almanac.accounts import credential_store, store
from almanac.accounts.credential_store import Challenge, ChallengePurpose
from almanac.accounts.fields import clean_name
from almanac.accounts.model import NoticeKind, Principal, SignedIn, SignInClient, User
from almanac.accounts.passkey_site import PasskeySite
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, send_notice
from almanac.accounts.service.challenges import issue_challenge, take_challenge
from almanac.accounts.service.proof import require_fresh_proof
from almanac.accounts.service.sessions import start_session
from almanac.accounts.service.users import require_own_account
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.audit.model import AuditSubject
from almanac.errors import Conflict, NotFound, SignInNeeded
from almanac.kit.ids import new_id
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext
from almanac.relational import DuplicateRow, Unit

if TYPE_CHECKING:
    from almanac.accounts import passkeys
else:
    passkeys = lazy_module("almanac.accounts.passkeys")

CHALLENGE_BYTES, MOST_PASSKEYS = 32, 20
_REFUSED = gettext("This passkey doesn't open an account here; try another, or sign in with your password.")


@dataclass(frozen=True, slots=True)
class PasskeyRequest:
    """What the browser is to ask the authenticator; `ceremony` comes back with the answer."""

    ceremony: str = field(repr=False)
    options: dict[str, object]


@dataclass(frozen=True, slots=True)
class PasskeyAnswer:
    """What the browser got from the authenticator, on which site, in answer to which ceremony."""

    site: PasskeySite
    ceremony: str = field(repr=False)
    credential: str = field(repr=False)


async def begin_passkey(accounts: Accounts, by: Principal, site: PasskeySite) -> PasskeyRequest:
    """Start adding a passkey to one's own account."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.find_user(unit, by.user_id))
        existing = await credential_store.list_credential_ids(unit, user.id)
        if len(existing) >= MOST_PASSKEYS:
            raise Conflict(
                gettext(
                    "You have %(limit)s passkeys, which is the limit; remove one first.",
                    limit=MOST_PASSKEYS,
                )
            )
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        asked = Challenge(user.id, challenge)
        ceremony = await issue_challenge(accounts, unit, ChallengePurpose.NEW_PASSKEY, asked)
    options = passkeys.registration_options(
        site, challenge, user_id=user.id, email=user.email, name=user.name, existing=existing
    )
    return PasskeyRequest(ceremony, options)


async def add_passkey(accounts: Accounts, by: Principal, answer: PasskeyAnswer, *, name: str) -> None:
    """Finish adding a passkey."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    name = clean_name(name)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        challenge = await take_challenge(accounts, unit, answer.ceremony, ChallengePurpose.NEW_PASSKEY, user.id)
        made = passkeys.verify_registration(answer.site, challenge.secret, answer.credential)
        passkey_id = new_id()
        try:
            await credential_store.add_passkey(
                unit,
                passkey_id=passkey_id,
                user_id=user.id,
                credential_id=made.credential_id,
                public_key=made.public_key,
                sign_count=made.sign_count,
                name=name,
                now=accounts.clock.now(),
            )
        except DuplicateRow as error:
            raise Conflict(gettext("This passkey is registered already.")) from error
        await record_user_action(accounts, unit, by.actor, "passkey.added", AuditSubject("passkey", passkey_id))
        await send_notice(accounts, unit, user, NoticeKind.PASSKEY_ADDED)


async def rename_passkey(accounts: Accounts, by: Principal, passkey_id: str, name: str) -> None:
    """Give one of one's own passkeys another name."""
    by.require("account.own")
    name = clean_name(name)
    async with accounts.database.unit() as unit:
        if not await credential_store.rename_passkey(unit, passkey_id, by.user_id, name):
            raise NotFound(gettext("There is no passkey with this id."))
        await record_user_action(accounts, unit, by.actor, "passkey.renamed", AuditSubject("passkey", passkey_id))


async def remove_passkey(accounts: Accounts, by: Principal, passkey_id: str) -> None:
    """Remove one of one's own passkeys, unless it is the only second factor."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    async with accounts.database.unit() as unit:
        require_own_account(await store.lock_user(unit, by.user_id))
        factor = await credential_store.find_second_factor(unit, by.user_id)
        if not await credential_store.remove_passkey(unit, passkey_id, by.user_id):
            raise NotFound(gettext("There is no passkey with this id; it may have been removed already."))
        if factor and factor.totp_sealed is None and not await credential_store.list_passkeys(unit, by.user_id):
            raise Conflict(
                gettext(
                    "This is your only passkey and two-step sign-in needs it; add another or an app first, or turn "
                    "two-step sign-in off."
                )
            )
        await record_user_action(accounts, unit, by.actor, "passkey.removed", AuditSubject("passkey", passkey_id))


async def begin_passkey_sign_in(accounts: Accounts, site: PasskeySite) -> PasskeyRequest:
    """Ask for any passkey of this site; the person chooses theirs."""
    return await _ask(accounts, site, user_id=None)


async def sign_in_with_passkey(accounts: Accounts, answer: PasskeyAnswer, visit: SignInClient) -> SignedIn:
    """Start a session for whoever the passkey belongs to. It proves possession and the person, so it is enough."""
    claimed = passkeys.read_assertion(answer.credential).user_handle
    async with accounts.database.unit() as unit:
        user = await store.lock_user(unit, claimed or "")
        if user is None or not user.active:
            raise SignInNeeded(_REFUSED)
        await check_passkey(accounts, unit, user, answer, asked_of=None)
        return await start_session(accounts, unit, user, visit, method=SignInMethod.PASSKEY)


async def ask_for_passkey(accounts: Accounts, site: PasskeySite, user: User) -> PasskeyRequest:
    """Ask for one of a person's passkeys, as a second step or to confirm that it is they."""
    return await _ask(accounts, site, user_id=user.id)


async def check_passkey(
    accounts: Accounts, unit: Unit, user: User, answer: PasskeyAnswer, *, asked_of: str | None
) -> None:
    """SignInNeeded unless the answer is by one of the person's passkeys, for what was asked. The person is locked."""
    assertion = passkeys.read_assertion(answer.credential)
    challenge = await take_challenge(accounts, unit, answer.ceremony, ChallengePurpose.PASSKEY, asked_of)
    stored = await credential_store.lock_passkey(unit, assertion.credential_id)
    if stored is None or stored.user_id != user.id or assertion.user_handle not in (None, user.id):
        raise SignInNeeded(_REFUSED)
    count = passkeys.verify_assertion(
        answer.site, challenge.secret, assertion, public_key=stored.public_key, sign_count=stored.sign_count
    )
    await credential_store.use_passkey(unit, stored.id, count, accounts.clock.now())


async def _ask(accounts: Accounts, site: PasskeySite, user_id: str | None) -> PasskeyRequest:
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    async with accounts.database.unit() as unit:
        allowed = await credential_store.list_credential_ids(unit, user_id) if user_id else []
        asked = Challenge(user_id, challenge)
        ceremony = await issue_challenge(accounts, unit, ChallengePurpose.PASSKEY, asked)
    return PasskeyRequest(ceremony, passkeys.request_options(site, challenge, allowed=allowed))
