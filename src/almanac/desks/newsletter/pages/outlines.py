"""Step 3: the outline, its generation, pasting, and each single edit."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model import outline as model
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import ItemEdit, NewsletterOutline, SectionEdit, empty_outline
from almanac.desks.newsletter.pages.layout import Code, PartId, Reader, Writer, load_newsletter, step_page
from almanac.desks.newsletter.pages.progress import step_progress
from almanac.desks.newsletter.service import outlines as outline_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service.outlines import OutlineChange, remove_from_outline, undo_removal
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.errors import Conflict, InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, FormTexts, parse_form_version, redirect_with_message
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/{code}/outline")
_STEPS = {"up": -1, "down": 1}


@router.get("")
async def show_outline(
    request: Request, code: Code, principal: Reader, edit: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """The outline; `edit` is the section or item that is open."""
    return await _show(request, await load_newsletter(request, principal, code), edit=edit)


@router.post("/generate")
async def generate_outline(request: Request, code: Code, principal: Writer) -> Response:
    """Generate the outline from the included passages in a job; added and edited items are kept."""
    try:
        await step_service.start_step(get_state(request).services, principal, code, "outline")
    except Conflict as error:
        return await show_refused(request, principal, code, error)
    return redirect_with_message(request, newsletter_path(code, "outline"))


@router.post("/paste")
async def paste_outline(
    request: Request, code: Code, principal: Writer, version: FormText = "", text: FormText = ""
) -> Response:
    """Replace the outline with pasted text."""
    services = get_state(request).services
    try:
        await outline_service.paste_outline(services, principal, code, text, expected=parse_form_version(version))
    except (InputError, StaleEdit) as error:
        return await show_refused(request, principal, code, error, pasted=text)
    undo = newsletter_path(code, "outline", "undo")
    return redirect_with_message(request, newsletter_path(code, "outline"), gettext("Outline replaced."), undo=undo)


@router.post("/undo")
async def undo_outline_removal(request: Request, code: Code, principal: Writer) -> Response:
    """Undo the last removal."""
    await undo_removal(get_state(request).services, principal, code)
    return redirect_with_message(request, newsletter_path(code, "outline"), gettext("The outline is as it was before."))


async def show_refused(
    request: Request, principal: Principal, code: str, error: InputError | StaleEdit | Conflict, *, pasted: str = ""
) -> Response:
    """The current outline with the reason of the refusal; the pasted text stays in its field."""
    if request.headers.get("HX-Request"):
        raise error
    full = await load_newsletter(request, principal, code)
    return await _show(request, full, problem=error.sentence, pasted=pasted, status_code=error.status)


async def _show(
    request: Request,
    full: FullNewsletter,
    /,
    *,
    edit: str = "",
    problem: str = "",
    pasted: str = "",
    status_code: int = 200,
) -> Response:
    step = full.outline
    outline = step.outline if step.outline.sections else empty_outline()
    marks = outline.modifications
    return await step_page(
        request,
        "outline",
        full,
        status_code=status_code,
        step=step,
        outline=outline,
        edit=edit,
        problem=problem,
        pasted=pasted,
        added=set(marks.added),
        edited=set(marks.edited),
        included=full.topics.included,
        chunks={chunk.id: chunk for chunk in full.topics.chunks},
        is_begun=bool(step.outline.items),
        running=await step_progress(get_state(request).services, full, "outline"),
    )


@router.post("/sections")
async def add_section(
    request: Request, code: Code, principal: Writer, version: FormText = "", name: FormText = ""
) -> Response:
    """Add a section at the end."""
    return await _change_outline(request, principal, code, version, lambda outline: model.add_section(outline, name))


@router.post("/sections/{section_id}")
async def edit_section(
    request: Request,
    code: Code,
    section_id: PartId,
    principal: Writer,
    version: FormText = "",
    name: FormText = "",
    notes: FormText = "",
) -> Response:
    """Rename a section, or change its notes."""
    change = partial(model.edit_section, section_id=section_id, edit=SectionEdit(name=name, notes=notes))
    return await _change_outline(request, principal, code, version, change)


@router.post("/items")
async def add_item(
    request: Request,
    code: Code,
    principal: Writer,
    version: FormText = "",
    section_id: FormText = "",
    title: FormText = "",
) -> Response:
    """Add an item at the end of a section."""
    return await _change_outline(
        request, principal, code, version, lambda outline: model.add_item(outline, section_id, ItemEdit(title=title))[0]
    )


@router.post("/items/{item_id}")
async def edit_item(
    request: Request,
    code: Code,
    item_id: PartId,
    principal: Writer,
    version: FormText = "",
    title: FormText = "",
    description: FormText = "",
    notes: FormText = "",
    sources: FormTexts = None,
) -> Response:
    """Change an item and its pinned sources."""
    edit = ItemEdit(title=title, description=description, notes=notes, sources=tuple(sources or ()))
    return await _change_outline(
        request, principal, code, version, partial(model.edit_item, item_id=item_id, edit=edit)
    )


@router.post("/include")
async def include_part(
    request: Request,
    code: Code,
    principal: Writer,
    version: FormText = "",
    section_id: FormText = "",
    item_id: FormText = "",
    included: FormText = "",
) -> Response:
    """Include or exclude a section or item."""

    def change(outline: NewsletterOutline) -> NewsletterOutline:
        if item_id:
            return model.edit_item(outline, item_id, ItemEdit(included=bool(included)))
        return model.edit_section(outline, section_id, SectionEdit(included=bool(included)))

    return await _change_outline(request, principal, code, version, change)


@router.post("/move")
async def move_part(
    request: Request,
    code: Code,
    principal: Writer,
    version: FormText = "",
    section_id: FormText = "",
    item_id: FormText = "",
    to: FormText = "",
    position: FormText = "",
) -> Response:
    """Move up or down by one, or to a position; an item may move to another section."""

    def change(outline: NewsletterOutline) -> NewsletterOutline:
        if item_id:
            return (
                _move_item_by_one(outline, item_id, to)
                if to in _STEPS
                else model.move_item(outline, item_id, section_id, _parse_position(position))
            )
        at = [section.id for section in outline.sections].index(outline.section(section_id).id)
        return model.move_section(
            outline, section_id, max(0, at + _STEPS[to]) if to in _STEPS else _parse_position(position)
        )

    return await _change_outline(request, principal, code, version, change)


@router.post("/remove")
async def remove_part(
    request: Request,
    code: Code,
    principal: Writer,
    version: FormText = "",
    section_id: FormText = "",
    item_id: FormText = "",
) -> Response:
    """Remove a section or item; the message offers to undo it."""
    change = (
        partial(model.remove_item, item_id=item_id) if item_id else partial(model.remove_section, section_id=section_id)
    )
    try:
        await remove_from_outline(
            get_state(request).services, principal, code, change, expected=parse_form_version(version)
        )
    except StaleEdit as error:
        return await show_refused(request, principal, code, error)
    words = gettext("Item removed.") if item_id else gettext("Section removed.")
    return redirect_with_message(
        request, newsletter_path(code, "outline"), words, undo=newsletter_path(code, "outline", "undo")
    )


async def _change_outline(
    request: Request, principal: Principal, code: str, version: str, change: OutlineChange
) -> Response:
    services = get_state(request).services
    try:
        await outline_service.change_outline(services, principal, code, change, expected=parse_form_version(version))
    except (InputError, StaleEdit) as error:
        return await show_refused(request, principal, code, error)
    return redirect_with_message(request, newsletter_path(code, "outline"))


def _move_item_by_one(outline: NewsletterOutline, item_id: str, to: str) -> NewsletterOutline:
    """Move one position up or down, across the edge of a section into the next one."""
    section = outline.section_of(item_id)
    at = [item.id for item in section.items].index(item_id) + _STEPS[to]
    if 0 <= at < len(section.items):
        return model.move_item(outline, item_id, section.id, at)
    target = [other.id for other in outline.sections].index(section.id) + _STEPS[to]
    if not 0 <= target < len(outline.sections):
        return outline
    neighbour = outline.sections[target]
    return model.move_item(outline, item_id, neighbour.id, len(neighbour.items) if to == "up" else 0)


def _parse_position(position: str) -> int:
    if not position.isdecimal() or len(position) > 4:
        raise InputError(gettext("That isn't a valid position; reload the page."))
    return int(position)
