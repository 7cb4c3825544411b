"""Finish single sentences of a draft: confirm one after reading its source, mark it as one's own, or drop it.

A sentence is named by its key, a hash of its words and its sources. After any change of either the key names nothing.
"""

from collections.abc import Callable

from almanac.accounts.model import Principal
from almanac.desks.newsletter.events import record_action
from almanac.desks.newsletter.model.draft import DraftSection, NewsletterDraft, set_human_text
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.readable_draft import DESK
from almanac.desks.newsletter.model.revisions import EditContext
from almanac.desks.newsletter.model.sentence_edits import drop_from_text, mark_own_in_text, unmark_own_in_text
from almanac.desks.newsletter.model.verification import CheckedSection, SentenceStatus, open_cache
from almanac.desks.newsletter.pipeline.verification import check_draft, list_confirmations
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.drafts import change_section, edit_context
from almanac.desks.newsletter.service.reader import open_readable_draft
from almanac.desks.newsletter.store import checks as check_store
from almanac.errors import Conflict, NotFound
from almanac.kit.messages import gettext
from almanac.kit.text import shorten
from almanac.reader import service as reader_service
from almanac.reader import store as verdict_store
from almanac.services import Services
from almanac.verify import Verdict
from almanac.verify.markers import PlacedClaim, read_claims

TextEdit = Callable[[str, PlacedClaim], str]
_CHANGED = gettext("This sentence or its source was changed since; reload and read it again.")
_MAX_RECORDED = 200


async def confirm_sentence(services: Services, principal: Principal, code: str, key: str) -> FullNewsletter:
    """Keep that a person read a sentence beside its sources and vouches for it.

    Raises Conflict for a sentence that its source contradicts or doesn't support: those must be rewritten or dropped.
    """
    full, document = await open_readable_draft(services, principal, code)
    await reader_service.check_sentence(services.database, services.clock, principal, document, key)
    return full


async def withdraw_verdict(services: Services, principal: Principal, code: str, key: str) -> FullNewsletter:
    """Take one's own verdict back. A completed newsletter that nobody vouches for now becomes a draft again."""
    full, document = await open_readable_draft(services, principal, code)
    existing = full.checks.confirmations.get(key)
    if existing is not None and principal.owns(existing.user_id):
        return await withdraw_confirmation(services, principal, code, key)
    progress = await reader_service.withdraw_verdict(services.database, services.clock, principal, document, key)
    sentence = document.find(key)
    if key not in progress.verdicts and sentence is not None and sentence.verdict is Verdict.UNCONFIRMED:
        await check_store.delete_confirmation(services.tables, code, key)
    return await open_newsletter(services, principal, code, consistent=True)


async def withdraw_confirmation(services: Services, principal: Principal, code: str, key: str) -> FullNewsletter:
    """Take back what anybody said about a sentence; a completed newsletter becomes a draft again."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if key not in await list_confirmations(services, full):
        raise NotFound(gettext("Nobody has confirmed this sentence; reload the draft."))
    async with services.database.unit() as unit:
        await record_action(unit, services, principal.actor, "newsletter.confirmation_withdrawn", code, key=key)
        await verdict_store.delete_verdict(unit, DESK, code, key, None)
        await check_store.delete_confirmation(services.tables, code, key)
    return await open_newsletter(services, principal, code, consistent=True)


async def mark_as_own(services: Services, principal: Principal, code: str, key: str) -> FullNewsletter:
    """Mark a sentence as the person's own, which needs no source; its references are removed."""
    return await _edit_sentence(
        services, principal, code, key, mark_own_in_text, "Marked as own", "newsletter.sentence_marked"
    )


async def unmark_own(services: Services, principal: Principal, code: str, key: str) -> FullNewsletter:
    """Take the mark back; the sentence needs a source again."""
    return await _edit_sentence(
        services, principal, code, key, unmark_own_in_text, "No longer marked as own", "newsletter.sentence_unmarked"
    )


async def drop_sentence(services: Services, principal: Principal, code: str, key: str) -> FullNewsletter:
    """Remove a sentence from the draft; the text before stays in the revisions."""
    return await _edit_sentence(
        services, principal, code, key, drop_from_text, "Dropped a sentence", "newsletter.sentence_dropped"
    )


async def _edit_sentence(
    services: Services, principal: Principal, code: str, key: str, edit: TextEdit, word: str, action: str
) -> FullNewsletter:
    full = await open_newsletter(services, principal, code, consistent=True)
    checked, sentence = await _find_sentence(services, full, key)
    section_id = checked.section.id

    def edited(draft: NewsletterDraft) -> tuple[NewsletterDraft, EditContext]:
        section = draft.section(section_id)
        text = edit(section.text, _find_placed(full, section, key))
        return set_human_text(draft, section_id, text), edit_context(services, principal, f"{word} in {section.name}")

    async with services.database.unit() as unit:
        await record_action(
            unit,
            services,
            principal.actor,
            action,
            code,
            section=checked.section.name,
            sentence=shorten(sentence.checked.text, _MAX_RECORDED),
        )
        return await change_section(services, principal, code, section_id, edited, expected=full.draft.draft.version)


async def _find_sentence(services: Services, full: FullNewsletter, key: str) -> tuple[CheckedSection, SentenceStatus]:
    """The sentence with this key and its section. Raises Conflict if no sentence has it any more."""
    for section in await check_draft(services, full):
        for sentence in section.sentences:
            if sentence.key == key:
                return section, sentence
    raise Conflict(_CHANGED)


def _find_placed(full: FullNewsletter, section: DraftSection, key: str) -> PlacedClaim:
    """Where the sentence stands in the text; the last one where it is repeated."""
    cache = open_cache(full)
    for placed in reversed(read_claims(section.text)):
        if cache.sentence_key(placed.claim) == key:
            return placed
    raise Conflict(_CHANGED)
