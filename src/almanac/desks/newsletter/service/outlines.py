"""Step 3: every edit of the outline, each on the version that the person saw."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import Outline, Section, empty_outline
from almanac.desks.newsletter.model.outline_merge import recognised, replaced
from almanac.desks.newsletter.model.outline_text import parse_outline
from almanac.desks.newsletter.service.access import check_version, open_newsletter
from almanac.errors import FieldErrors
from almanac.services import Services

OutlineChange = Callable[[Outline], Outline]


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
    await store.save_outline(services.tables, code, outline, expected=expected)
    return replace(full, outline=replace(full.outline, outline=outline, version=expected + 1))


async def replace_outline(
    services: Services, principal: Principal, code: str, sections: Sequence[Section], *, expected: int
) -> FullNewsletter:
    """Take a whole outline as a person sends it."""
    return await change_outline(
        services, principal, code, lambda outline: replaced(outline, sections), expected=expected
    )


async def paste_outline(
    services: Services, principal: Principal, code: str, text: str, *, expected: int
) -> FullNewsletter:
    """Take a whole outline from text: headings, lists, numbers or indentation. What is in it already stays itself."""
    sections = parse_outline(text)
    return await change_outline(
        services, principal, code, lambda outline: replaced(outline, recognised(outline, sections)), expected=expected
    )


def _check_pins(full: FullNewsletter, outline: Outline) -> None:
    """A newly pinned source must be one that was retrieved; old pins may outlive a retrieval."""
    known = {chunk.id for chunk in full.topics.chunks}
    known |= {source for item in full.outline.outline.items for source in item.sources}
    pinned = (source for item in outline.items for source in item.sources)
    if unknown := next((source for source in pinned if source not in known), None):
        raise FieldErrors({"sources": f"There is no retrieved chunk {unknown[:100]}; pin one of those in step 2."})
