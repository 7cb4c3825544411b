"""API: drafts, the approval queue, and drafting by template or model."""

from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import PREFIX, Currency, DraftId, Name, Reader, Writer, new_router
from almanac.desks.reminders.api.schemas import ReminderDraftBody
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE, DraftOutcome
from almanac.desks.reminders.pipeline.model_letters import ModelWriting
from almanac.desks.reminders.service.batches import get_draft_batch, start_drafting
from almanac.desks.reminders.writer.templates import MAX_BODY, MAX_SUBJECT
from almanac.http.api_models import ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.kit.messages import gettext

router = new_router()

How = Annotated[Literal["template", "model"], Field(description="From the template, or written by the model.")]


class DraftReminderRequest(ApiModel):
    """Whom to remind. A level other than the next one is refused."""

    customer_id: Name
    reminder_type: Annotated[str, Field(max_length=30)] | None = Field(
        None, description="first, second, final or a custom level; by default the next one."
    )
    currency: Currency | None = Field(None, description="Required if the customer owes in several currencies.")
    how: How = "template"
    instruction: Text = Field("", description="An instruction for the model.")


class DraftManyRequest(ApiModel):
    """Whom to remind; without any, the first hundred who are due."""

    customer_ids: Annotated[list[Name], Field(min_length=1, max_length=MAX_BATCH_SIZE)] | None = None
    how: How = "template"


class DraftBatchStarted(ApiModel):
    """The batch; its result is at `/drafts/bulk/{id}` when the job has ended."""

    id: str
    job_id: int


class ModelWritingStarted(ApiModel):
    """The draft has the template's text until the job has ended; the model's text is then at
    `/drafts/{draft_id}/writings/{id}`.
    """

    id: str
    job_id: int
    draft_id: str


class ModelWritingBody(ApiModel):
    """What the model wrote. `aside` says why it isn't in the draft, if somebody changed the draft meanwhile."""

    draft_id: str
    email_subject: str
    email_content: str
    aside: str

    @classmethod
    def from_model(cls, written: ModelWriting) -> "ModelWritingBody":
        words = written.wording
        return cls(
            draft_id=written.draft_id, email_subject=words.subject, email_content=words.text, aside=written.aside
        )


class DraftOutcomeBody(ApiModel):
    """The result for one customer and currency: a draft, or the reason why there is none."""

    customer_id: str
    currency: str
    draft_id: str | None
    reason: str

    @classmethod
    def from_model(cls, outcome: DraftOutcome) -> "DraftOutcomeBody":
        return cls.model_validate(outcome)


class DraftEditRequest(ApiModel):
    """A new text. Edits with amounts, dates or invoice numbers that the ledger doesn't have are refused."""

    email_subject: Annotated[str, Field(max_length=MAX_SUBJECT)] | None = None
    email_content: Annotated[str, Field(max_length=MAX_BODY)] | None = None


class RedraftRequest(ApiModel):
    """How to rewrite it."""

    how: How = "template"
    instruction: Text = ""


def respond_with_draft(response: Response, draft: ReminderDraft) -> ReminderDraftBody:
    """The draft with its ETag."""
    return ReminderDraftBody.from_model(with_etag(response, draft))


@router.get("/drafts")
async def list_drafts(
    request: Request,
    principal: Reader,
    status: Annotated[
        DraftState, Query(description="`draft` waits for approval, `unknown` for somebody to settle it.")
    ] = "draft",
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[ReminderDraftBody]:
    """List drafts in one status, oldest first; by default those pending approval."""
    page = await service.list_drafts(get_state(request).services, principal, status, limit=limit, cursor=cursor)
    return Listed(items=[ReminderDraftBody.from_model(draft) for draft in page.items], next_cursor=page.next_cursor)


_BY_MODEL: dict[int | str, dict[str, Any]] = {**documented_problems(409), 202: {"model": ModelWritingStarted}}


@router.post("/drafts", status_code=201, responses=_BY_MODEL, openapi_extra=REPEATABLE)
async def draft_reminder(
    request: Request, response: Response, body: DraftReminderRequest, principal: Writer
) -> ReminderDraftBody | ModelWritingStarted:
    """Draft the next reminder of a customer, with everything overdue in one currency.

    With the model, the draft has the template's text at once and a job rewrites it (202).
    """
    services = get_state(request).services
    draft = await service.draft_reminder(
        services, principal, body.customer_id, currency=body.currency, level=body.reminder_type, seed=get_seed(request)
    )
    if body.how == "model":
        return await _start_writing(request, response, principal, draft.id, body.instruction)
    response.headers["Location"] = f"{PREFIX}/drafts/{draft.id}"
    return respond_with_draft(response, draft)


async def _start_writing(
    request: Request, response: Response, by: Principal, draft_id: str, instruction: str
) -> ModelWritingStarted:
    services, seed = get_state(request).services, get_seed(request)
    started = await service.start_model_writing(services, by, draft_id, instruction=instruction, seed=seed)
    response.status_code = 202
    response.headers["Location"] = f"{PREFIX}/drafts/{draft_id}/writings/{started.id}"
    return ModelWritingStarted(id=started.id, job_id=started.job_id, draft_id=draft_id)


@router.post("/drafts/bulk", status_code=202, openapi_extra=REPEATABLE)
async def draft_many(
    request: Request, response: Response, body: DraftManyRequest, principal: Writer
) -> DraftBatchStarted:
    """Draft reminders for up to a hundred customers in a job."""
    services = get_state(request).services
    started = await start_drafting(services, principal, body.customer_ids, how=body.how, seed=get_seed(request))
    response.headers["Location"] = f"{PREFIX}/drafts/bulk/{started.id}"
    return DraftBatchStarted(id=started.id, job_id=started.job_id)


@router.get("/drafts/bulk/{batch_id}")
async def get_batch(request: Request, batch_id: Id, principal: Reader) -> Listed[DraftOutcomeBody]:
    """Get the result of a finished batch for each customer and currency."""
    outcomes = await get_draft_batch(get_state(request).services, principal, batch_id)
    return Listed(items=[DraftOutcomeBody.from_model(outcome) for outcome in outcomes], next_cursor=None)


@router.get("/drafts/{draft_id}")
async def get_draft(request: Request, response: Response, draft_id: DraftId, principal: Reader) -> ReminderDraftBody:
    """Get a draft, exactly as it would be sent."""
    return respond_with_draft(response, await service.get_draft(get_state(request).services, principal, draft_id))


@router.patch("/drafts/{draft_id}", responses=documented_problems(409, 412, 428))
async def edit_draft(
    request: Request,
    response: Response,
    draft_id: DraftId,
    body: DraftEditRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> ReminderDraftBody:
    """Edit the text; an approval is withdrawn. Needs If-Match with the ETag that was read."""
    services, expected = get_state(request).services, parse_if_match(if_match)
    wording = (await service.get_draft(services, principal, draft_id)).wording
    subject = wording.subject if body.email_subject is None else body.email_subject
    text = wording.text if body.email_content is None else body.email_content
    changed = await service.edit_draft(services, principal, draft_id, subject=subject, text=text, expected=expected)
    return respond_with_draft(response, changed)


@router.post("/drafts/{draft_id}/redraft", responses=_BY_MODEL, openapi_extra=REPEATABLE)
async def redraft(
    request: Request, response: Response, draft_id: DraftId, body: RedraftRequest, principal: Writer
) -> ReminderDraftBody | ModelWritingStarted:
    """Rewrite a draft from what is owed now; with the model in a job (202)."""
    services = get_state(request).services
    if body.how == "model":
        return await _start_writing(request, response, principal, draft_id, body.instruction)
    return respond_with_draft(response, await service.redraft(services, principal, draft_id))


@router.get("/drafts/{draft_id}/writings/{writing_id}")
async def get_writing(request: Request, draft_id: DraftId, writing_id: Id, principal: Reader) -> ModelWritingBody:
    """Get what the model wrote for a draft, when its job has ended."""
    return ModelWritingBody.from_model(
        await service.get_model_writing(get_state(request).services, principal, draft_id, writing_id)
    )


@router.post(
    "/drafts/{draft_id}/writings/{writing_id}/use", responses=documented_problems(409), openapi_extra=REPEATABLE
)
async def use_writing(
    request: Request, response: Response, draft_id: DraftId, writing_id: Id, principal: Writer
) -> ReminderDraftBody:
    """Use the model's stored text."""
    services = get_state(request).services
    return respond_with_draft(response, await service.use_model_writing(services, principal, draft_id, writing_id))


_CANCELLED = str(gettext("Cancelled by a person."))


@router.delete("/drafts/{draft_id}", responses=documented_problems(409))
async def cancel_draft(
    request: Request,
    response: Response,
    draft_id: DraftId,
    principal: Writer,
    why: Annotated[Text, Query(description="Why it is cancelled.")] = _CANCELLED,
) -> ReminderDraftBody:
    """Cancel a draft for good; its level is free again."""
    return respond_with_draft(
        response, await service.cancel_draft(get_state(request).services, principal, draft_id, why=why)
    )
