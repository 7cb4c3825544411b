"""API, step 4: the draft by section, its proposals and revisions, and exports of the issue."""

from datetime import datetime
from typing import Annotated

from fastapi import Path, Query, Request, Response
from pydantic import Field
from starlette.responses import StreamingResponse

from almanac.desks.newsletter.api.dependencies import Code, NewsletterJobBody, PartId, Reader, Words, Writer, new_router
from almanac.desks.newsletter.api.schemas import NewsletterDraftBody
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import list_obstacles
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.service import drafts as draft_service
from almanac.desks.newsletter.service import exports as export_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag, parse_if_match
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.problems import documented_problems
from almanac.http.responses import attachment_header
from almanac.services import Services

router = new_router()
FormatName = Annotated[str, Path(alias="format", max_length=20, description="pdf, docx, html, web, markdown or text.")]
EDITS = documented_problems(412, 428)
Number = Annotated[int, Path(ge=1, le=999_999)]


class SectionText(ApiModel):
    """A person's text for a section, in Markdown with `[@chunk-id]` markers, and `[@own]` after their own sentences."""

    text: Annotated[str, Field(max_length=200_000)]


class RegenerateRequest(ApiModel):
    """What to do differently."""

    instruction: Words = ""


class ProposalDecision(ApiModel):
    """Whether the proposed text replaces the person's own."""

    accepted: bool


class RevisionBody(ApiModel):
    """A snapshot of the draft."""

    number: int
    created_at: datetime
    by: str
    reason: str
    word_count: int


class SectionDifferenceBody(ApiModel):
    """What changed in a section: lines with a sign, `+`, `-` or a space."""

    key: str
    name: str
    is_changed: bool
    lines: list[tuple[str, str]]


async def draft_body(services: Services, full: FullNewsletter) -> NewsletterDraftBody:
    """The draft with the verdict on each of its sentences."""
    checked = await check_draft(services, full)
    return NewsletterDraftBody.from_model(full, checked, list_obstacles(full, checked))


async def respond_with_draft(request: Request, full: FullNewsletter, response: Response) -> NewsletterDraftBody:
    """The draft's body, and its version as the ETag."""
    response.headers["ETag"] = etag(full.draft.draft.version)
    return await draft_body(get_state(request).services, full)


@router.get("/{code}/draft")
async def get_draft(request: Request, response: Response, code: Code, principal: Reader) -> NewsletterDraftBody:
    """The draft, each sentence with its references and the verdict on it."""
    return await respond_with_draft(
        request, await open_newsletter(get_state(request).services, principal, code), response
    )


@router.post("/{code}/draft/generate", status_code=202, responses=documented_problems(409), openapi_extra=REPEATABLE)
async def start_draft(request: Request, code: Code, principal: Writer) -> NewsletterJobBody:
    """Write the sections of the outline in a job; texts that a person wrote are kept."""
    return NewsletterJobBody.from_model(
        await step_service.start_step(get_state(request).services, principal, code, "draft")
    )


@router.put("/{code}/draft/sections/{section_id}", responses=EDITS)
async def edit_section(
    request: Request,
    response: Response,
    code: Code,
    section_id: PartId,
    body: SectionText,
    principal: Writer,
    if_match: IfMatch = None,
) -> NewsletterDraftBody:
    """Replace a section's text. Needs If-Match with the draft's ETag; only a change of this section makes it stale."""
    full = await draft_service.edit_section(
        get_state(request).services, principal, code, section_id, body.text, expected=parse_if_match(if_match)
    )
    return await respond_with_draft(request, full, response)


@router.post(
    "/{code}/draft/sections/{section_id}/regenerate",
    status_code=202,
    responses=documented_problems(409, 412),
    openapi_extra=REPEATABLE,
)
async def regenerate_section(
    request: Request,
    code: Code,
    section_id: PartId,
    body: RegenerateRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> NewsletterJobBody:
    """Rewrite a section in a job; next to a person's own text the result is a proposal."""
    started = await draft_service.regenerate_section(
        get_state(request).services,
        principal,
        code,
        section_id,
        instruction=body.instruction,
        expected=parse_if_match(if_match) if if_match else None,
    )
    return NewsletterJobBody.from_model(started)


@router.post("/{code}/draft/sections/{section_id}/proposal", responses=EDITS, openapi_extra=REPEATABLE)
async def decide_proposal(
    request: Request,
    response: Response,
    code: Code,
    section_id: PartId,
    body: ProposalDecision,
    principal: Writer,
    if_match: IfMatch = None,
) -> NewsletterDraftBody:
    """Accept or reject a proposed text. Needs If-Match with the ETag of the draft."""
    full = await draft_service.decide_proposal(
        get_state(request).services,
        principal,
        code,
        section_id,
        accepted=body.accepted,
        expected=parse_if_match(if_match),
    )
    return await respond_with_draft(request, full, response)


@router.get("/{code}/draft/revisions")
async def list_revisions(request: Request, code: Code, principal: Reader) -> list[RevisionBody]:
    """The draft's revisions, the latest first."""
    revisions = await draft_service.list_revisions(get_state(request).services, principal, code)
    return [RevisionBody.model_validate(revision) for revision in revisions]


@router.get("/{code}/draft/revisions/{number}/diff")
async def compare_revisions(
    request: Request,
    code: Code,
    number: Number,
    principal: Reader,
    against: Annotated[
        int | None, Query(ge=1, le=999_999, description="Another revision; without it, the current text.")
    ] = None,
) -> list[SectionDifferenceBody]:
    """What changed since a revision, section by section."""
    differences = await draft_service.compare_revisions(
        get_state(request).services, principal, code, number, against=against
    )
    return [SectionDifferenceBody.model_validate(difference) for difference in differences]


@router.post("/{code}/draft/revisions/{number}/restore", responses=EDITS, openapi_extra=REPEATABLE)
async def restore_revision(
    request: Request, response: Response, code: Code, number: Number, principal: Writer, if_match: IfMatch = None
) -> NewsletterDraftBody:
    """Restore the texts of an earlier revision as a new one. Needs If-Match with the ETag of the draft."""
    full = await draft_service.restore_revision(
        get_state(request).services, principal, code, number, expected=parse_if_match(if_match)
    )
    return await respond_with_draft(request, full, response)


@router.post("/{code}/exports/{format}", status_code=202, responses=documented_problems(409), openapi_extra=REPEATABLE)
async def start_export(request: Request, code: Code, name: FormatName, principal: Writer) -> NewsletterJobBody:
    """Export the issue in a format, in a job. Sentences that are neither supported nor confirmed block it with 409."""
    return NewsletterJobBody.from_model(
        await export_service.start_export(get_state(request).services, principal, code, name)
    )


@router.get(
    "/{code}/exports/{format}",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "The file."}},
)
async def get_export(request: Request, code: Code, name: FormatName, principal: Reader) -> Response:
    """The latest exported file of a format."""
    file = await export_service.open_export(get_state(request).services, principal, code, name)
    headers = {
        **attachment_header(file.name),
        "Content-Length": str(file.content.info.size),
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(file.content.chunks, media_type=file.media_type, headers=headers)
