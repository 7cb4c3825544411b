"""API, step 1: a person's newsletters and their configuration."""

from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import Field

from almanac.desks.newsletter.api.dependencies import PREFIX, Code, Reader, Words, Writer, new_router
from almanac.desks.newsletter.api.drafts import draft_body
from almanac.desks.newsletter.api.schemas import (
    ConfiguredBody,
    FullNewsletterBody,
    IssueScheduleBody,
    NewsletterBody,
    NewsletterDraftBody,
    OutlineBody,
    TopicsBody,
    newsletter_fields,
)
from almanac.desks.newsletter.model import configuration as rules
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.retrieval_plan import describe_issue, plan_retrieval
from almanac.desks.newsletter.model.topics import GROUPS, TOPIC_TYPES, recommend_topics
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.newsletters import list_upcoming_runs
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag, parse_if_match, with_etag
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.services import Services

router = new_router()


class ConfigurationRequest(ApiModel):
    """The fields to set; others keep their value, or get a default in a new newsletter."""

    title: Words | None = None
    description: Words | None = None
    target_audience: Annotated[list[Words], Field(max_length=100)] | None = None
    tone_professional: int | None = None
    tone_technical: int | None = None
    tone_preset: Words | None = Field(None, description=f"Sets both tones: {', '.join(rules.TONE_PRESETS)}.")
    format_type: Words | None = None
    length_preference: Words | None = None
    frequency: Words | None = None
    geographic_focus: Words | None = None
    source_kinds: Annotated[list[Words], Field(max_length=100)] | None = Field(
        None, description=f"Which desks feed it: {', '.join(rules.SOURCE_KINDS)}."
    )
    schedule: IssueScheduleBody | None = None

    def value(self) -> rules.ConfigurationEdit:
        members: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in self}
        members["schedule"] = self.schedule.value() if self.schedule else None
        return rules.ConfigurationEdit(**members)


class DuplicateRequest(ApiModel):
    """The title of the new newsletter."""

    title: Words | None = None


class TopicTypeBody(ApiModel):
    """A topic type: its key, and the display name that it is stored under."""

    key: str
    name: str
    group: str


class OptionsBody(ApiModel):
    """What can be chosen in each field."""

    audiences: dict[str, str]
    formats: dict[str, str]
    frequencies: dict[str, str]
    lengths: dict[str, tuple[int, int]]
    tone_presets: dict[str, tuple[int, int]]
    source_kinds: dict[str, str]
    topic_groups: dict[str, str]
    topic_types: list[TopicTypeBody]


def configured_body(services: Services, full: FullNewsletter) -> ConfiguredBody:
    """The newsletter with what is derived from its configuration."""
    newsletter = full.newsletter
    plan = plan_retrieval(newsletter.configuration, services.clock.now())
    return ConfiguredBody(
        **newsletter_fields(newsletter),
        sentence=describe_issue(newsletter.configuration, plan),
        next_runs=list_upcoming_runs(services, newsletter),
        planned_chunks=plan.chunks,
        planned_days=plan.days,
        changes=[change.sentence for change in full.changes],
    )


@router.get("")
async def list_newsletters(
    request: Request, principal: Reader, cursor: Cursor = None, limit: Limit = 25
) -> Listed[NewsletterBody]:
    """Your own newsletters, the latest first."""
    page = await newsletter_service.list_own_newsletters(
        get_state(request).services, principal, limit=limit, cursor=cursor
    )
    return Listed(
        items=[NewsletterBody.from_model(newsletter) for newsletter in page.items], next_cursor=page.next_cursor
    )


@router.post("", status_code=201, openapi_extra=REPEATABLE)
async def create_newsletter(
    request: Request, response: Response, body: ConfigurationRequest, principal: Writer
) -> ConfiguredBody:
    """Create a newsletter."""
    services = get_state(request).services
    newsletter = await newsletter_service.create_newsletter(services, principal, body.value(), seed=get_seed(request))
    response.headers["Location"] = f"{PREFIX}/{newsletter.code}"
    return configured_body(services, FullNewsletter(newsletter=with_etag(response, newsletter)))


@router.get("/options")
async def list_options(_principal: Reader) -> OptionsBody:
    """The choices of each field, with their limits."""
    return OptionsBody(
        audiences=dict(rules.AUDIENCES),
        formats=dict(rules.FORMATS),
        frequencies=dict(rules.FREQUENCIES),
        lengths={name: (length.fewest, length.most) for name, length in rules.LENGTHS.items()},
        tone_presets={name: (tone.professional, tone.technical) for name, tone in rules.TONE_PRESETS.items()},
        source_kinds=dict(rules.SOURCE_KINDS),
        topic_groups=dict(GROUPS),
        topic_types=[TopicTypeBody.model_validate(topic) for topic in TOPIC_TYPES],
    )


@router.get("/{code}")
async def get_newsletter(request: Request, response: Response, code: Code, principal: Reader) -> ConfiguredBody:
    """A newsletter's configuration, and what will be written."""
    services = get_state(request).services
    full = await open_newsletter(services, principal, code)
    response.headers["ETag"] = etag(full.newsletter.version)
    return configured_body(services, full)


@router.patch("/{code}", responses=documented_problems(412, 428))
async def edit_newsletter(
    request: Request,
    response: Response,
    code: Code,
    body: ConfigurationRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> ConfiguredBody:
    """Change the configuration. Needs If-Match with the ETag that was read."""
    services = get_state(request).services
    full = await newsletter_service.edit_configuration(
        services, principal, code, body.value(), expected=parse_if_match(if_match)
    )
    response.headers["ETag"] = etag(full.newsletter.version)
    return configured_body(services, full)


@router.delete("/{code}", status_code=204)
async def delete_newsletter(request: Request, code: Code, principal: Writer) -> None:
    """Remove a newsletter with all its steps, revisions and files."""
    await newsletter_service.delete_newsletter(get_state(request).services, principal, code)


@router.post("/{code}/duplicate", status_code=201, openapi_extra=REPEATABLE)
async def duplicate_newsletter(
    request: Request, response: Response, code: Code, body: DuplicateRequest, principal: Writer
) -> ConfiguredBody:
    """Create another newsletter with the same configuration and topics."""
    services = get_state(request).services
    newsletter = await newsletter_service.duplicate_newsletter(
        services, principal, code, title=body.title, seed=get_seed(request)
    )
    response.headers["Location"] = f"{PREFIX}/{newsletter.code}"
    return configured_body(services, FullNewsletter(newsletter=with_etag(response, newsletter)))


@router.post("/{code}/complete", responses=documented_problems(409, 412, 428), openapi_extra=REPEATABLE)
async def complete_newsletter(
    request: Request, code: Code, principal: Writer, if_match: IfMatch = None
) -> ConfiguredBody:
    """Mark the draft as finished. Needs If-Match with the draft's ETag; unsupported sentences block it with 409."""
    services = get_state(request).services
    full = await newsletter_service.complete_newsletter(services, principal, code, expected=parse_if_match(if_match))
    return configured_body(services, full)


@router.get("/{code}/full")
async def get_full(request: Request, code: Code, principal: Reader) -> FullNewsletterBody:
    """All four steps, read in one query."""
    services = get_state(request).services
    full = await open_newsletter(services, principal, code)
    recommended = [topic.name for topic in recommend_topics(full.newsletter.configuration.target_audience)]
    draft: NewsletterDraftBody = await draft_body(services, full)
    return FullNewsletterBody(
        newsletter=NewsletterBody.from_model(full.newsletter),
        topics=TopicsBody.from_model(full, recommended),
        outline=OutlineBody.from_model(full),
        draft=draft,
        changes=[change.sentence for change in full.changes],
    )
