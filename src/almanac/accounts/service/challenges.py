"""What a browser must answer within minutes: made here, tied to a purpose and a person, answered once."""

from datetime import timedelta

from almanac.accounts import credential_store as store
from almanac.accounts.credential_store import Challenge, ChallengePurpose
from almanac.accounts.port import Accounts
from almanac.errors import SignInNeeded
from almanac.kit.ids import secret_token, token_hash
from almanac.kit.messages import gettext
from almanac.relational import Unit

CHALLENGE_LIFE = timedelta(minutes=10)


async def issue_challenge(accounts: Accounts, unit: Unit, purpose: ChallengePurpose, challenge: Challenge) -> str:
    """Store what is asked; returns the token that must come back with the answer."""
    token = secret_token()
    expires_at = accounts.clock.now() + CHALLENGE_LIFE
    await store.add_challenge(unit, token_hash(token), purpose, challenge, expires_at)
    return token


async def take_challenge(
    accounts: Accounts, unit: Unit, token: str, purpose: ChallengePurpose, user_id: str | None
) -> Challenge:
    """Take out what this person was asked; SignInNeeded if it is over, or was asked of somebody else."""
    challenge = None
    if token.isascii():
        challenge = await store.take_challenge(unit, token_hash(token), purpose, accounts.clock.now())
    if challenge is None or challenge.user_id != user_id:
        raise SignInNeeded(gettext("This took too long or was started elsewhere; start again."))
    return challenge
