"""Step 4: edit a section, decide about a proposal, look at revisions, and check what is written."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.newsletter import store
from almanac.desks.newsletter.checks import CheckedSection, checked_sections
from almanac.desks.newsletter.events import record
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.model.differences import SectionDifference, difference
from almanac.desks.newsletter.model.draft import (
    Draft,
    following,
    with_human_text,
    with_proposal_decided,
    with_texts,
)
from almanac.desks.newsletter.model.newsletter import FullNewsletter, lasting_revisions
from almanac.desks.newsletter.model.revisions import Occasion, Revision, revisions_of
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.errors import StaleEdit, Unavailable
from almanac.services import Services

SectionChange = Callable[[Draft], tuple[Draft, Occasion]]
_SAVE_ATTEMPTS = 5
_CHANGED = "This section was changed meanwhile; load it again and repeat your change."


async def edit_section(
    services: Services, principal: Principal, code: str, section_id: str, text: str, *, expected: int
) -> FullNewsletter:
    """A person's text for one section, written on a version of the draft in which the section was the same."""

    def edited(draft: Draft) -> tuple[Draft, Occasion]:
        section = draft.section(section_id)
        same = section.edited and section.text == text.strip()
        changed = draft if same else with_human_text(draft, section_id, text)
        return changed, _occasion(services, principal, f"Edited {section.name}", section.id)

    return await _change_section(services, principal, code, section_id, edited, expected=expected)


async def decide_proposal(
    services: Services, principal: Principal, code: str, section_id: str, *, accepted: bool, expected: int
) -> FullNewsletter:
    """Take a proposed text in place of one's own, or let it go; one's own stays among the revisions."""

    def decided(draft: Draft) -> tuple[Draft, Occasion]:
        word = "Took the proposal for" if accepted else "Let go the proposal for"
        occasion = _occasion(services, principal, f"{word} {draft.section(section_id).name}")
        return with_proposal_decided(draft, section_id, accepted=accepted), occasion

    return await _change_section(services, principal, code, section_id, decided, expected=expected)


async def _change_section(
    services: Services, principal: Principal, code: str, section_id: str, change: SectionChange, *, expected: int
) -> FullNewsletter:
    """Change one section of the draft as it is when it is saved; a change elsewhere meanwhile is no obstacle."""
    for _ in range(_SAVE_ATTEMPTS):
        full = await open_newsletter(services, principal, code)
        draft = _begun(full)
        check_section_version(draft, section_id, expected)
        changed, occasion = change(draft)
        if changed == draft:
            return full
        try:
            return await save_changed(services, full, changed, occasion)
        except StaleEdit:
            continue
    raise Unavailable("The draft is being changed all the time; try again in a moment.")


async def revisions(services: Services, principal: Principal, code: str) -> list[Revision]:
    """The draft's revisions, the latest first."""
    await open_newsletter(services, principal, code)
    return await store.list_revisions(services.tables, code)


async def compare_revisions(
    services: Services, principal: Principal, code: str, number: int, *, against: int | None = None
) -> list[SectionDifference]:
    """What changed from one revision to another, or to the present text."""
    full = await open_newsletter(services, principal, code)
    old = await store.get_revision(services.tables, code, number)
    if against is not None:
        new = await store.get_revision(services.tables, code, against)
        return difference(old.texts, new.texts, {**old.names, **new.names})
    sections = full.draft.draft.sections
    names = {section.key: section.name for section in sections}
    return difference(old.texts, {section.key: section.text for section in sections}, {**old.names, **names})


async def restore_revision(
    services: Services, principal: Principal, code: str, number: int, *, expected: int
) -> FullNewsletter:
    """The texts of an earlier revision, as a new one; nothing that was written since is lost."""
    full = await open_newsletter(services, principal, code)
    draft = full.draft.draft
    if expected != draft.version:
        raise StaleEdit(_CHANGED, str(draft.version))
    revision = await store.get_revision(services.tables, code, number)
    changed = with_texts(draft, revision.texts)
    if changed == draft:
        return full
    async with services.database.unit() as unit:
        await record(unit, services, principal.actor, "newsletter.restored", code, revision=number)
        occasion = _occasion(services, principal, f"Restored revision {number}")
        return await save_changed(services, full, changed, occasion)


async def check_draft(full: FullNewsletter) -> tuple[CheckedSection, ...]:
    """Each sentence against its sources; off the loop, since a long draft takes a while."""
    return await asyncio.to_thread(checked_sections, full)


def check_section_version(draft: Draft, section_id: str, expected: int) -> None:
    """An edit is stale only when its own section changed since; a change elsewhere is no obstacle."""
    if not draft.section(section_id).version <= expected <= draft.version:
        raise StaleEdit(_CHANGED, str(draft.version))


async def save_changed(services: Services, full: FullNewsletter, changed: Draft, occasion: Occasion) -> FullNewsletter:
    """Keep a changed draft with its revision. A newsletter that was completed is a draft again."""
    before = full.draft.draft
    latest = await store.latest_revision(services.tables, full.code, before)
    kept = revisions_of(before, changed, occasion, latest, lasting_revisions(full))
    saved = await store.save_draft(
        services.tables,
        full.code,
        changed,
        kept,
        title=full.newsletter.title,
        expected=before.version,
        status="draft",
    )
    newsletter = replace(full.newsletter, status="draft")
    after = replace(full, newsletter=newsletter, draft=replace(full.draft, draft=saved))
    await index_newsletter(services, after)
    return after


def _begun(full: FullNewsletter) -> Draft:
    """A draft that was never generated has the outline's sections, so that it can be written by hand."""
    draft = full.draft.draft
    return draft if draft.sections else following(draft, full.outline.outline.to_write)


def _occasion(services: Services, principal: Principal, reason: str, sitting: str = "") -> Occasion:
    return Occasion(by=principal.name or principal.user_id, reason=reason, at=services.clock.now(), sitting=sitting)
