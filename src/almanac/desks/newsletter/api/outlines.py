"""API, step 3: the outline as a whole and item by item."""

from typing import Annotated

from fastapi import Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.newsletter.api.dependencies import Code, NewsletterJobBody, PartId, Reader, Words, Writer, new_router
from almanac.desks.newsletter.api.schemas import OutlineBody, OutlineSectionBody, SectionItemBody
from almanac.desks.newsletter.model import outline as rules
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.service import outlines as outline_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.outlines import OutlineChange
from almanac.errors import FieldErrors
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag, parse_if_match
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.problems import documented_problems
from almanac.kit.messages import gettext
from almanac.services import Services

router = new_router()
EDITS = documented_problems(412, 428)
Position = Annotated[int, Field(ge=0, le=1000)]


class OutlineRequest(ApiModel):
    """A whole outline: as sections, or as text with headings, lists, numbers or indentation."""

    sections: Annotated[list[OutlineSectionBody], Field(max_length=200)] | None = None
    text: Annotated[str, Field(max_length=100_000)] | None = None


class NewItemRequest(ApiModel):
    """An item to add to a section."""

    section_id: Words
    title: Words
    description: Words = ""
    notes: Words = ""
    included: bool = True
    sources: list[Words] = Field(default_factory=list, max_length=100)
    position: Position | None = None


class ItemEditRequest(ApiModel):
    """What to change about an item; `section_id` and `position` move it."""

    title: Words | None = None
    description: Words | None = None
    notes: Words | None = None
    included: bool | None = None
    sources: Annotated[list[Words], Field(max_length=100)] | None = None
    section_id: Words | None = None
    position: Position | None = None

    def edit(self) -> rules.ItemEdit:
        return rules.ItemEdit(
            title=self.title,
            description=self.description,
            notes=self.notes,
            included=self.included,
            sources=None if self.sources is None else tuple(self.sources),
        )


class NewSectionRequest(ApiModel):
    """A section to add."""

    name: Words
    position: Position | None = None


class SectionEditRequest(ApiModel):
    """What to change about a section; `position` moves it."""

    name: Words | None = None
    notes: Words | None = None
    included: bool | None = None
    position: Position | None = None


def _body(full: FullNewsletter, response: Response) -> OutlineBody:
    response.headers["ETag"] = etag(full.outline.version)
    return OutlineBody.from_model(full)


async def _change_outline(
    request: Request, response: Response, code: str, principal: Principal, if_match: str | None, change: OutlineChange
) -> OutlineBody:
    full = await outline_service.change_outline(
        get_state(request).services, principal, code, change, expected=parse_if_match(if_match)
    )
    return _body(full, response)


@router.get("/{code}/outline")
async def get_outline(request: Request, response: Response, code: Code, principal: Reader) -> OutlineBody:
    """The outline with what a person changed in it."""
    return _body(await open_newsletter(get_state(request).services, principal, code), response)


@router.put("/{code}/outline", responses=EDITS)
async def replace_outline(
    request: Request, response: Response, code: Code, body: OutlineRequest, principal: Writer, if_match: IfMatch = None
) -> OutlineBody:
    """Replace the outline; differences count as added, removed or edited.

    Needs If-Match with the ETag that was read.
    """
    services, expected = get_state(request).services, parse_if_match(if_match)
    if (body.sections is None) == (body.text is None):
        raise FieldErrors({"sections": gettext("Send either sections or text.")})
    if body.text is not None:
        full = await outline_service.paste_outline(services, principal, code, body.text, expected=expected)
    else:
        sections = [section.value() for section in body.sections or ()]
        full = await outline_service.replace_outline(services, principal, code, sections, expected=expected)
    return _body(full, response)


@router.post("/{code}/outline/generate", status_code=202, responses=documented_problems(409), openapi_extra=REPEATABLE)
async def start_outline(request: Request, code: Code, principal: Writer) -> NewsletterJobBody:
    """Make an outline from the retrieved sources in a job; added and edited items are kept."""
    return NewsletterJobBody.from_model(
        await step_service.start_step(get_state(request).services, principal, code, "outline")
    )


@router.post("/{code}/outline/items", status_code=201, responses=documented_problems(412), openapi_extra=REPEATABLE)
async def add_item(
    request: Request, response: Response, code: Code, new: NewItemRequest, principal: Writer, if_match: IfMatch = None
) -> SectionItemBody:
    """Add an item. If-Match is optional, since nothing can be overwritten."""
    services = get_state(request).services
    added: list[rules.SectionItem] = []
    seed = get_seed(request)

    def change(outline: rules.NewsletterOutline) -> rules.NewsletterOutline:
        edit = rules.ItemEdit(
            title=new.title,
            description=new.description,
            notes=new.notes,
            included=new.included,
            sources=tuple(new.sources),
        )
        existing = rules.find_same_item(outline, new.section_id, edit) if seed and seed.is_repeated else None
        changed, item = (
            (outline, existing) if existing else rules.add_item(outline, new.section_id, edit, position=new.position)
        )
        added[:] = [item]
        return changed

    full = await outline_service.change_outline(
        services, principal, code, change, expected=await _expected_version(services, principal, code, if_match)
    )
    response.headers["ETag"] = etag(full.outline.version)
    return SectionItemBody.from_model(added[0])


async def _expected_version(services: Services, principal: Principal, code: str, if_match: str | None) -> int:
    if if_match:
        return parse_if_match(if_match)
    return (await open_newsletter(services, principal, code, consistent=True)).outline.version


@router.patch("/{code}/outline/items/{item_id}", responses=EDITS)
async def edit_item(
    request: Request,
    response: Response,
    code: Code,
    item_id: PartId,
    body: ItemEditRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> OutlineBody:
    """Change an item, or move it. Needs If-Match with the ETag that was read."""

    def change(outline: rules.NewsletterOutline) -> rules.NewsletterOutline:
        outline = rules.edit_item(outline, item_id, body.edit())
        if body.section_id is None and body.position is None:
            return outline
        target = body.section_id or outline.section_of(item_id).id
        position = len(outline.section(target).items) if body.position is None else body.position
        return rules.move_item(outline, item_id, target, position)

    return await _change_outline(request, response, code, principal, if_match, change)


@router.delete("/{code}/outline/items/{item_id}", responses=EDITS)
async def remove_item(
    request: Request, response: Response, code: Code, item_id: PartId, principal: Writer, if_match: IfMatch = None
) -> OutlineBody:
    """Remove an item. Needs If-Match with the ETag that was read."""
    return await _change_outline(
        request, response, code, principal, if_match, lambda outline: rules.remove_item(outline, item_id)
    )


@router.post("/{code}/outline/sections", status_code=201, responses=documented_problems(412), openapi_extra=REPEATABLE)
async def add_section(
    request: Request,
    response: Response,
    code: Code,
    new: NewSectionRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> OutlineBody:
    """Add a section. If-Match is optional."""
    services, seed = get_state(request).services, get_seed(request)

    def change(outline: rules.NewsletterOutline) -> rules.NewsletterOutline:
        if seed and seed.is_repeated and rules.has_section_named(outline, new.name):
            return outline
        return rules.add_section(outline, new.name, position=new.position)

    full = await outline_service.change_outline(
        services,
        principal,
        code,
        change,
        expected=await _expected_version(services, principal, code, if_match),
    )
    return _body(full, response)


@router.patch("/{code}/outline/sections/{section_id}", responses=EDITS)
async def edit_section(
    request: Request,
    response: Response,
    code: Code,
    section_id: PartId,
    body: SectionEditRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> OutlineBody:
    """Rename, include, exclude or move a section. Needs If-Match with the ETag that was read."""

    def change(outline: rules.NewsletterOutline) -> rules.NewsletterOutline:
        edit = rules.SectionEdit(name=body.name, notes=body.notes, included=body.included)
        outline = rules.edit_section(outline, section_id, edit)
        return outline if body.position is None else rules.move_section(outline, section_id, body.position)

    return await _change_outline(request, response, code, principal, if_match, change)


@router.delete("/{code}/outline/sections/{section_id}", responses=EDITS)
async def remove_section(
    request: Request, response: Response, code: Code, section_id: PartId, principal: Writer, if_match: IfMatch = None
) -> OutlineBody:
    """Remove a section with its items. Needs If-Match with the ETag that was read."""
    return await _change_outline(
        request, response, code, principal, if_match, lambda outline: rules.remove_section(outline, section_id)
    )
