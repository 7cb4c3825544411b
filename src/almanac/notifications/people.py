"""The people who can be notified: those with an active account, with the rights they have now."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from almanac.accounts import service as accounts_service
from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.port import Accounts
from almanac.accounts.service import UserFilter
from almanac.errors import NotFound

_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class People:
    """Finds people; `zone` is the time zone of those who chose none."""

    accounts: Accounts
    zone: str

    async def find(self, user_id: str) -> Principal | None:
        """One person; None if the account is closed or deleted."""
        try:
            user = await accounts_service.get_user(self.accounts, CONSOLE, user_id)
        except NotFound:
            return None
        return user.as_principal("session", desks=self.accounts.desks) if user.active else None

    async def list_active(self) -> AsyncIterator[Principal]:
        """Everybody with an active account."""
        cursor: str | None = None
        while True:
            page = await accounts_service.list_users(
                self.accounts, CONSOLE, UserFilter(active=True), cursor=cursor, limit=_AT_ONCE
            )
            for user in page.items:
                yield user.as_principal("session", desks=self.accounts.desks)
            cursor = page.next_cursor
            if cursor is None:
                return

    def zone_of(self, principal: Principal) -> str:
        return principal.preferences.time_zone or self.zone
