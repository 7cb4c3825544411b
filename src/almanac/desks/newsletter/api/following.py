"""API: how far each step is, as it happens, and stopping one."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import datetime

import msgspec
from fastapi import Request
from starlette.responses import Response

from almanac.desks.newsletter import service
from almanac.desks.newsletter.api.dependencies import Author, Code, Reader, new_router
from almanac.desks.newsletter.model.newsletter import StepName
from almanac.desks.newsletter.service.watching import Event, follow
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.live import event_stream
from almanac.http.problems import documented_problems

router = new_router()


class ProgressBody(ApiModel):
    """A step, and how far its job is while it runs."""

    step: StepName
    status: str
    error: str | None
    started_at: datetime | None
    completed_at: datetime | None
    job_id: int | None
    done: int | None
    total: int | None
    doing: str | None

    @classmethod
    def of(cls, progress: service.Progress) -> "ProgressBody":
        state, job = progress.state, progress.job if progress.state.status == "processing" else None
        return cls(
            step=progress.step,
            status=state.status,
            error=state.error,
            started_at=state.started_at,
            completed_at=state.completed_at,
            job_id=state.job,
            done=job.done if job else None,
            total=job.total if job else None,
            doing=job.doing if job else None,
        )


@router.get("/{code}/progress")
async def get_progress(request: Request, code: Code, principal: Reader) -> list[ProgressBody]:
    """Where each step stands."""
    found = await service.progress(get_state(request).services, principal, code)
    return [ProgressBody.of(one) for one in found]


@router.post("/{code}/steps/{step}/cancel", responses=documented_problems(409))
async def cancel_step(request: Request, code: Code, step: StepName, principal: Author) -> list[ProgressBody]:
    """Stop a step; what was there before it began is unchanged."""
    services = get_state(request).services
    await service.cancel(services, principal, code, step)
    return [ProgressBody.of(one) for one in await service.progress(services, principal, code)]


@router.get("/{code}/events", response_class=Response, responses={200: {"content": {"text/event-stream": {}}}})
async def follow_newsletter(request: Request, code: Code, principal: Reader) -> Response:
    """A stream of server-sent events, each a JSON object about a step or a section as its job moves on."""
    services = get_state(request).services
    await service.open_newsletter(services, principal, code)
    return event_stream(request, _encoded(follow(services, principal, code)))


async def _encoded(events: AsyncIterator[Event]) -> AsyncIterator[str]:
    async with aclosing(events) as stream:  # type: ignore[type-var]  # an async generator, which can be closed
        async for event in stream:
            yield msgspec.json.encode(event, enc_hook=str).decode()
