"""Step 3, one change at a time: add, rename, describe, include, pin, move and remove sections and items."""

from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter import service
from almanac.desks.newsletter.model import outline as model
from almanac.desks.newsletter.model.outline import ItemEdit, Outline, SectionEdit
from almanac.desks.newsletter.pages.outlines import refused
from almanac.desks.newsletter.pages.wizard import PREFIX, Author, Code, PartId, address
from almanac.desks.newsletter.service.outlines import OutlineChange
from almanac.desks.newsletter.service.undoing import remove_from_outline
from almanac.errors import InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, FormTexts, parse_form_version, redirect_with_message

router = APIRouter(prefix=PREFIX + "/{code}/outline")
_STEPS = {"up": -1, "down": 1}


@router.post("/sections")
async def add_section(
    request: Request, code: Code, principal: Author, version: FormText = "", name: FormText = ""
) -> Response:
    """A new section at the end."""
    return await _changed(request, principal, code, version, lambda outline: model.add_section(outline, name))


@router.post("/sections/{section_id}")
async def edit_section(
    request: Request,
    code: Code,
    section_id: PartId,
    principal: Author,
    version: FormText = "",
    name: FormText = "",
    notes: FormText = "",
) -> Response:
    """Rename a section, or note something for its writer."""
    change = partial(model.edit_section, section_id=section_id, edit=SectionEdit(name=name, notes=notes))
    return await _changed(request, principal, code, version, change)


@router.post("/items")
async def add_item(
    request: Request,
    code: Code,
    principal: Author,
    version: FormText = "",
    section_id: FormText = "",
    title: FormText = "",
) -> Response:
    """A new item at the end of a section."""
    return await _changed(
        request, principal, code, version, lambda outline: model.add_item(outline, section_id, ItemEdit(title=title))[0]
    )


@router.post("/items/{item_id}")
async def edit_item(
    request: Request,
    code: Code,
    item_id: PartId,
    principal: Author,
    version: FormText = "",
    title: FormText = "",
    description: FormText = "",
    notes: FormText = "",
    sources: FormTexts = None,
) -> Response:
    """Change what an item says, and which sources it is to be written from."""
    edit = ItemEdit(title=title, description=description, notes=notes, sources=tuple(sources or ()))
    return await _changed(request, principal, code, version, partial(model.edit_item, item_id=item_id, edit=edit))


@router.post("/include")
async def include(
    request: Request,
    code: Code,
    principal: Author,
    version: FormText = "",
    section_id: FormText = "",
    item_id: FormText = "",
    included: FormText = "",
) -> Response:
    """Write about it, or leave it out."""

    def change(outline: Outline) -> Outline:
        if item_id:
            return model.edit_item(outline, item_id, ItemEdit(included=bool(included)))
        return model.edit_section(outline, section_id, SectionEdit(included=bool(included)))

    return await _changed(request, principal, code, version, change)


@router.post("/move")
async def move(
    request: Request,
    code: Code,
    principal: Author,
    version: FormText = "",
    section_id: FormText = "",
    item_id: FormText = "",
    to: FormText = "",
    position: FormText = "",
) -> Response:
    """Up or down by one, or to a place among the others; an item may go to another section."""

    def change(outline: Outline) -> Outline:
        if item_id:
            return (
                _item_moved(outline, item_id, to)
                if to in _STEPS
                else model.move_item(outline, item_id, section_id, _place(position))
            )
        at = [section.id for section in outline.sections].index(outline.section(section_id).id)
        return model.move_section(outline, section_id, max(0, at + _STEPS[to]) if to in _STEPS else _place(position))

    return await _changed(request, principal, code, version, change)


@router.post("/remove")
async def remove(
    request: Request,
    code: Code,
    principal: Author,
    version: FormText = "",
    section_id: FormText = "",
    item_id: FormText = "",
) -> Response:
    """Take a section or an item out; the message offers to undo it."""
    change = (
        partial(model.remove_item, item_id=item_id) if item_id else partial(model.remove_section, section_id=section_id)
    )
    try:
        await remove_from_outline(
            get_state(request).services, principal, code, change, expected=parse_form_version(version)
        )
    except StaleEdit as error:
        return await refused(request, principal, code, error)
    words = "The item is removed." if item_id else "The section is removed."
    return redirect_with_message(request, address(code, "outline"), words, undo=address(code, "outline", "undo"))


async def _changed(request: Request, principal: Principal, code: str, version: str, change: OutlineChange) -> Response:
    services = get_state(request).services
    try:
        await service.change_outline(services, principal, code, change, expected=parse_form_version(version))
    except (InputError, StaleEdit) as error:
        return await refused(request, principal, code, error)
    return redirect_with_message(request, address(code, "outline"))


def _item_moved(outline: Outline, item_id: str, to: str) -> Outline:
    """One place up or down; from the edge of a section into the next one."""
    section = outline.section_of(item_id)
    at = [item.id for item in section.items].index(item_id) + _STEPS[to]
    if 0 <= at < len(section.items):
        return model.move_item(outline, item_id, section.id, at)
    beside = [one.id for one in outline.sections].index(section.id) + _STEPS[to]
    if not 0 <= beside < len(outline.sections):
        return outline
    neighbour = outline.sections[beside]
    return model.move_item(outline, item_id, neighbour.id, len(neighbour.items) if to == "up" else 0)


def _place(position: str) -> int:
    if not position.isdecimal() or len(position) > 4:
        raise InputError("That place was not understood; load the page again.")
    return int(position)
