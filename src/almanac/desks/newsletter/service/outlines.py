"""Edits of the outline, each based on the version the person saw, and undo for the last removal."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import NewsletterOutline, NewsletterOutlineSection, empty_outline
from almanac.desks.newsletter.model.outline_merge import match_existing, replace_sections
from almanac.desks.newsletter.model.outline_parser import parse_outline
from almanac.desks.newsletter.service.access import check_version, open_newsletter
from almanac.desks.newsletter.store import outlines as outline_store
from almanac.desks.newsletter.store.objects import OutlineBackup, get_outline_backup, save_outline_backup
from almanac.errors import Conflict, FieldErrors
from almanac.kit.messages import gettext
from almanac.services import Services

OutlineChange = Callable[[NewsletterOutline], NewsletterOutline]
_NOTHING_TO_UNDO = gettext("The outline was changed since; there is nothing to undo.")


async def change_outline(
    services: Services, principal: Principal, code: str, change: OutlineChange, *, expected: int
) -> FullNewsletter:
    """Apply an edit of the model. An outline that was never started has the default sections without items."""
    full = await open_newsletter(services, principal, code)
    check_version(expected, full.outline.version)
    before = full.outline.outline
    outline = change(before if before.sections else empty_outline())
    if outline == before:
        return full
    _check_pins(full, outline)
    await outline_store.save_outline(services.tables, code, outline, expected=expected)
    return replace(full, outline=replace(full.outline, outline=outline, version=expected + 1))


async def replace_outline(
    services: Services, principal: Principal, code: str, sections: Sequence[NewsletterOutlineSection], *, expected: int
) -> FullNewsletter:
    """Replace the outline with the one a person sent."""
    return await change_outline(
        services, principal, code, lambda outline: replace_sections(outline, sections), expected=expected
    )


async def paste_outline(
    services: Services, principal: Principal, code: str, text: str, *, expected: int
) -> FullNewsletter:
    """Replace the outline with parsed text; parts that it already has keep their identity. It can be undone."""
    sections = parse_outline(text)
    return await remove_from_outline(
        services,
        principal,
        code,
        lambda outline: replace_sections(outline, match_existing(outline, sections)),
        expected=expected,
    )


def _check_pins(full: FullNewsletter, outline: NewsletterOutline) -> None:
    """Newly pinned sources must be among the retrieved chunks; old pins may outlive a retrieval."""
    citable = {chunk.id for chunk in full.topics.chunks}
    citable |= {source for item in full.outline.outline.items for source in item.sources}
    pinned = (source for item in outline.items for source in item.sources)
    if unknown := next((source for source in pinned if source not in citable), None):
        raise FieldErrors(
            {"sources": gettext("There is no retrieved chunk %(unknown)s; pin one from step 2.", unknown=unknown[:100])}
        )


async def remove_from_outline(
    services: Services, principal: Principal, code: str, change: OutlineChange, *, expected: int
) -> FullNewsletter:
    """Apply an edit that can be undone."""
    before = (await open_newsletter(services, principal, code)).outline.outline
    changed = await change_outline(services, principal, code, change, expected=expected)
    await save_outline_backup(services.objects, code, OutlineBackup(changed.outline.version, before))
    return changed


async def undo_removal(services: Services, principal: Principal, code: str) -> FullNewsletter:
    """Restore the outline from before the last removal. Raises Conflict if it was changed since."""
    full = await open_newsletter(services, principal, code, consistent=True)
    backup = await get_outline_backup(services.objects, code)
    version = full.outline.version
    if backup is None or backup.followed_by != version:
        raise Conflict(_NOTHING_TO_UNDO)
    await outline_store.save_outline(services.tables, code, backup.outline, expected=version)
    return replace(full, outline=replace(full.outline, outline=backup.outline, version=version + 1))
