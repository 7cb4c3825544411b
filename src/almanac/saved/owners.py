"""Whose eyes a feed or an alert sees with: the owner's, with the rights they have at this moment."""

from almanac.accounts import service as accounts_service
from almanac.accounts.model import AUTOMATION, CONSOLE, Principal
from almanac.accounts.port import Accounts
from almanac.errors import NotFound


async def owner_of(accounts: Accounts, owner_id: str) -> Principal | None:
    """The owner as a principal, or None where the account is closed or gone."""
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
