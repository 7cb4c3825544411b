"""API, step 4: single sentences of the draft, named by their keys: confirm, mark as own, drop."""

from typing import Annotated

from fastapi import Path, Request, Response

from almanac.desks.newsletter.api.dependencies import Code, Writer, new_router
from almanac.desks.newsletter.api.drafts import respond_with_draft
from almanac.desks.newsletter.api.schemas import NewsletterDraftBody
from almanac.desks.newsletter.model.checks import KEY_LENGTH
from almanac.desks.newsletter.service import sentences as sentence_service
from almanac.http.app_state import get_state
from almanac.http.problems import documented_problems

router = new_router()
SentenceKey = Annotated[
    str, Path(min_length=KEY_LENGTH, max_length=KEY_LENGTH, description="The key of a sentence, as the draft gives it.")
]
_CHANGED = documented_problems(409)


@router.put("/{code}/draft/sentences/{key}/confirmation", responses=_CHANGED)
async def confirm_sentence(
    request: Request, response: Response, code: Code, key: SentenceKey, principal: Writer
) -> NewsletterDraftBody:
    """Confirm an unconfirmed sentence after reading it beside its source. A changed or unsupported one can't be."""
    full = await sentence_service.confirm_sentence(get_state(request).services, principal, code, key)
    return await respond_with_draft(request, full, response)


@router.delete("/{code}/draft/sentences/{key}/confirmation", responses=documented_problems(404))
async def withdraw_confirmation(
    request: Request, response: Response, code: Code, key: SentenceKey, principal: Writer
) -> NewsletterDraftBody:
    """Take a confirmation back. A completed newsletter becomes a draft again."""
    full = await sentence_service.withdraw_confirmation(get_state(request).services, principal, code, key)
    return await respond_with_draft(request, full, response)


@router.put("/{code}/draft/sentences/{key}/own", responses=_CHANGED)
async def mark_as_own(
    request: Request, response: Response, code: Code, key: SentenceKey, principal: Writer
) -> NewsletterDraftBody:
    """Mark a sentence as your own: it needs no source, and its references are removed."""
    full = await sentence_service.mark_as_own(get_state(request).services, principal, code, key)
    return await respond_with_draft(request, full, response)


@router.delete("/{code}/draft/sentences/{key}/own", responses=_CHANGED)
async def unmark_own(
    request: Request, response: Response, code: Code, key: SentenceKey, principal: Writer
) -> NewsletterDraftBody:
    """Take the mark back: the sentence needs a source again."""
    full = await sentence_service.unmark_own(get_state(request).services, principal, code, key)
    return await respond_with_draft(request, full, response)


@router.delete("/{code}/draft/sentences/{key}", responses=_CHANGED)
async def drop_sentence(
    request: Request, response: Response, code: Code, key: SentenceKey, principal: Writer
) -> NewsletterDraftBody:
    """Remove a sentence from the draft. The text before stays in the revisions."""
    full = await sentence_service.drop_sentence(get_state(request).services, principal, code, key)
    return await respond_with_draft(request, full, response)
