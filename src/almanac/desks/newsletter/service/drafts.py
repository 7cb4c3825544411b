"""Step 4: edit a section, decide a proposal, rewrite a section, restore revisions, and check the text."""

from collections.abc import Callable
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.newsletter.events import record_action
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.jobs import REGENERATE
from almanac.desks.newsletter.model.draft import (
    MAX_INSTRUCTION_LENGTH,
    NewsletterDraft,
    align_with_outline,
    apply_proposal_decision,
    clean_section_text,
    restore_texts,
    set_human_text,
)
from almanac.desks.newsletter.model.newsletter import FullNewsletter, protected_revisions
from almanac.desks.newsletter.model.revisions import (
    EditContext,
    Revision,
    SectionDifference,
    compare_sections,
    revisions_to_save,
)
from almanac.desks.newsletter.model.verification import open_cache
from almanac.desks.newsletter.pipeline.verification import check_draft, move_to_carrying_passages
from almanac.desks.newsletter.service.access import get_job, open_newsletter
from almanac.desks.newsletter.service.steps import StartedStepJob, check_idle
from almanac.desks.newsletter.store import drafts as draft_store
from almanac.errors import FieldErrors, StaleEdit, Unavailable
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.services import Services

DraftChange = Callable[[NewsletterDraft], tuple[NewsletterDraft, EditContext]]
_SAVE_ATTEMPTS = 5
_CHANGED = gettext("This section was changed; reload and make your change again.")


async def edit_section(
    services: Services, principal: Principal, code: str, section_id: str, text: str, *, expected: int
) -> FullNewsletter:
    """Save a person's text for a section. Raises StaleEdit if the section changed since version `expected`.

    A reference whose passage doesn't say the sentence moves to the passage of the same document that does.
    """
    text = clean_section_text(text)
    full = await open_newsletter(services, principal, code)
    moved, moves = await move_to_carrying_passages(full, text, open_cache(full))

    def edited(draft: NewsletterDraft) -> tuple[NewsletterDraft, EditContext]:
        section = draft.section(section_id)
        is_unchanged = section.edited and section.text == moved
        changed = draft if is_unchanged else set_human_text(draft, section_id, moved, moves)
        return changed, edit_context(services, principal, f"Edited {section.name}", section.id)

    return await change_section(services, principal, code, section_id, edited, expected=expected)


async def decide_proposal(
    services: Services, principal: Principal, code: str, section_id: str, *, accepted: bool, expected: int
) -> FullNewsletter:
    """Accept or reject a proposed text; a replaced text stays in the revisions."""

    def decided(draft: NewsletterDraft) -> tuple[NewsletterDraft, EditContext]:
        word = "Accepted the proposal for" if accepted else "Rejected the proposal for"
        edit = edit_context(services, principal, f"{word} {draft.section(section_id).name}")
        return apply_proposal_decision(draft, section_id, accepted=accepted), edit

    return await change_section(services, principal, code, section_id, decided, expected=expected)


async def change_section(
    services: Services, principal: Principal, code: str, section_id: str, change: DraftChange, *, expected: int
) -> FullNewsletter:
    """Change one section of the current draft; changes to other sections meanwhile don't matter."""
    for _ in range(_SAVE_ATTEMPTS):
        full = await open_newsletter(services, principal, code)
        draft = _started_draft(full)
        check_section_version(draft, section_id, expected)
        changed, edit = change(draft)
        if changed == draft:
            return full
        try:
            return await save_draft(services, full, changed, edit)
        except StaleEdit:
            continue
    raise Unavailable(gettext("The draft keeps changing; try again in a moment."))


async def regenerate_section(
    services: Services,
    principal: Principal,
    code: str,
    section_id: str,
    *,
    instruction: str = "",
    expected: int | None = None,
) -> StartedStepJob:
    """Rewrite a section in a job; next to a person's own text the result is a proposal."""
    full = await open_newsletter(services, principal, code, consistent=True)
    draft = full.draft.draft
    section = draft.section(section_id)
    if expected is not None:
        check_section_version(draft, section_id, expected)
    instruction = one_line(instruction)
    if len(instruction) > MAX_INSTRUCTION_LENGTH:
        raise FieldErrors(
            {
                "instruction": gettext(
                    "Shorten it to %(limit)s characters.",
                    limit=f"{MAX_INSTRUCTION_LENGTH:,}",
                )
            }
        )
    check_idle(full, excluding=None)
    running = await get_job(services, section.job)
    if running is not None and not running.status.final:
        return StartedStepJob(running.id, joined=True)
    args = {"code": code, "section": section.id, "instruction": instruction, "seen": draft.version}
    job_id = await services.jobs.defer(REGENERATE, args, queueing_lock=f"newsletter:{code}:section:{section.id}")
    await draft_store.save_section_job(services.tables, code, section.key, job_id)
    return StartedStepJob(job_id, joined=False)


async def list_revisions(services: Services, principal: Principal, code: str) -> list[Revision]:
    """The draft's revisions, the latest first."""
    await open_newsletter(services, principal, code)
    return await draft_store.list_revisions(services.tables, code)


async def compare_revisions(
    services: Services, principal: Principal, code: str, number: int, *, against: int | None = None
) -> list[SectionDifference]:
    """What changed from one revision to another, or to the current text."""
    full = await open_newsletter(services, principal, code)
    old = await draft_store.get_revision(services.tables, code, number)
    if against is not None:
        new = await draft_store.get_revision(services.tables, code, against)
        return compare_sections(old.texts, new.texts, {**old.names, **new.names})
    sections = full.draft.draft.sections
    names = {section.key: section.name for section in sections}
    return compare_sections(old.texts, {section.key: section.text for section in sections}, {**old.names, **names})


async def restore_revision(
    services: Services, principal: Principal, code: str, number: int, *, expected: int
) -> FullNewsletter:
    """Restore the texts of an earlier revision as a new one; nothing written since is lost."""
    full = await open_newsletter(services, principal, code)
    draft = full.draft.draft
    if expected != draft.version:
        raise StaleEdit(_CHANGED, str(draft.version))
    revision = await draft_store.get_revision(services.tables, code, number)
    changed = restore_texts(draft, revision.texts)
    if changed == draft:
        return full
    async with services.database.unit() as unit:
        await record_action(unit, services, principal.actor, "newsletter.restored", code, revision=number)
        edit = edit_context(services, principal, f"Restored revision {number}")
        return await save_draft(services, full, changed, edit)


def check_section_version(draft: NewsletterDraft, section_id: str, expected: int) -> None:
    """Raise StaleEdit if this section changed since; changes to other sections don't matter."""
    if not draft.section(section_id).version <= expected <= draft.version:
        raise StaleEdit(_CHANGED, str(draft.version))


async def save_draft(
    services: Services, full: FullNewsletter, changed: NewsletterDraft, edit: EditContext
) -> FullNewsletter:
    """Save a changed draft with its revision. A completed newsletter becomes a draft again."""
    before = full.draft.draft
    latest = await draft_store.get_latest_revision(services.tables, full.code, before)
    revisions = revisions_to_save(before, changed, edit, latest, protected_revisions(full))
    saved = await draft_store.save_draft(
        services.tables,
        full.code,
        changed,
        revisions,
        title=full.newsletter.title,
        expected=before.version,
        status="draft",
    )
    newsletter = replace(full.newsletter, status="draft")
    after = replace(full, newsletter=newsletter, draft=replace(full.draft, draft=saved))
    await index_newsletter(services, after)
    await check_draft(services, after)
    return after


def _started_draft(full: FullNewsletter) -> NewsletterDraft:
    """A draft that was never generated has the sections of the outline, so that it can be written by hand."""
    draft = full.draft.draft
    return draft if draft.sections else align_with_outline(draft, full.outline.outline.to_write)


def edit_context(services: Services, principal: Principal, reason: str, sitting: str = "") -> EditContext:
    return EditContext(by=principal.name or principal.user_id, reason=reason, at=services.clock.now(), sitting=sitting)
