"""Two-step sign-in: turned on with an authenticator app or passkeys, the second step itself, recovery, turned off."""

from almanac.accounts import credential_store, store
from almanac.accounts.credential_store import Challenge, ChallengePurpose
from almanac.accounts.model import NoticeKind, PendingSignIn, Principal, SignedIn, SignInClient, User
from almanac.accounts.port import Accounts
from almanac.accounts.second_factors import (
    NewApp,
    SecondFactorStatus,
    SecondSteps,
    SecretBox,
    enrolment_uri,
    is_totp_code,
    matching_step,
    new_recovery_codes,
    new_totp_secret,
    recovery_code_hash,
    spell_secret,
)
from almanac.accounts.service.audit_trail import record_user_action, send_notice, user_subject
from almanac.accounts.service.challenges import issue_challenge, take_challenge
from almanac.accounts.service.passkeys import PasskeyAnswer, check_passkey
from almanac.accounts.service.proof import confirm_proof, require_fresh_proof
from almanac.accounts.service.rate_limits import count_second_step, reset_second_step_attempts
from almanac.accounts.service.sessions import start_session
from almanac.accounts.service.users import require_own_account, require_user, require_visible_user
from almanac.accounts.sign_in_methods import WHOLE_METHODS, SignInMethod
from almanac.audit.model import Actor
from almanac.errors import Conflict, FieldErrors, SignInNeeded
from almanac.kit.ids import token_hash
from almanac.kit.messages import gettext
from almanac.relational import Unit

ISSUER = "Almanac"
_WRONG_CODE = gettext("This code isn't right or was used already; wait for the next one, or use a recovery code.")


async def admit(
    accounts: Accounts, unit: Unit, user: User, visit: SignInClient, method: SignInMethod
) -> SignedIn | PendingSignIn:
    """Start a session, or ask for the second step of a person who has turned it on."""
    if method in WHOLE_METHODS or await credential_store.find_second_factor(unit, user.id) is None:
        return await start_session(accounts, unit, user, visit, method=method)
    challenge = Challenge(user.id, b"", method.value)
    return PendingSignIn(
        token=await issue_challenge(accounts, unit, ChallengePurpose.SECOND_STEP, challenge), user=user
    )


async def find_pending_user(accounts: Accounts, pending: str) -> User:
    """Who has done the first step; SignInNeeded if that was too long ago."""
    async with accounts.database.unit() as unit:
        return (await _pending(accounts, unit, pending))[0]


async def list_second_steps(accounts: Accounts, user: User) -> SecondSteps:
    """What somebody who has done the first step can do the second with."""
    async with accounts.database.unit() as unit:
        factor = await credential_store.find_second_factor(unit, user.id)
        passkeys = await credential_store.list_credential_ids(unit, user.id)
    return SecondSteps(code=factor is not None and factor.totp_sealed is not None, passkey=bool(passkeys))


async def finish_with_code(accounts: Accounts, pending: str, code: str, visit: SignInClient) -> SignedIn:
    """Sign in with the code of an app, or with a recovery code."""
    user = await find_pending_user(accounts, pending)
    await count_second_step(accounts, user.id, visit.address)
    async with accounts.database.unit() as unit:
        user, challenge = await _pending(accounts, unit, pending)
        step = await _check_code(accounts, unit, user, code)
        await reset_second_step_attempts(accounts, unit, user.id, visit.address)
        return await _finish(accounts, unit, pending, user, challenge, visit, step)


async def finish_with_passkey(accounts: Accounts, pending: str, answer: PasskeyAnswer, visit: SignInClient) -> SignedIn:
    """Sign in with one of the person's passkeys as the second step."""
    async with accounts.database.unit() as unit:
        user, challenge = await _pending(accounts, unit, pending)
        await check_passkey(accounts, unit, user, answer, asked_of=user.id)
        return await _finish(accounts, unit, pending, user, challenge, visit, "passkey")


async def prove_with_code(accounts: Accounts, by: Principal, code: str, *, address: str) -> None:
    """Confirm that it is oneself with the code of an app."""
    await count_second_step(accounts, by.user_id, address)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        step = await _check_code(accounts, unit, user, code)
        await reset_second_step_attempts(accounts, unit, user.id, address)
        await confirm_proof(accounts, unit, by, method=step)


async def prove_with_passkey(accounts: Accounts, by: Principal, answer: PasskeyAnswer) -> None:
    """Confirm that it is oneself with a passkey."""
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        await check_passkey(accounts, unit, user, answer, asked_of=user.id)
        await confirm_proof(accounts, unit, by, method="passkey")


async def get_second_factor(accounts: Accounts, by: Principal, user_id: str) -> SecondFactorStatus:
    """What a person has set up: oneself, or anybody for those who manage people."""
    async with accounts.database.unit() as unit:
        user = require_visible_user(by, await store.find_user(unit, user_id))
        factor = await credential_store.find_second_factor(unit, user.id)
        return SecondFactorStatus(
            since=factor.since if factor else None,
            has_app=factor is not None and factor.totp_sealed is not None,
            passkeys=await credential_store.list_passkeys(unit, user.id),
            codes_left=await credential_store.count_recovery_codes(unit, user.id),
            required=user.role in accounts.second_factor_roles,
        )


async def begin_app(accounts: Accounts, by: Principal) -> NewApp:
    """Start adding an authenticator app; nothing changes until its first code is given."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    secret = new_totp_secret()
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.find_user(unit, by.user_id))
        challenge = Challenge(user.id, _box(accounts).seal(secret, user.id))
        ceremony = await issue_challenge(accounts, unit, ChallengePurpose.NEW_APP, challenge)
    return _new_app(ceremony, secret, user)


async def show_app_again(accounts: Accounts, by: Principal, ceremony: str) -> NewApp:
    """The same app once more, after a code that wasn't right."""
    now = accounts.clock.now()
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.find_user(unit, by.user_id))
        hashed = token_hash(ceremony) if ceremony.isascii() else ""
        challenge = await credential_store.find_challenge(unit, hashed, ChallengePurpose.NEW_APP, now)
    secret = _box(accounts).open(challenge.secret, user.id) if challenge and challenge.user_id == user.id else None
    if secret is None:
        raise SignInNeeded(gettext("This took too long; start again."))
    return _new_app(ceremony, secret, user)


async def confirm_app(accounts: Accounts, by: Principal, *, ceremony: str, code: str, address: str) -> list[str]:
    """Turn two-step sign-in on with an app that gives the right code. Returns recovery codes unless there are some."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    await count_second_step(accounts, by.user_id, address)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        challenge = await take_challenge(accounts, unit, ceremony, ChallengePurpose.NEW_APP, user.id)
        secret = _box(accounts).open(challenge.secret, user.id)
        step = matching_step(secret, code, accounts.clock.now(), after=0) if secret else None
        if secret is None or step is None:
            raise FieldErrors(
                {"code": gettext("This isn't the code that the app shows now; check the time on your phone.")}
            )
        await reset_second_step_attempts(accounts, unit, user.id, address)
        return await _turn_on(accounts, unit, by, user, sealed=_box(accounts).seal(secret, user.id), step=step)


async def turn_on_with_passkeys(accounts: Accounts, by: Principal) -> list[str]:
    """Ask for a passkey after each password. Returns recovery codes unless there are some."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        if not await credential_store.list_passkeys(unit, user.id):
            raise Conflict(gettext("Add a passkey first."))
        return await _turn_on(accounts, unit, by, user, sealed=None, step=0)


async def renew_recovery_codes(accounts: Accounts, by: Principal) -> list[str]:
    """New recovery codes; the former ones stop working."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        if await credential_store.find_second_factor(unit, user.id) is None:
            raise Conflict("Two-step sign-in is off; turn it on first.")
        await record_user_action(accounts, unit, by.actor, "recovery_codes.renewed", user_subject(user.id))
        return await _new_codes(accounts, unit, user)


async def turn_off_second_factor(accounts: Accounts, by: Principal) -> None:
    """Sign in in one step again. Passkeys stay and keep signing in by themselves."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        if user.role in accounts.second_factor_roles:
            raise Conflict(
                gettext(
                    "The role %(role)s needs two-step sign-in here; you can replace the app, not turn it off.",
                    role=user.role,
                )
            )
        if await credential_store.end_second_factor(unit, user.id):
            await record_user_action(accounts, unit, by.actor, "second_factor.turned_off", user_subject(user.id))
            await send_notice(accounts, unit, user, NoticeKind.SECOND_FACTOR_OFF)


async def reset_second_factor(accounts: Accounts, by: Principal, user_id: str, *, why: str = "") -> User:
    """For somebody who lost theirs: app, recovery codes and passkeys go, sessions end, and the person is told."""
    by.require("users.manage")
    if by.via == "session":
        await require_fresh_proof(accounts, by)
    async with accounts.database.unit() as unit:
        user = require_user(await store.lock_user(unit, user_id))
        if by.owns(user.id):
            raise Conflict(gettext("This is your own account; use your account page, or the command line."))
        await credential_store.end_second_factor(unit, user.id)
        removed = await credential_store.remove_passkeys(unit, user.id)
        ended = await store.end_sessions(unit, user.id)
        await record_user_action(
            accounts,
            unit,
            by.actor,
            "second_factor.reset",
            user_subject(user.id),
            why,
            passkeys_removed=removed,
            sessions_ended=ended,
        )
        await send_notice(accounts, unit, user, NoticeKind.SECOND_FACTOR_RESET)
    return user


async def _pending(accounts: Accounts, unit: Unit, token: str) -> tuple[User, Challenge]:
    """Who has done the first step, locked, and how."""
    hashed = token_hash(token) if token.isascii() else ""
    purpose, now = ChallengePurpose.SECOND_STEP, accounts.clock.now()
    challenge = await credential_store.find_challenge(unit, hashed, purpose, now)
    user = await store.lock_user(unit, challenge.user_id or "") if challenge else None
    if challenge is None or user is None or not user.active:
        raise SignInNeeded(gettext("This took too long; sign in again."))
    return user, challenge


async def _finish(
    accounts: Accounts, unit: Unit, pending: str, user: User, challenge: Challenge, visit: SignInClient, step: str
) -> SignedIn:
    await take_challenge(accounts, unit, pending, ChallengePurpose.SECOND_STEP, user.id)
    return await start_session(accounts, unit, user, visit, method=SignInMethod(challenge.method), step=step)


async def _check_code(accounts: Accounts, unit: Unit, user: User, code: str) -> str:
    """Which kind of code it was; FieldErrors if it is wrong or was used before."""
    now = accounts.clock.now()
    factor = await credential_store.lock_second_factor(unit, user.id)
    if factor and factor.totp_sealed and is_totp_code(code):
        secret = _box(accounts).open(factor.totp_sealed, user.id)
        step = matching_step(secret, code, now, after=factor.totp_step) if secret else None
        if step is not None:
            await credential_store.save_totp_step(unit, user.id, step)
            return "app"
    elif factor and await credential_store.use_recovery_code(
        unit, user.id, recovery_code_hash(code, accounts.second_factor_key), now
    ):
        await record_user_action(accounts, unit, Actor(user.id, "session"), "recovery_code.used", user_subject(user.id))
        return "recovery_code"
    raise FieldErrors({"code": _WRONG_CODE})


async def _turn_on(
    accounts: Accounts, unit: Unit, by: Principal, user: User, *, sealed: bytes | None, step: int
) -> list[str]:
    """Other sessions end: they were made without the second step."""
    was_on = await credential_store.lock_second_factor(unit, user.id) is not None
    now = accounts.clock.now()
    await credential_store.start_second_factor(unit, user.id, sealed=sealed, step=step, now=now)
    ended = 0 if was_on else await store.end_sessions(unit, user.id, keep=by.session_id)
    await record_user_action(
        accounts,
        unit,
        by.actor,
        "second_factor.turned_on",
        user_subject(user.id),
        by="app" if sealed else "passkeys",
        sessions_ended=ended,
    )
    await send_notice(accounts, unit, user, NoticeKind.SECOND_FACTOR_ON)
    return [] if was_on else await _new_codes(accounts, unit, user)


async def _new_codes(accounts: Accounts, unit: Unit, user: User) -> list[str]:
    codes = new_recovery_codes()
    hashes = [recovery_code_hash(code, accounts.second_factor_key) for code in codes]
    await credential_store.replace_recovery_codes(unit, user.id, hashes)
    return codes


def _new_app(ceremony: str, secret: bytes, user: User) -> NewApp:
    uri = enrolment_uri(secret, account=user.email, issuer=ISSUER)
    return NewApp(ceremony=ceremony, uri=uri, spelled=spell_secret(secret))


def _box(accounts: Accounts) -> SecretBox:
    return SecretBox(accounts.second_factor_key)
