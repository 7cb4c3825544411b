"""Undoing the last removal from an outline: the outline as it was is kept beside the newsletter until then."""

from dataclasses import dataclass, replace

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import Outline
from almanac.desks.newsletter.objects import outline_before_key
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.outlines import OutlineChange, change_outline
from almanac.errors import Conflict, NotFound
from almanac.services import Services

_GONE = "The outline was changed since; there is nothing to undo any more."


@dataclass(frozen=True, slots=True)
class _Before:
    """An outline, and the version that took its place."""

    followed_by: int
    outline: Outline


async def remove_from_outline(
    services: Services, principal: Principal, code: str, change: OutlineChange, *, expected: int
) -> FullNewsletter:
    """Change the outline in a way that can be undone."""
    before = (await open_newsletter(services, principal, code)).outline.outline
    changed = await change_outline(services, principal, code, change, expected=expected)
    kept = msgspec.json.encode(_Before(changed.outline.version, before))
    await services.objects.put(outline_before_key(code), kept, content_type="application/json")
    return changed


async def undo_removal(services: Services, principal: Principal, code: str) -> FullNewsletter:
    """The outline as it was before the last removal, unless somebody changed it since."""
    full = await open_newsletter(services, principal, code, consistent=True)
    try:
        before = msgspec.json.decode(await services.objects.get(outline_before_key(code)), type=_Before)
    except NotFound as error:
        raise Conflict(_GONE) from error
    version = full.outline.version
    if before.followed_by != version:
        raise Conflict(_GONE)
    await store.save_outline(services.tables, code, before.outline, expected=version)
    return replace(full, outline=replace(full.outline, outline=before.outline, version=version + 1))
