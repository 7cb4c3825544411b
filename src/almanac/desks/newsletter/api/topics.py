"""API, step 2: topics, retrieval, and which chunks are included."""

from typing import Annotated

from fastapi import Request, Response
from pydantic import Field

from almanac.desks.newsletter.api.dependencies import Code, NewsletterJobBody, Reader, Words, Writer, new_router
from almanac.desks.newsletter.api.schemas import TopicsBody
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.topics import recommend_topics
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service import topics as topic_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag, parse_if_match
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.problems import documented_problems

router = new_router()


class TopicsRequest(ApiModel):
    """Topic types by key or display name, and custom topics."""

    selected_types: Annotated[list[Words], Field(max_length=200)]


class ChunksRequest(ApiModel):
    """Ids of chunks to include or exclude."""

    included: list[Words] = Field(default_factory=list, max_length=1000)
    excluded: list[Words] = Field(default_factory=list, max_length=1000)


def _body(full: FullNewsletter, response: Response) -> TopicsBody:
    response.headers["ETag"] = etag(full.topics.version)
    return TopicsBody.from_model(
        full, [topic.name for topic in recommend_topics(full.newsletter.configuration.target_audience)]
    )


@router.get("/{code}/topics")
async def get_topics(request: Request, response: Response, code: Code, principal: Reader) -> TopicsBody:
    """Chosen topics, retrieved chunks and the coverage report."""
    return _body(await open_newsletter(get_state(request).services, principal, code), response)


@router.put("/{code}/topics", responses=documented_problems(412, 428))
async def choose_topics(
    request: Request, response: Response, code: Code, body: TopicsRequest, principal: Writer, if_match: IfMatch = None
) -> TopicsBody:
    """Choose topics; retrieved chunks are kept. Needs If-Match with the ETag that was read."""
    full = await topic_service.choose_topics(
        get_state(request).services, principal, code, body.selected_types, expected=parse_if_match(if_match)
    )
    return _body(full, response)


@router.patch("/{code}/topics/chunks", responses=documented_problems(412, 428))
async def include_chunks(
    request: Request, response: Response, code: Code, body: ChunksRequest, principal: Writer, if_match: IfMatch = None
) -> TopicsBody:
    """Include or exclude retrieved chunks. Needs If-Match with the ETag that was read."""
    full = await topic_service.include_chunks(
        get_state(request).services,
        principal,
        code,
        included=body.included,
        excluded=body.excluded,
        expected=parse_if_match(if_match),
    )
    return _body(full, response)


@router.post("/{code}/retrieve", status_code=202, responses=documented_problems(409), openapi_extra=REPEATABLE)
async def start_retrieval(request: Request, code: Code, principal: Writer) -> NewsletterJobBody:
    """Retrieve sources in a job."""
    return NewsletterJobBody.from_model(
        await step_service.start_step(get_state(request).services, principal, code, "retrieval")
    )
