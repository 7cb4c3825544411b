"""Templates of reminders: the list, one with its text, versions and preview, and differences between versions."""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.model.draft import LetterWording, ReminderTemplate, check_template_id
from almanac.desks.reminders.pages.customer_picker import choose_customer
from almanac.desks.reminders.pages.layout import PREFIX, Name, Reader, Writer, address, desk_page
from almanac.desks.reminders.writer.templates import PLACEHOLDERS, TemplateText
from almanac.errors import AlmanacError, FieldErrors, InputError, NotFound, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.name_picker import NameChoice
from almanac.http.pages import FormText, parse_form_version, redirect_with_message
from almanac.kit.messages import gettext, join_sentences
from almanac.kit.text import diff_pieces

router = APIRouter(prefix=PREFIX + "/templates")
_COMPARED = {"name": gettext("Name"), "subject": gettext("Subject"), "body": gettext("Text")}
Number = Annotated[int, Path(ge=1, le=999_999)]


@router.get("")
async def show_templates(request: Request, principal: Reader) -> Response:
    """List the newest version of every template."""
    listed = await service.list_templates(get_state(request).services, principal)
    return await desk_page(request, "templates", "templates", templates=listed)


@router.get("/new")
async def show_new(request: Request, _principal: Writer) -> Response:
    """Show the form for a new template."""
    values = {"id": "", "name": "", "subject": "", "body": ""}
    return await desk_page(request, "templates", "template_new", values=values, errors={}, placeholders=PLACEHOLDERS)


@router.post("/new")
async def add_template(
    request: Request,
    principal: Writer,
    template_id: Annotated[str, Form(alias="id")] = "",
    name: FormText = "",
    subject: FormText = "",
    body: FormText = "",
) -> Response:
    """Create a template."""
    text = TemplateText(subject, body.replace("\r\n", "\n"))
    try:
        saved = await service.save_template(
            get_state(request).services, principal, template_id.strip(), text, name=name, expected=0
        )
    except FieldErrors as error:
        errors = _check_id(template_id) | error.fields
    except StaleEdit:
        errors = {"id": gettext("There is a template with this id already.")}
    except InputError as error:
        errors = {"id": error.sentence}
    else:
        return redirect_with_message(
            request, address("templates", saved.id), gettext("%(name)s is saved.", name=saved.name)
        )
    values = {"id": template_id, "name": name, "subject": subject, "body": body}
    return await desk_page(
        request, "templates", "template_new", status_code=422, values=values, errors=errors, placeholders=PLACEHOLDERS
    )


@router.get("/{template_id}")
async def show_template(
    request: Request, template_id: Name, principal: Reader, customer: Annotated[str, Query(max_length=100)] = ""
) -> Response:
    """Show a template: its text to edit, its versions, and a preview for a customer."""
    return await _show(request, principal, template_id, customer=customer)


@router.post("/{template_id}")
async def save_template(
    request: Request,
    template_id: Name,
    principal: Writer,
    name: FormText = "",
    subject: FormText = "",
    body: FormText = "",
    version: FormText = "",
    customer: FormText = "",
    then: FormText = "save",
) -> Response:
    """Save a new version, or preview the text for a customer."""
    text = TemplateText(subject, body.replace("\r\n", "\n"))
    values = {"name": name, "subject": text.subject, "body": text.body, "version": version}
    if then == "preview":
        return await _show(request, principal, template_id, customer=customer, values=values, text=text)
    try:
        saved = await service.save_template(
            get_state(request).services, principal, template_id, text, name=name, expected=parse_form_version(version)
        )
    except FieldErrors as error:
        return await _show(request, principal, template_id, customer=customer, values=values, errors=error.fields)
    except StaleEdit:
        return await _show(request, principal, template_id, customer=customer, values=values, is_stale=True)
    words = gettext("Version %(version)s is saved. Drafts of older versions must be rewritten.", version=saved.version)
    return redirect_with_message(request, address("templates", template_id), words)


@router.get("/{template_id}/versions/{number}")
async def show_version(
    request: Request,
    template_id: Name,
    number: Number,
    principal: Reader,
    against: Annotated[int | None, Query(ge=1, le=999_999)] = None,
) -> Response:
    """Show what a version changed, compared with the one before or another one."""
    versions = await service.list_template_versions(get_state(request).services, principal, template_id)
    shown = _version(versions, number)
    other = (
        _version(versions, against)
        if against
        else next((version for version in versions if version.version < number), None)
    )
    lines = diff_pieces(_lines(other) if other else (), _lines(shown))
    return await desk_page(
        request, "templates", "template_version", template=shown, other=other, lines=lines, newest=versions[0]
    )


async def _show(
    request: Request,
    principal: Principal,
    template_id: str,
    /,
    *,
    customer: str = "",
    values: dict[str, str] | None = None,
    text: TemplateText | None = None,
    errors: dict[str, str] | None = None,
    is_stale: bool = False,
) -> Response:
    services = get_state(request).services
    versions = await service.list_template_versions(services, principal, template_id)
    choice = await choose_customer(services, principal, customer) if customer.strip() else NameChoice()
    wording, why_not = await _preview(request, principal, template_id, choice, text)
    form = values or {"name": versions[0].name, "subject": versions[0].subject, "body": versions[0].body}
    return await desk_page(
        request,
        "templates",
        "template",
        status_code=422 if errors else (412 if is_stale else 200),
        form=form,
        template=versions[0],
        versions=versions,
        errors=errors or {},
        conflict=await _conflict(request, form, versions[0]) if is_stale else None,
        customer=customer,
        matches=choice.matches,
        preview=wording,
        why_not=why_not,
        placeholders=PLACEHOLDERS,
    )


async def _preview(
    request: Request, principal: Principal, template_id: str, choice: NameChoice, text: TemplateText | None
) -> tuple[LetterWording | None, str]:
    """The letter for a customer, or a sentence that says why there is none."""
    if choice.error:
        return None, choice.error
    if not choice.key:
        return None, gettext("Choose a customer to see the letter.") if text else ""
    try:
        services = get_state(request).services
        return await service.preview_template(services, principal, template_id, choice.key, text=text), ""
    except FieldErrors as error:
        return None, join_sentences([error.sentence, *error.fields.values()])
    except AlmanacError as error:
        return None, error.sentence


async def _conflict(request: Request, form: dict[str, str], saved: ReminderTemplate) -> EditConflict:
    saved_values = {"name": saved.name, "subject": saved.subject, "body": saved.body}
    return await make_conflict(request, compare_fields(_COMPARED, form, saved_values), saved.version, request.url.path)


def _version(versions: list[ReminderTemplate], number: int) -> ReminderTemplate:
    template = next((version for version in versions if version.version == number), None)
    if template is None:
        raise NotFound(gettext("This template has no version %(number)s.", number=number))
    return template


def _lines(template: ReminderTemplate) -> list[str]:
    return [template.subject, "", *template.body.splitlines()]


def _check_id(template_id: str) -> dict[str, str]:
    try:
        check_template_id(template_id.strip())
    except InputError as error:
        return {"id": error.sentence}
    return {}
