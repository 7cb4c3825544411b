"""A source next to the text: the passage, with the sentence that supports the text marked."""

import asyncio
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.configuration import SOURCE_KINDS
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import VERDICT_WORDS, QuotedPassage, open_cache
from almanac.desks.newsletter.pages.layout import Code, Reader, load_newsletter, step_page
from almanac.desks.newsletter.service.provenance import check_quotes
from almanac.desks.newsletter.urls import PREFIX
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.kit.messages import gettext
from almanac.language.boilerplate import find_instructions
from almanac.search import SnippetSpan
from almanac.verify import CheckedClaim
from almanac.verify.explanations import explain_fault
from almanac.verify.markers import read_claims

router = APIRouter(prefix=PREFIX)
Name = Annotated[str, Query(max_length=300)]


@router.get("/{code}/source")
async def show_source(
    request: Request,
    code: Code,
    principal: Reader,
    chunk: Name = "",
    section: Name = "",
    sentence: Annotated[int, Query(ge=-1, le=100_000)] = -1,
) -> Response:
    """A retrieved passage, with the words that support a sentence of the draft marked."""
    full = await load_newsletter(request, principal, code)
    passage = next((other for other in full.topics.chunks if other.id == chunk), None)
    if passage is None:
        raise NotFound(
            gettext("That source is no longer among the retrieved ones; retrieve again or remove the reference.")
        )
    checked = await asyncio.to_thread(_check_sentence, full, passage, section, sentence)
    place = (checked.matched if checked else None) or (0, 0)
    quoted = QuotedPassage(number=0, chunk=passage, text=passage.content[slice(*place)], start=place[0], end=place[1])
    (support,) = await check_quotes(get_state(request).services, full, [quoted])
    return await step_page(
        request,
        "draft",
        full,
        template="newsletter/source.html",
        chunk=passage,
        checked=checked,
        verdict_word=VERDICT_WORDS[checked.verdict] if checked else "",
        reason=explain_fault(checked) if checked and checked.findings else "",
        support=support,
        desk=SOURCE_KINDS.get(passage.kind, passage.kind),
        spans=_mark_span(passage.content, *place),
        instructions=find_instructions(passage.content),
        section=section,
    )


def _check_sentence(full: FullNewsletter, chunk: RetrievedChunk, section_id: str, number: int) -> CheckedClaim | None:
    """The sentence of the draft, checked against this source alone; its stored verdict where there is one."""
    section = next((other for other in full.draft.draft.sections if other.id == section_id), None)
    if section is None or number < 0:
        return None
    placed = read_claims(section.text)
    if number >= len(placed):
        return None
    return open_cache(full).check_claim(replace(placed[number].claim, references=(chunk.id,)))


def _mark_span(text: str, start: int, end: int) -> list[SnippetSpan]:
    pieces = [(text[:start], False), (text[start:end], True), (text[end:], False)]
    return [SnippetSpan(piece, marked=is_marked) for piece, is_marked in pieces if piece]
