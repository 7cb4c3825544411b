"""API: why something is as it is, as a trace with what comes next and what can be done."""

from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.errors import NotFound
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.web.why_answer import answer_why
from almanac.why import UNKNOWN_SUBJECT, TraceStep, WhyTone, WhyTrace

router = APIRouter(prefix=f"{API_PREFIX}/why", tags=["why"])


class TraceStepBody(ApiModel):
    """One thing that was looked at or that happened, in order."""

    sentence: str
    tone: WhyTone
    at: datetime | date | None
    href: str = Field(description="The page of the evidence; empty if there is none.")
    quote: str = Field(description="Words of a source, a person or a server, as they are.")
    group: str

    @classmethod
    def from_model(cls, step: TraceStep) -> "TraceStepBody":
        return cls.model_validate(step)


class TraceActionBody(ApiModel):
    """What the caller may do: a page, or with `posts` a form of the pages with these values."""

    label: str
    href: str
    posts: bool
    values: dict[str, str]


class TraceBody(ApiModel):
    """The state of something in one sentence, the steps that led to it, what comes next and what can be done."""

    about: str = Field(description="Names the subject: ask about it again with this.")
    kind: str
    title: str
    state: str
    tone: WhyTone
    href: str
    steps: list[TraceStepBody]
    next_step: str
    actions: list[TraceActionBody]

    @classmethod
    def from_model(cls, trace: WhyTrace) -> "TraceBody":
        return cls(
            about=trace.subject.about,
            kind=trace.subject.kind,
            title=trace.subject.title,
            state=trace.state,
            tone=trace.tone,
            href=trace.href,
            steps=[TraceStepBody.from_model(step) for step in trace.steps],
            next_step=trace.next_step,
            actions=[TraceActionBody.model_validate(action) for action in trace.actions],
        )


class WhyBody(ApiModel):
    """The answers, best first: one where the question means one thing, several to choose from otherwise."""

    items: list[TraceBody]


@router.get("")
async def explain(
    request: Request,
    principal: Annotated[Principal, signed_in()],
    about: Annotated[
        str,
        Query(min_length=1, max_length=4000, description="A name, an address, a sentence, or `about` of an answer."),
    ],
) -> WhyBody:
    """Explain why something is as it is, as far as the caller may see it; 404 for everything else."""
    state = get_state(request)
    answer = await answer_why(state.services, state.desks, principal, about)
    traces = [answer.trace] if answer.trace else answer.choices
    if not traces:
        raise NotFound(UNKNOWN_SUBJECT)
    return WhyBody(items=[TraceBody.from_model(trace) for trace in traces])
