"""Single-user mode: whoever is at this machine is the one administrator, without signing in."""

from almanac.accounts import store
from almanac.accounts.model import SignedIn, SignInClient
from almanac.accounts.port import Accounts
from almanac.accounts.service.links import add_first_admin
from almanac.accounts.service.sessions import start_session
from almanac.accounts.service.users import require_user
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.errors import NotAllowed


async def sign_in_locally(accounts: Accounts, visit: SignInClient) -> SignedIn:
    """Start a session for the administrator, who is created if there is none; the oldest if there are several.

    The caller has made sure that the request comes from this machine.
    """
    if not accounts.single_user:
        raise NotAllowed("Single-user mode is off here; sign in.")
    async with accounts.database.unit() as unit:
        admins = await store.lock_roles(unit)
        user = await store.lock_user(unit, admins[0]) if admins else None
        user = user or await add_first_admin(accounts, unit)
        return await start_session(accounts, unit, require_user(user), visit, method=SignInMethod.LOCAL)
