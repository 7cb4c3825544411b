"""The owner of a feed, alert or habit as a principal, with the permissions they have now."""

from almanac.accounts import service as accounts_service
from almanac.accounts.model import AUTOMATION, CONSOLE, Principal
from almanac.accounts.port import Accounts
from almanac.errors import NotFound


async def find_active_owner(accounts: Accounts, owner_id: str) -> Principal | None:
    """The owner as a principal; None if the account is closed or deleted."""
    if owner_id == AUTOMATION.user_id:
        return AUTOMATION
    try:
        user = await accounts_service.get_user(accounts, CONSOLE, owner_id)
    except NotFound:
        return None
    if not user.active:
        return None
    return Principal(
        user_id=user.id,
        name=user.name,
        email=user.email,
        role=user.role,
        via="automation",
        preferences=user.preferences,
    )
