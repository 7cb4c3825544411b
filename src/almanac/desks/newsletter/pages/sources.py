"""A source beside the text: what the passage says, with the sentence that supports the text marked."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter.model.chunks import Chunk
from almanac.desks.newsletter.model.configuration import SOURCE_KINDS
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.pages.wizard import PREFIX, Code, Reader, opened, step_page
from almanac.desks.newsletter.service.provenance import supports
from almanac.desks.newsletter.tracing import Quoted
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.search import SnippetSpan
from almanac.verify import CheckedClaim, Claim, check, check_text

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
    """A retrieved passage, with the place that a sentence of the draft rests on."""
    full = await opened(request, principal, code)
    found = next((one for one in full.topics.chunks if one.id == chunk), None)
    if found is None:
        raise NotFound("That source is not among the retrieved ones any more; retrieve again or remove the reference.")
    checked = _checked(full, found, section, sentence)
    place = (checked.matched if checked else None) or (0, 0)
    quoted = Quoted(number=0, chunk=found, text=found.content[slice(*place)], start=place[0], end=place[1])
    (support,) = await supports(get_state(request).services, full, [quoted])
    return await step_page(
        request,
        "draft",
        full,
        template="newsletter/source.html",
        chunk=found,
        checked=checked,
        support=support,
        desk=SOURCE_KINDS.get(found.kind, found.kind),
        spans=_marked(found.content, *place),
        section=section,
    )


def _checked(full: FullNewsletter, chunk: Chunk, section_id: str, number: int) -> CheckedClaim | None:
    """The sentence of the draft against this source alone."""
    section = next((one for one in full.draft.draft.sections if one.id == section_id), None)
    if section is None or number < 0:
        return None
    sentences = check_text(section.text, {}).sentences
    if number >= len(sentences):
        return None
    (checked,) = check([Claim(sentences[number].text, (chunk.id,))], {chunk.id: chunk.content}).sentences
    return checked


def _marked(text: str, start: int, end: int) -> list[SnippetSpan]:
    pieces = [
        SnippetSpan(text[:start], marked=False),
        SnippetSpan(text[start:end], marked=True),
        SnippetSpan(text[end:], marked=False),
    ]
    return [piece for piece in pieces if piece.text]
