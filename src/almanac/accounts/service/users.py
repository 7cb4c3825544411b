"""The life of an account: created, edited, deactivated and reactivated; accounts are never deleted."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from almanac.accounts import store
from almanac.accounts.fields import clean_email, clean_name, clean_preferences, clean_role, is_storable
from almanac.accounts.model import NoticeKind, Preferences, Principal, User
from almanac.accounts.passwords import password_problem
from almanac.accounts.permissions import Role, is_promotion
from almanac.accounts.port import Accounts
from almanac.accounts.service.audit_trail import record_user_action, send_notice, user_subject
from almanac.accounts.service.proof import require_fresh_proof
from almanac.accounts.store import UserFilter
from almanac.audit.model import Actor, DetailValue
from almanac.errors import Conflict, FieldErrors, NotAllowed, NotFound, StaleEdit
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page, decode_cursor
from almanac.relational import DuplicateRow, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class UserEdit:
    """What an edit changes about a person; what is left out stays as it is. Preferences are for oneself to change."""

    name: str | None = None
    email: str | None = None
    role: str | None = None
    active: bool | None = None
    preferences: Preferences | None = None


async def create_user(
    accounts: Accounts, by: Principal, *, email: str, name: str, role: str, password: str | None = None
) -> User:
    """Add a person, with a password or with none until they choose one."""
    by.require("users.manage")
    email, name, chosen = clean_email(email), clean_name(name), clean_role(role)
    password_hash = None
    if password is not None:
        check_password_strength(password, email=email, name=name)
        password_hash = await accounts.passwords.hash(password)
    async with accounts.database.unit() as unit:
        return await add_person(
            accounts, unit, by.actor, email=email, name=name, role=chosen, password_hash=password_hash
        )


async def get_user(accounts: Accounts, by: Principal, user_id: str) -> User:
    """One person: oneself, or anybody for those who manage people."""
    async with accounts.database.reading() as reading:
        user = await store.find_user(reading, user_id)
    return require_visible_user(by, user)


async def get_user_by_email(accounts: Accounts, by: Principal, email: str) -> User:
    """One person by address, for those who manage people."""
    by.require("users.manage")
    async with accounts.database.unit() as unit:
        return require_user(await store.find_user_by_email(unit, clean_email(email)))


async def list_users(
    accounts: Accounts, by: Principal, wanted: UserFilter | None = None, *, cursor: str | None = None, limit: int = 50
) -> Page[User]:
    """People by name, for those who manage them."""
    by.require("users.manage")
    wanted = wanted or UserFilter()
    if not is_storable(wanted.text or ""):
        return Page()
    name = f"users {wanted}"
    after = _opened(cursor, name, accounts.cursor_key) if cursor else None
    async with accounts.database.reading() as reading:
        users = await store.list_users(reading, wanted, after=after, limit=limit + 1)
    return build_page(users, limit, lambda user: [user.name, user.id], of=name, key=accounts.cursor_key)


async def edit_user(
    accounts: Accounts, by: Principal, user_id: str, edit: UserEdit, *, expected: int | None = None, why: str = ""
) -> User:
    """Change a person in one step. `expected` is the version the edit was made on; an older one is refused."""
    edit = _cleaned(edit)
    if by.via == "session" and edit.email is not None:
        await require_fresh_proof(accounts, by)
    async with accounts.database.unit() as unit:
        admins = await store.lock_roles(unit)
        user = require_visible_user(by, await store.lock_user(unit, user_id))
        after = _edited(user, edit)
        _refuse_unentitled(by, user, after, admins)
        _refuse_stale(user, expected)
        if admins == [user.id] and not (after.role is Role.ADMIN and after.active):
            raise Conflict(gettext("This is the last active administrator; make somebody else one first."))
        if after == user:
            return user
        await _save(accounts, unit, user, after)
        for action, detail in _changes(user, after):
            await record_user_action(accounts, unit, by.actor, action, user_subject(user.id), why, **detail)
        if after.email != user.email:
            await send_notice(accounts, unit, after, NoticeKind.EMAIL_CHANGED, email=user.email)
        return require_user(await store.find_user(unit, user.id))


async def rename_user(
    accounts: Accounts, by: Principal, user_id: str, name: str, *, expected: int | None = None
) -> User:
    """Change a person's name."""
    return await edit_user(accounts, by, user_id, UserEdit(name=name), expected=expected)


async def change_role(
    accounts: Accounts, by: Principal, user_id: str, role: str, *, expected: int | None = None, why: str = ""
) -> User:
    """Give a person another role. Nobody raises their own, and the last administrator stays one."""
    return await edit_user(accounts, by, user_id, UserEdit(role=role), expected=expected, why=why)


async def deactivate_user(
    accounts: Accounts, by: Principal, user_id: str, *, expected: int | None = None, why: str = ""
) -> User:
    """Close an account: its sessions, tokens and links end at once. What the person did stays on record."""
    return await edit_user(accounts, by, user_id, UserEdit(active=False), expected=expected, why=why)


async def reactivate_user(
    accounts: Accounts, by: Principal, user_id: str, *, expected: int | None = None, why: str = ""
) -> User:
    """Open a closed account again. Former sessions and tokens stay ended."""
    return await edit_user(accounts, by, user_id, UserEdit(active=True), expected=expected, why=why)


async def set_preferences(accounts: Accounts, by: Principal, preferences: Preferences) -> User:
    """Change how one sees things oneself."""
    by.require("account.own")
    preferences = clean_preferences(preferences)
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        await store.set_preferences(unit, user.id, preferences, accounts.clock.now())
        return require_user(await store.find_user(unit, user.id))


async def end_tour(accounts: Accounts, by: Principal) -> None:
    """Show oneself the tour of the first visit no more; it can still be asked for."""
    by.require("account.own")
    async with accounts.database.unit() as unit:
        user = require_own_account(await store.lock_user(unit, by.user_id))
        await store.end_tour(unit, user.id, accounts.clock.now())


async def require_free_email(unit: Unit, email: str) -> None:
    """Refuse an address that somebody has already."""
    if await store.find_user_by_email(unit, email):
        raise _taken()


async def save_email(accounts: Accounts, unit: Unit, actor: Actor, user: User, email: str) -> None:
    """Give a person another address in the caller's transaction, and tell the former one."""
    await _save(accounts, unit, user, replace(user, email=email))
    await record_user_action(accounts, unit, actor, "user.email_changed", user_subject(user.id))
    await send_notice(accounts, unit, user, NoticeKind.EMAIL_CHANGED, email=user.email)


async def add_person(
    accounts: Accounts, unit: Unit, actor: Actor, *, email: str, name: str, role: Role, password_hash: str | None = None
) -> User:
    """Add a person in the caller's transaction; fields are clean by now."""
    if await store.find_user_by_email(unit, email):
        raise _taken()
    user_id, now = new_id(), accounts.clock.now()
    try:
        await store.add_user(
            unit, user_id=user_id, email=email, name=name, role=role, password_hash=password_hash, now=now
        )
    except DuplicateRow as error:
        raise _taken() from error
    await record_user_action(accounts, unit, actor, "user.created", user_subject(user_id), role=role.value)
    return require_user(await store.find_user(unit, user_id))


def check_password_strength(password: str, *, email: str, name: str) -> None:
    """Refuse a new password that is easy to guess, saying why."""
    if problem := password_problem(password, email=email, name=name):
        raise FieldErrors({"password": problem})


def require_user(user: User | None) -> User:
    """The person, who must exist."""
    if user is None:
        raise NotFound(gettext("No matching person was found."))
    return user


def require_own_account(user: User | None) -> User:
    """The account of whoever asks; automation and the command line have none."""
    if user is None:
        raise NotAllowed(gettext("Only people with an account can do this; sign in first."))
    return user


def require_visible_user(by: Principal, user: User | None) -> User:
    """The person, if the principal may know of them."""
    if user is not None and not (by.owns(user.id) or by.may("users.manage")):
        raise NotFound(gettext("No matching person was found."))
    return require_user(user)


def _cleaned(edit: UserEdit) -> UserEdit:
    name = None if edit.name is None else clean_name(edit.name)
    email = None if edit.email is None else clean_email(edit.email)
    role = None if edit.role is None else clean_role(edit.role)
    preferences = None if edit.preferences is None else clean_preferences(edit.preferences)
    return replace(edit, name=name, email=email, role=role, preferences=preferences)


def _edited(user: User, edit: UserEdit) -> User:
    return replace(
        user,
        name=user.name if edit.name is None else edit.name,
        email=user.email if edit.email is None else edit.email,
        role=user.role if edit.role is None else Role(edit.role),
        active=user.active if edit.active is None else edit.active,
        preferences=user.preferences if edit.preferences is None else edit.preferences,
    )


def _refuse_unentitled(by: Principal, user: User, after: User, admins: list[str]) -> None:
    if by.owns(user.id) and is_promotion(user.role, after.role):
        raise NotAllowed(gettext("Nobody can raise their own role; ask another administrator."))
    if after.preferences != user.preferences and not by.owns(user.id):
        raise NotAllowed(gettext("Only the person themselves can change their preferences."))
    if (user.email, user.role, user.active) == (after.email, after.role, after.active) and by.owns(user.id):
        by.require("account.own")
        return
    by.require("users.manage")
    # The role known at the start of the request may be gone by now; the locked list is the truth.
    if by.via in ("session", "token") and by.user_id not in admins:
        raise NotAllowed(gettext("Your role was just changed; reload the page."))


def _refuse_stale(user: User, expected: int | None) -> None:
    if expected is not None and expected != user.version:
        raise StaleEdit(
            gettext("Somebody else changed this person in the meantime; reload the page."), current=str(user.version)
        )


async def _save(accounts: Accounts, unit: Unit, before: User, after: User) -> None:
    now = accounts.clock.now()
    try:
        await store.update_user(unit, after, now)
    except DuplicateRow as error:
        raise _taken() from error
    if after.preferences != before.preferences:
        await store.set_preferences(unit, after.id, after.preferences, now)
    if not after.active:
        await store.end_sessions(unit, after.id)
        await store.revoke_tokens(unit, after.id, now)
    if not after.active or after.email != before.email:
        # Whoever reads the former address must not get in with a link that was sent there.
        await store.void_links(unit, after.id, now)


def _changes(before: User, after: User) -> Iterator[tuple[str, dict[str, DetailValue]]]:
    """What an edit did, as the audit log tells it: that a name or address changed, not from what to what."""
    if before.name != after.name:
        yield "user.renamed", {}
    if before.email != after.email:
        yield "user.email_changed", {}
    if before.role is not after.role:
        yield "user.role_changed", {"old_role": before.role.value, "new_role": after.role.value}
    if before.active != after.active:
        yield ("user.reactivated" if after.active else "user.deactivated"), {}


def _taken() -> FieldErrors:
    return FieldErrors({"email": gettext("There is already an account with this address.")})


def _opened(cursor: str, name: str, key: bytes) -> tuple[str, str]:
    after_name, after_id = decode_cursor(cursor, of=name, key=key)
    return str(after_name), str(after_id)
