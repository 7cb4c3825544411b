"""API, step 4: the draft, section by section, its proposals and revisions."""

from datetime import datetime
from typing import Annotated

from fastapi import Path, Query, Request, Response
from pydantic import Field

from almanac.desks.newsletter import service
from almanac.desks.newsletter.api.dependencies import Author, Code, PartId, Reader, StartedBody, Words, new_router
from almanac.desks.newsletter.api.schemas import DraftBody
from almanac.desks.newsletter.checks import obstacles
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag, parse_if_match
from almanac.http.problems import documented_problems

router = new_router()
EDITS = documented_problems(412, 428)
Number = Annotated[int, Path(ge=1, le=999_999)]


class SectionText(ApiModel):
    """A person's text for a section, in Markdown with `[@chunk-id]` markers."""

    text: Annotated[str, Field(max_length=200_000)]


class RegenerateWish(ApiModel):
    """What to do differently."""

    instruction: Words = ""


class Decision(ApiModel):
    """Whether a proposed text takes the place of one's own."""

    accepted: bool


class RevisionBody(ApiModel):
    """A snapshot of the draft."""

    number: int
    created_at: datetime
    by: str
    reason: str
    word_count: int


class DifferenceBody(ApiModel):
    """What changed in a section: lines with a sign, `+`, `-` or a space."""

    key: str
    name: str
    is_changed: bool
    lines: list[tuple[str, str]]


async def draft_body(full: FullNewsletter) -> DraftBody:
    """The draft with each of its sentences checked."""
    checked = await service.check_draft(full)
    return DraftBody.of(full, checked, obstacles(full, checked))


async def _body(full: FullNewsletter, response: Response) -> DraftBody:
    response.headers["ETag"] = etag(full.draft.draft.version)
    return await draft_body(full)


@router.get("/{code}/draft")
async def get_draft(request: Request, response: Response, code: Code, principal: Reader) -> DraftBody:
    """The draft, each sentence with its references and the verdict on it."""
    return await _body(await service.open_newsletter(get_state(request).services, principal, code), response)


@router.post("/{code}/draft/generate", status_code=202, responses=documented_problems(409))
async def start_draft(request: Request, code: Code, principal: Author) -> StartedBody:
    """Write the sections of the outline, in a job; a person's own texts stay."""
    return StartedBody.of(await service.start_step(get_state(request).services, principal, code, "draft"))


@router.put("/{code}/draft/sections/{section_id}", responses=EDITS)
async def edit_section(
    request: Request,
    response: Response,
    code: Code,
    section_id: PartId,
    wish: SectionText,
    principal: Author,
    if_match: IfMatch = None,
) -> DraftBody:
    """Write a section. Needs If-Match with the ETag of the draft; only a change of this section makes it stale."""
    full = await service.edit_section(
        get_state(request).services, principal, code, section_id, wish.text, expected=parse_if_match(if_match)
    )
    return await _body(full, response)


@router.post("/{code}/draft/sections/{section_id}/regenerate", status_code=202, responses=documented_problems(409, 412))
async def regenerate_section(
    request: Request, code: Code, section_id: PartId, wish: RegenerateWish, principal: Author, if_match: IfMatch = None
) -> StartedBody:
    """Write a section anew, in a job; beside a person's own text the result is a proposal."""
    started = await service.regenerate_section(
        get_state(request).services,
        principal,
        code,
        section_id,
        instruction=wish.instruction,
        expected=parse_if_match(if_match) if if_match else None,
    )
    return StartedBody.of(started)


@router.post("/{code}/draft/sections/{section_id}/proposal", responses=EDITS)
async def decide_proposal(
    request: Request,
    response: Response,
    code: Code,
    section_id: PartId,
    wish: Decision,
    principal: Author,
    if_match: IfMatch = None,
) -> DraftBody:
    """Take a proposed text, or let it go. Needs If-Match with the ETag of the draft."""
    full = await service.decide_proposal(
        get_state(request).services,
        principal,
        code,
        section_id,
        accepted=wish.accepted,
        expected=parse_if_match(if_match),
    )
    return await _body(full, response)


@router.get("/{code}/draft/revisions")
async def list_revisions(request: Request, code: Code, principal: Reader) -> list[RevisionBody]:
    """The draft's revisions, the latest first."""
    found = await service.revisions(get_state(request).services, principal, code)
    return [
        RevisionBody(
            number=one.number, created_at=one.created_at, by=one.by, reason=one.reason, word_count=one.word_count
        )
        for one in found
    ]


@router.get("/{code}/draft/revisions/{number}/diff")
async def compare_revisions(
    request: Request,
    code: Code,
    number: Number,
    principal: Reader,
    against: Annotated[
        int | None, Query(ge=1, le=999_999, description="Another revision; the present text if not.")
    ] = None,
) -> list[DifferenceBody]:
    """What changed since a revision, section by section."""
    found = await service.compare_revisions(get_state(request).services, principal, code, number, against=against)
    return [
        DifferenceBody(key=one.key, name=one.name, is_changed=one.is_changed, lines=list(one.lines)) for one in found
    ]


@router.post("/{code}/draft/revisions/{number}/restore", responses=EDITS)
async def restore_revision(
    request: Request, response: Response, code: Code, number: Number, principal: Author, if_match: IfMatch = None
) -> DraftBody:
    """Take the texts of an earlier revision, as a new one. Needs If-Match with the ETag of the draft."""
    full = await service.restore_revision(
        get_state(request).services, principal, code, number, expected=parse_if_match(if_match)
    )
    return await _body(full, response)
