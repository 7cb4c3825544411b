"""Step 4: the buttons beside one sentence of the draft: checked, one's own, dropped."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from almanac.desks.newsletter.model.checks import KEY_LENGTH
from almanac.desks.newsletter.pages.layout import Code, Writer
from almanac.desks.newsletter.service import sentences as sentence_service
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/{code}/draft/sentences/{key}")
SentenceKey = Annotated[str, Path(min_length=KEY_LENGTH, max_length=KEY_LENGTH)]


@router.post("/confirm")
async def confirm_sentence(
    request: Request, code: Code, key: SentenceKey, principal: Writer, section: FormText = "", number: FormText = ""
) -> Response:
    """Keep that the person checked the sentence beside its source."""
    await sentence_service.confirm_sentence(get_state(request).services, principal, code, key)
    return _back(
        request,
        code,
        (section, number),
        gettext("Kept with your name. It is void if the sentence or its source changes."),
    )


@router.post("/withdraw")
async def withdraw_confirmation(
    request: Request, code: Code, key: SentenceKey, principal: Writer, section: FormText = "", number: FormText = ""
) -> Response:
    """Take a confirmation back."""
    await sentence_service.withdraw_confirmation(get_state(request).services, principal, code, key)
    return _back(request, code, (section, number), gettext("Taken back; the sentence waits to be read again."))


@router.post("/own")
async def mark_as_own(
    request: Request, code: Code, key: SentenceKey, principal: Writer, section: FormText = "", number: FormText = ""
) -> Response:
    """Mark the sentence as the person's own."""
    await sentence_service.mark_as_own(get_state(request).services, principal, code, key)
    return _back(request, code, (section, number), gettext("Marked as your own; exports show it without a reference."))


@router.post("/not-own")
async def unmark_own(
    request: Request, code: Code, key: SentenceKey, principal: Writer, section: FormText = "", number: FormText = ""
) -> Response:
    """Take the mark back."""
    await sentence_service.unmark_own(get_state(request).services, principal, code, key)
    return _back(
        request, code, (section, number), gettext("No longer marked as your own; the sentence needs a source again.")
    )


@router.post("/drop")
async def drop_sentence(
    request: Request, code: Code, key: SentenceKey, principal: Writer, section: FormText = "", number: FormText = ""
) -> Response:
    """Remove the sentence from the draft."""
    full = await sentence_service.drop_sentence(get_state(request).services, principal, code, key)
    before = full.draft.draft.revision - 1
    if before > 0:
        words = gettext("Sentence dropped. To undo it, restore revision %(revision)s under Revisions.", revision=before)
    else:
        words = gettext("Sentence dropped.")
    return _back(request, code, (section, number), words)


def _back(request: Request, code: str, place: tuple[str, str], words: str) -> Response:
    section, number = place
    anchor = f"#sentence-{section}-{number}" if section and number else ""
    return redirect_with_message(request, f"{newsletter_path(code, 'draft')}{anchor}", words)
