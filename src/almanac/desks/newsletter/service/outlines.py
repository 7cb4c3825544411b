"""Edits of the outline, each based on the version the person saw, and undo for the last removal."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import NewsletterOutline, OutlineSection, empty_outline
from almanac.desks.newsletter.model.outline_merge import match_existing, replace_sections
from almanac.desks.newsletter.model.outline_parser import parse_outline
from almanac.desks.newsletter.service.access import check_version, open_newsletter
from almanac.desks.newsletter.store import outlines as outline_store
from almanac.desks.newsletter.store.objects import OutlineBackup, get_outline_backup, save_outline_backup
from almanac.errors import Conflict, FieldErrors
from almanac.services import Services

OutlineChange = Callable[[NewsletterOutline], NewsletterOutline]


async def change_outline(
    services: Services, principal: Principal, code: str, change: OutlineChange, *, expected: int
) -> FullNewsletter:
    """Apply one of the model's edits. An outline that was never begun has the usual sections, without items."""
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
    services: Services, principal: Principal, code: str, sections: Sequence[OutlineSection], *, expected: int
) -> FullNewsletter:
    """Take a whole outline as a person sends it."""
    return await change_outline(
        services, principal, code, lambda outline: replace_sections(outline, sections), expected=expected
    )


async def paste_outline(
    services: Services, principal: Principal, code: str, text: str, *, expected: int
) -> FullNewsletter:
    """Take a whole outline from text: headings, lists, numbers or indentation. What is in it already stays itself."""
    sections = parse_outline(text)
    return await change_outline(
        services,
        principal,
        code,
        lambda outline: replace_sections(outline, match_existing(outline, sections)),
        expected=expected,
    )


def _check_pins(full: FullNewsletter, outline: NewsletterOutline) -> None:
    """A newly pinned source must be one that was retrieved; old pins may outlive a retrieval."""
    citable = {chunk.id for chunk in full.topics.chunks}
    citable |= {source for item in full.outline.outline.items for source in item.sources}
    pinned = (source for item in outline.items for source in item.sources)
    if unknown := next((source for source in pinned if source not in citable), None):
        raise FieldErrors({"sources": f"There is no retrieved chunk {unknown[:100]}; pin one from step 2."})


_GONE = "The outline was changed since; there is nothing to undo."


async def remove_from_outline(
    services: Services, principal: Principal, code: str, change: OutlineChange, *, expected: int
) -> FullNewsletter:
    """Change the outline in a way that can be undone."""
    before = (await open_newsletter(services, principal, code)).outline.outline
    changed = await change_outline(services, principal, code, change, expected=expected)
    await save_outline_backup(services.objects, code, OutlineBackup(changed.outline.version, before))
    return changed


async def undo_removal(services: Services, principal: Principal, code: str) -> FullNewsletter:
    """The outline as it was before the last removal, unless somebody changed it since."""
    full = await open_newsletter(services, principal, code, consistent=True)
    backup = await get_outline_backup(services.objects, code)
    version = full.outline.version
    if backup is None or backup.followed_by != version:
        raise Conflict(_GONE)
    await outline_store.save_outline(services.tables, code, backup.outline, expected=version)
    return replace(full, outline=replace(full.outline, outline=backup.outline, version=version + 1))
