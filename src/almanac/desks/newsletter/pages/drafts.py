"""Step 4: the text next to its sources, editing one section at a time, and completing the draft."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.draft import DraftSection
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.readable_draft import build_readable_draft, number_sentences
from almanac.desks.newsletter.model.revisions import compare_sections
from almanac.desks.newsletter.model.verification import list_obstacles, list_remarks, tally_checks
from almanac.desks.newsletter.pages.draft_view import (
    CitedReferences,
    ReferenceNumbering,
    SectionView,
    number_references,
    shorten_diff,
    view_section,
)
from almanac.desks.newsletter.pages.layout import Code, PartId, Reader, Writer, load_newsletter, step_page
from almanac.desks.newsletter.pages.progress import section_progress, step_progress
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.service import drafts as draft_service
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.errors import Conflict, StaleEdit, TooLarge
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, make_conflict
from almanac.http.live import RunningWork
from almanac.http.pages import (
    FormText,
    FormTexts,
    is_htmx_request,
    parse_form_version,
    redirect_with_message,
    render_fragment,
)
from almanac.kit.messages import gettext
from almanac.reader.service import get_progress
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/{code}/draft")


@dataclass(frozen=True, slots=True)
class DraftSectionView:
    """A section of the draft with its rendered text, its running job and its proposal as a diff."""

    section: DraftSection
    view: SectionView
    running: RunningWork
    proposal: list[tuple[str, str]]


@router.get("")
async def show_draft(
    request: Request, code: Code, principal: Reader, edit: Annotated[str, Query(max_length=200)] = "", settle: str = ""
) -> Response:
    """The draft; `edit` is the section that is open, `settle` shows first what blocks completion."""
    return await _show(
        request, *await _load_with_progress(request, principal, code), edit=edit, is_refused=bool(settle)
    )


@router.post("/generate")
async def generate_draft(request: Request, code: Code, principal: Writer) -> Response:
    """Write the sections of the outline in a job; texts that a person wrote are kept."""
    try:
        await step_service.start_step(get_state(request).services, principal, code, "draft")
    except Conflict as error:
        loaded = await _load_with_progress(request, principal, code)
        return await _show(request, *loaded, problem=error.sentence, status_code=error.status)
    return redirect_with_message(request, newsletter_path(code, "draft"))


@router.post("/sections/{section_id}")
async def save_section(
    request: Request,
    code: Code,
    section_id: PartId,
    principal: Writer,
    version: FormText = "",
    text: FormText = "",
    references: FormTexts = None,
) -> Response:
    """Save a person's text for a section, while typing or when done."""
    services = get_state(request).services
    text = ReferenceNumbering(tuple(references or ())).stored(text)
    try:
        full = await draft_service.edit_section(
            services, principal, code, section_id, text, expected=parse_form_version(version)
        )
    except StaleEdit:
        return await _conflict(request, principal, code, section_id, text)
    except TooLarge as error:
        if is_htmx_request(request):
            raise
        return await _show(
            request,
            *await _load_with_progress(request, principal, code),
            edit=section_id,
            unsaved_text=text,
            problem=error.sentence,
            status_code=error.status,
        )
    if is_htmx_request(request):
        return _saved(request, full, section_id)
    return redirect_with_message(
        request, f"{newsletter_path(code, 'draft')}#section-{section_id}", gettext("Section saved.")
    )


@router.post("/sections/{section_id}/regenerate")
async def regenerate_section(
    request: Request, code: Code, section_id: PartId, principal: Writer, instruction: FormText = ""
) -> Response:
    """Rewrite a section with an instruction; next to a person's own text the result is a proposal."""
    services = get_state(request).services
    await draft_service.regenerate_section(services, principal, code, section_id, instruction=instruction)
    return redirect_with_message(request, f"{newsletter_path(code, 'draft')}#section-{section_id}")


@router.post("/sections/{section_id}/proposal")
async def decide_proposal(
    request: Request, code: Code, section_id: PartId, principal: Writer, version: FormText = "", accepted: FormText = ""
) -> Response:
    """Accept or reject the proposed text."""
    await draft_service.decide_proposal(
        get_state(request).services,
        principal,
        code,
        section_id,
        accepted=bool(accepted),
        expected=parse_form_version(version),
    )
    words = gettext("New text in place; your text is kept as a revision.") if accepted else gettext("Kept your text.")
    return redirect_with_message(request, f"{newsletter_path(code, 'draft')}#section-{section_id}", words)


@router.post("/complete")
async def complete_draft(request: Request, code: Code, principal: Writer, version: FormText = "") -> Response:
    """Complete the newsletter, or show what blocks it."""
    services = get_state(request).services
    try:
        await newsletter_service.complete_newsletter(services, principal, code, expected=parse_form_version(version))
    except Conflict:
        # A redirect, so that reloading the page doesn't submit the form again.
        return redirect_with_message(request, f"{newsletter_path(code, 'draft')}?settle=yes")
    return redirect_with_message(
        request, newsletter_path(code, "export"), gettext("Newsletter completed; you can export it now.")
    )


async def _load_with_progress(
    request: Request, principal: Principal, code: str
) -> tuple[FullNewsletter, dict[str, RunningWork]]:
    """The newsletter, and the progress of the jobs of its sections."""
    services = get_state(request).services
    full = await load_newsletter(request, principal, code)
    running = {section.id: await _progress(services, full, section) for section in full.draft.draft.sections}
    if any(section.job and not section.is_running for section in running.values()):
        # The job may have ended and saved its text between the two reads, so read again.
        full = await load_newsletter(request, principal, code)
    return full, running


async def _show(
    request: Request,
    full: FullNewsletter,
    jobs: Mapping[str, RunningWork],
    /,
    *,
    edit: str = "",
    unsaved_text: str | None = None,
    conflict: EditConflict | None = None,
    problem: str = "",
    is_refused: bool = False,
    status_code: int = 200,
) -> Response:
    services = get_state(request).services
    checked = await check_draft(services, full)
    references = CitedReferences({chunk.id: chunk for chunk in full.topics.chunks})
    numbering = number_references(full)
    views = [view_section(section, references, numbering) for section in checked]
    sections = [
        DraftSectionView(
            section.section,
            view,
            jobs.get(section.section.id) or await _progress(services, full, section.section),
            _proposal(section.section, numbering),
        )
        for section, view in zip(checked, views, strict=True)
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
        obstacles=list_obstacles(full, checked),
        remarks=list_remarks(checked),
        tally=tally_checks(checked),
        progress=await get_progress(services.database, build_readable_draft(full, checked)),
        reader_numbers=number_sentences(checked),
        edit=edit,
        typed=unsaved_text,
        conflict=conflict,
        problem=problem,
        is_refused=is_refused,
        planned=full.outline.outline.to_write,
        running=await step_progress(services, full, "draft"),
    )


def _proposal(section: DraftSection, numbering: ReferenceNumbering) -> list[tuple[str, str]]:
    """The proposal as a diff."""
    (difference,) = compare_sections({"": section.text}, {"": section.proposal or ""}, {})
    return shorten_diff(difference.lines, numbering) if section.proposal else []


async def _progress(services: Services, full: FullNewsletter, section: DraftSection) -> RunningWork:
    return await section_progress(services, full.code, section.id, section.name, section.job)


def _saved(request: Request, full: FullNewsletter, section_id: str) -> HTMLResponse:
    draft = full.draft.draft
    section = draft.section(section_id)
    return HTMLResponse(render_fragment(request, "newsletter/section_saved.html", section=section, draft=draft))


async def _conflict(request: Request, principal: Principal, code: str, section_id: str, text: str) -> Response:
    """Both texts side by side, if the section was changed somewhere else."""
    full, jobs = await _load_with_progress(request, principal, code)
    draft, numbering = full.draft.draft, number_references(full)
    section = draft.section(section_id)
    rows = [(section.name, numbering.shown(text), numbering.shown(section.text))]
    href = f"{newsletter_path(code, 'draft')}?{urlencode({'edit': section_id})}"
    conflict = await make_conflict(request, rows, draft.version, href)
    if not is_htmx_request(request):
        return await _show(request, full, jobs, edit=section_id, unsaved_text=text, conflict=conflict, status_code=412)
    shown = render_fragment(
        request,
        "newsletter/section_conflict.html",
        section=section,
        conflict=conflict,
        csrf=request.headers.get("X-CSRF-Token", ""),
        oob=True,
    )
    return HTMLResponse(shown)
