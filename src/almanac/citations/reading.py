"""Who cites an item, as far as somebody may know: their own documents, and everybody's for administrators."""

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.citations import store
from almanac.citations.model import Use
from almanac.relational import Database


async def uses_seen_by(database: Database, principal: Principal, desk: str, item: str) -> list[Use]:
    """Each document once, the latest first."""
    owner = None if principal.role is Role.ADMIN else principal.user_id
    async with database.reading() as reading:
        found = await store.uses_of(reading, desk, item, owner_id=owner)
    return list({use.code: use for use in reversed(found)}.values())[::-1]
