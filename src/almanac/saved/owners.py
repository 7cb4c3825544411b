"""The owner of a feed, alert or habit as a principal, with the permissions they have now."""

from dataclasses import replace

from almanac.accounts import service as accounts_service
from almanac.accounts.model import AUTOMATION, CONSOLE, Principal
from almanac.accounts.port import Accounts
from almanac.errors import NotFound


async def find_active_owner(accounts: Accounts, owner_id: str) -> Principal | None:
    """The owner as a principal; None if the account is closed or deleted."""
    for without_account in (AUTOMATION, CONSOLE):
        if owner_id == without_account.user_id:
            return replace(without_account, desks=accounts.desks)
    try:
        user = await accounts_service.get_user(accounts, CONSOLE, owner_id)
    except NotFound:
        return None
    return user.as_principal("automation", desks=accounts.desks) if user.active else None
