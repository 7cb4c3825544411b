"""API: templates and their versions."""

from datetime import datetime
from typing import Annotated

from fastapi import Request, Response
from pydantic import Field

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import PREFIX, Currency, Name, Reader, TemplateId, Writer, new_router
from almanac.desks.reminders.model.draft import LetterWording, ReminderTemplate
from almanac.desks.reminders.writer.templates import MAX_BODY, MAX_SUBJECT, PLACEHOLDERS, TemplateText
from almanac.http.api_models import ApiModel, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.etags import with_etag
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.problems import documented_problems

router = new_router()

Subject = Annotated[str, Field(max_length=MAX_SUBJECT)]
Body = Annotated[str, Field(max_length=MAX_BODY, description=f"Placeholders: {', '.join(PLACEHOLDERS)}.")]


class ReminderTemplateBody(ApiModel):
    """One version of a template; versions never change."""

    template_id: str
    version: int
    template_name: str
    template_type: str
    subject_template: str
    body_template: str
    status: str
    created_date: datetime | None

    @classmethod
    def from_model(cls, template: ReminderTemplate) -> "ReminderTemplateBody":
        return cls(
            template_id=template.id,
            version=template.version,
            template_name=template.name,
            template_type=template.kind,
            subject_template=template.subject,
            body_template=template.body,
            status="active" if template.active else "retired",
            created_date=template.created_at,
        )


class TemplateVersionRequest(ApiModel):
    """A new version of a template; version 0 creates a new template."""

    template_id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")]
    subject_template: Subject
    body_template: Body
    template_name: Text = ""
    version: int = Field(0, ge=0, le=10**9, description="The version that this one is based on; 0 creates a template.")


class TemplatePreviewRequest(ApiModel):
    """The customer; with both texts, an unsaved text is previewed."""

    customer_id: Name
    currency: Currency | None = None
    subject_template: Subject | None = None
    body_template: Body | None = None


class TemplatePreviewBody(ApiModel):
    """The letter that the template produces."""

    email_subject: str
    email_content: str
    email_html: str | None
    recipients: list[str]

    @classmethod
    def from_model(cls, wording: LetterWording) -> "TemplatePreviewBody":
        return cls(
            email_subject=wording.subject,
            email_content=wording.text,
            email_html=wording.html,
            recipients=list(wording.recipients),
        )


@router.get("/templates")
async def list_templates(request: Request, principal: Reader) -> Listed[ReminderTemplateBody]:
    """List the newest version of every template, shipped ones included."""
    templates = await service.list_templates(get_state(request).services, principal)
    return Listed(items=[ReminderTemplateBody.from_model(template) for template in templates], next_cursor=None)


@router.post("/templates", status_code=201, responses=documented_problems(412), openapi_extra=REPEATABLE)
async def save_template(
    request: Request, response: Response, body: TemplateVersionRequest, principal: Writer
) -> ReminderTemplateBody:
    """Save a new version; unsent drafts of older versions must be rewritten."""
    text = TemplateText(body.subject_template, body.body_template)
    services = get_state(request).services
    saved = await service.save_template(
        services,
        principal,
        body.template_id,
        text,
        name=body.template_name,
        expected=body.version,
        seed=get_seed(request),
    )
    response.headers["Location"] = f"{PREFIX}/templates/{saved.id}"
    return ReminderTemplateBody.from_model(with_etag(response, saved))


@router.get("/templates/{template_id}")
async def get_template(
    request: Request, response: Response, template_id: TemplateId, principal: Reader, version: int | None = None
) -> ReminderTemplateBody:
    """Get the newest version of a template, or the given one."""
    template = await service.get_template(get_state(request).services, principal, template_id, version)
    return ReminderTemplateBody.from_model(with_etag(response, template))


@router.get("/templates/{template_id}/versions")
async def list_versions(request: Request, template_id: TemplateId, principal: Reader) -> Listed[ReminderTemplateBody]:
    """List all versions of a template, newest first."""
    versions = await service.list_template_versions(get_state(request).services, principal, template_id)
    return Listed(items=[ReminderTemplateBody.from_model(version) for version in versions], next_cursor=None)


@router.post("/templates/{template_id}/preview", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def preview_template(
    request: Request, template_id: TemplateId, body: TemplatePreviewRequest, principal: Reader
) -> TemplatePreviewBody:
    """Preview the letter that a template produces for a customer now; nothing is written."""
    text = None
    if body.subject_template is not None or body.body_template is not None:
        text = TemplateText(body.subject_template or "", body.body_template or "")
    services = get_state(request).services
    wording = await service.preview_template(
        services, principal, template_id, body.customer_id, text=text, currency=body.currency
    )
    return TemplatePreviewBody.from_model(wording)
