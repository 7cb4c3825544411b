"""Proof of identity: whether a sign-in is fresh enough for what matters, and confirming it again."""

from dataclasses import dataclass

from almanac.accounts import credential_store, store
from almanac.accounts.model import Principal, ProofNeeded
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, user_subject
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.errors import NotAllowed
from almanac.kit.messages import gettext
from almanac.relational import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofWays:
    """How a person can confirm that it is they."""

    password: bool
    passkey: bool
    code: bool
    sign_on: bool

    @property
    def any(self) -> bool:
        return self.password or self.passkey or self.code or self.sign_on


async def list_proof_ways(accounts: Accounts, by: Principal) -> ProofWays:
    """What the person has to prove themselves with; nothing for somebody who only ever followed a link."""
    async with accounts.database.unit() as unit:
        user = await store.find_user(unit, by.user_id)
        factor = await credential_store.find_second_factor(unit, by.user_id)
        return ProofWays(
            password=user is not None and user.has_password,
            passkey=bool(await credential_store.list_credential_ids(unit, by.user_id)),
            code=factor is not None and factor.totp_sealed is not None,
            sign_on=accounts.oidc is not None and await credential_store.has_identity(unit, by.user_id),
        )


async def require_fresh_proof(accounts: Accounts, by: Principal) -> None:
    """ProofNeeded if a session's sign-in is too old for what is asked. Only the person themselves can do it, so an API
    token never can.

    Somebody who has nothing to prove themselves with, such as the first administrator with a link, isn't asked.
    """
    if by.via != "session":
        raise NotAllowed(gettext("Only the person who is signed in can do this; an API token can't."))
    if not is_fresh(accounts, by) and (await list_proof_ways(accounts, by)).any:
        raise ProofNeeded


def is_fresh(accounts: Accounts, by: Principal) -> bool:
    """Whether the person has proven lately who they are. In single-user mode being at the machine is the proof."""
    if by.method is SignInMethod.LOCAL:
        return True
    return by.proven_at is not None and accounts.clock.now() - by.proven_at <= accounts.proof_life


async def confirm_proof(accounts: Accounts, unit: Unit, by: Principal, *, method: str) -> None:
    """Note in the caller's transaction that the person has confirmed who they are."""
    await credential_store.prove_session(unit, by.session_id or "", accounts.clock.now())
    await record_user_action(accounts, unit, by.actor, "session.proven", user_subject(by.user_id), by=method)
