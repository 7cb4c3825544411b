"""Changing one's own e-mail address: asked for while signed in, confirmed from the new address where mail leaves."""

from almanac.accounts import store
from almanac.accounts.fields import clean_email
from almanac.accounts.model import IssuedLink, Principal, User
from almanac.accounts.port import Accounts
from almanac.accounts.service.links import consume_email_link, issue_email_link
from almanac.accounts.service.proof import require_fresh_proof
from almanac.accounts.service.users import require_free_email, require_own_account, require_user, save_email
from almanac.audit.model import Actor
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext


async def change_own_email(accounts: Accounts, by: Principal, email: str) -> IssuedLink | None:
    """Ask for another address. Returns the link on its way there, or None if the address holds at once."""
    by.require("account.own")
    await require_fresh_proof(accounts, by)
    email = clean_email(email)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        if email == user.email:
            raise FieldErrors({"email": gettext("This is your address already.")})
        await require_free_email(unit, email)
        if accounts.confirms_addresses:
            return await issue_email_link(accounts, unit, by.actor, user, email)
        await save_email(accounts, unit, by.actor, user, email)
    return None


async def confirm_email(accounts: Accounts, token: str) -> User:
    """Follow the link that was sent to the new address: from now on it is the person's."""
    async with accounts.database.unit() as unit:
        user, email = await consume_email_link(accounts, unit, token)
        await save_email(accounts, unit, Actor(user.id, "link"), user, email)
        return require_user(await store.find_user(unit, user.id))
