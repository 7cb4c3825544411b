"""Step 4 as a page: the text beside its sources, one section open for editing, and deciding that it is finished."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter import service
from almanac.desks.newsletter.checks import obstacles, remarks
from almanac.desks.newsletter.model.differences import difference
from almanac.desks.newsletter.model.draft import DraftSection
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.pages.draft_view import References, SectionView, section_view
from almanac.desks.newsletter.pages.numbering import Numbering, numbering_of, shown_lines
from almanac.desks.newsletter.pages.running import section_progress, step_progress
from almanac.desks.newsletter.pages.wizard import PREFIX, Author, Code, PartId, Reader, address, opened, step_page
from almanac.errors import Conflict, StaleEdit, TooLarge
from almanac.http.app_state import get_state
from almanac.http.live import RunningWork
from almanac.http.pages import (
    FormText,
    FormTexts,
    is_htmx_request,
    parse_form_version,
    redirect_with_message,
    render_fragment,
)
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/{code}/draft")


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section of the draft: its text as it is stored and as it is read, and whether it is being written anew."""

    section: DraftSection
    view: SectionView
    running: RunningWork
    proposal: list[tuple[str, str]]


@router.get("")
async def show_draft(
    request: Request, code: Code, principal: Reader, edit: Annotated[str, Query(max_length=200)] = "", settle: str = ""
) -> Response:
    """The text; `edit` names the section that is open, `settle` tells first what stands in the way of completion."""
    return await _show(request, *await _looked_at(request, principal, code), edit=edit, is_refused=bool(settle))


@router.post("/generate")
async def generate(request: Request, code: Code, principal: Author) -> Response:
    """Write the sections of the outline, in a job; a person's own texts stay."""
    await service.start_step(get_state(request).services, principal, code, "draft")
    return redirect_with_message(request, address(code, "draft"))


@router.post("/sections/{section_id}")
async def save_section(
    request: Request,
    code: Code,
    section_id: PartId,
    principal: Author,
    version: FormText = "",
    text: FormText = "",
    references: FormTexts = None,
) -> Response:
    """A person's text for a section, as it is typed or when it is done."""
    services = get_state(request).services
    text = Numbering(tuple(references or ())).stored(text)
    try:
        full = await service.edit_section(
            services, principal, code, section_id, text, expected=parse_form_version(version)
        )
    except StaleEdit:
        return await _conflict(request, principal, code, section_id, text)
    except TooLarge as error:
        if is_htmx_request(request):
            raise
        return await _show(
            request,
            *await _looked_at(request, principal, code),
            edit=section_id,
            typed=text,
            problem=error.sentence,
            status_code=error.status,
        )
    if is_htmx_request(request):
        return _saved(request, full, section_id)
    return redirect_with_message(request, f"{address(code, 'draft')}#section-{section_id}", "The section is saved.")


@router.post("/sections/{section_id}/regenerate")
async def regenerate(
    request: Request, code: Code, section_id: PartId, principal: Author, instruction: FormText = ""
) -> Response:
    """Write a section anew as the instruction says; beside a person's own text the result is a proposal."""
    services = get_state(request).services
    await service.regenerate_section(services, principal, code, section_id, instruction=instruction)
    return redirect_with_message(request, f"{address(code, 'draft')}#section-{section_id}")


@router.post("/sections/{section_id}/proposal")
async def decide_proposal(
    request: Request, code: Code, section_id: PartId, principal: Author, version: FormText = "", accepted: FormText = ""
) -> Response:
    """Take the proposed text, or keep one's own."""
    await service.decide_proposal(
        get_state(request).services,
        principal,
        code,
        section_id,
        accepted=bool(accepted),
        expected=parse_form_version(version),
    )
    words = "The new text is in place; yours is among the revisions." if accepted else "Your text stays."
    return redirect_with_message(request, f"{address(code, 'draft')}#section-{section_id}", words)


@router.post("/complete")
async def complete(request: Request, code: Code, principal: Author, version: FormText = "") -> Response:
    """Declare the draft finished, or show what stands in the way."""
    services = get_state(request).services
    try:
        await service.complete(services, principal, code, expected=parse_form_version(version))
    except Conflict:
        # Told on a page of its own address, so that loading it again asks nothing of anybody.
        return redirect_with_message(request, f"{address(code, 'draft')}?settle=yes")
    return redirect_with_message(request, address(code, "export"), "The issue is completed; now it can leave.")


async def _looked_at(
    request: Request, principal: Principal, code: str
) -> tuple[FullNewsletter, dict[str, RunningWork]]:
    """The newsletter, and what is known of the jobs of its sections."""
    services = get_state(request).services
    full = await opened(request, principal, code)
    running = {one.id: await _progress(services, full, one) for one in full.draft.draft.sections}
    if any(one.job and not one.is_running for one in running.values()):
        # The job may have ended between the two looks, with its text saved: only a second look is sure to show it.
        full = await opened(request, principal, code)
    return full, running


async def _show(
    request: Request,
    full: FullNewsletter,
    jobs: Mapping[str, RunningWork],
    /,
    *,
    edit: str = "",
    typed: str | None = None,
    conflict: str | None = None,
    problem: str = "",
    is_refused: bool = False,
    status_code: int = 200,
) -> Response:
    services = get_state(request).services
    checked = await service.check_draft(full)
    references = References({chunk.id: chunk for chunk in full.topics.chunks})
    views = [section_view(one, references) for one in checked]
    numbering = numbering_of(full)
    sections = [
        ShownSection(
            one.section,
            view,
            jobs.get(one.section.id) or await _progress(services, full, one.section),
            _proposal(one.section, numbering),
        )
        for one, view in zip(checked, views, strict=True)
    ]
    return await step_page(
        request,
        "draft",
        full,
        status_code=status_code,
        draft=full.draft.draft,
        sections=sections,
        references=references.cited,
        numbering=numbering,
        chunks=references.chunks,
        obstacles=obstacles(full, checked),
        remarks=remarks(checked),
        edit=edit,
        typed=typed,
        conflict=conflict,
        problem=problem,
        is_refused=is_refused,
        planned=full.outline.outline.to_write,
        running=await step_progress(services, full, "draft"),
    )


def _proposal(section: DraftSection, numbering: Numbering) -> list[tuple[str, str]]:
    """What a proposed text would change."""
    (found,) = difference({"": section.text}, {"": section.proposal or ""}, {})
    return shown_lines(found.lines, numbering) if section.proposal else []


async def _progress(services: Services, full: FullNewsletter, section: DraftSection) -> RunningWork:
    return await section_progress(services, full.code, section.id, section.name, section.job)


def _saved(request: Request, full: FullNewsletter, section_id: str) -> HTMLResponse:
    draft = full.draft.draft
    section = draft.section(section_id)
    return HTMLResponse(render_fragment(request, "newsletter/section_saved.html", section=section, draft=draft))


async def _conflict(request: Request, principal: Principal, code: str, section_id: str, text: str) -> Response:
    """Both texts side by side, where the section was changed elsewhere meanwhile."""
    full, jobs = await _looked_at(request, principal, code)
    draft = full.draft.draft
    if not is_htmx_request(request):
        return await _show(request, full, jobs, edit=section_id, typed=text, conflict=section_id, status_code=412)
    shown = render_fragment(
        request,
        "newsletter/section_conflict.html",
        section=draft.section(section_id),
        draft=draft,
        typed=text,
        numbering=numbering_of(full),
        base=address(code),
        csrf=request.headers.get("X-CSRF-Token", ""),
        oob=True,
    )
    return HTMLResponse(shown)
