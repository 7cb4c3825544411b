"""Who is behind a credential, looked up in PostgreSQL at each request, so that every change counts at once."""

from dataclasses import replace
from datetime import timedelta

from almanac.accounts import store
from almanac.accounts.model import AUTOMATION, Principal
from almanac.accounts.port import Accounts
from almanac.accounts.sign_in_methods import SignInMethod, needs_enrolment
from almanac.kit.ids import same_secret, token_hash

# Writing at each request would turn every read of the product into a write.
NOTED_EVERY = timedelta(minutes=1)


class StoredPrincipals:
    """The Principals port on the accounts tables, and the fixed token for automation."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def for_session(self, token: str) -> Principal | None:
        """Who is signed in with this session; being asked for keeps it from going idle."""
        if not token.isascii():
            return None
        now = self._accounts.clock.now()
        idle_since = now - self._accounts.session_idle
        async with self._accounts.database.reading() as reading:
            seen = await store.find_session_principal(reading, token_hash(token), now=now, idle_since=idle_since)
        if seen and seen.principal.session_id and seen.noted_before(now - NOTED_EVERY):
            async with self._accounts.database.unit() as unit:
                await store.touch_session(unit, seen.principal.session_id, now)
        return self._limited(seen) if seen and self._still_counts(seen.principal) else None

    def _still_counts(self, principal: Principal) -> bool:
        """A session of single-user mode is over as soon as the mode is."""
        return principal.method is not SignInMethod.LOCAL or self._accounts.single_user

    def _limited(self, seen: store.CredentialUse) -> Principal:
        """The person, marked if they must set up a second factor before anything else."""
        principal = self._at_desks(seen.principal)
        required = self._accounts.second_factor_roles
        if needs_enrolment(principal.role, principal.method, two_step=seen.two_step, required=required):
            return replace(principal, must_enrol=True)
        return principal

    async def for_token(self, token: str) -> Principal | None:
        """Whose API token this is."""
        if not token.isascii():
            return None
        if self._accounts.admin_token and same_secret(token, self._accounts.admin_token):
            return self._at_desks(AUTOMATION)
        now = self._accounts.clock.now()
        async with self._accounts.database.reading() as reading:
            seen = await store.find_token_principal(reading, token_hash(token), now)
        if seen and seen.principal.token_id and seen.noted_before(now - NOTED_EVERY):
            async with self._accounts.database.unit() as unit:
                await store.touch_token(unit, seen.principal.token_id, now)
        return self._at_desks(seen.principal) if seen else None

    def _at_desks(self, principal: Principal) -> Principal:
        """The principal as far as the desks that are switched on go."""
        return replace(principal, desks=self._accounts.desks)
