"""Live pages: server-sent events, and the progress of jobs that a page shows.

A page shows each piece with `ui.running(running, csrf)` and names its stream in the `live` block. The page's script
tells the stream which jobs it shows as running (`ShownJobs`). The stream starts with the state of those jobs, so a job
that ended before anybody listened is noticed, and the script then loads `refresh` into the page. Read a job before the
content that it changes: in the other order, a job that ends in between leaves the page out of date for good.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import Guard, identify
from almanac.http.counts import render_all_counts
from almanac.http.pages import render_fragment
from almanac.jobs import JobDetail, JobStatus, JobView
from almanac.jobs.feed import follow_jobs
from almanac.kit.messages import gettext

KEEP_ALIVE_SECONDS = 15.0
# A stream ends after a while and the browser reconnects, so that a forgotten tab can't hold a connection for ever.
MAX_STREAM_SECONDS = 600.0


def format_event(data: str, name: str | None = None) -> str:
    """One event in the wire format; every line of the data gets its own field."""
    head = f"event: {name}\n" if name else ""
    return head + "".join(f"data: {line}\n" for line in data.splitlines() or [""]) + "\n"


def event_stream(request: Request, fragments: AsyncIterator[str]) -> StreamingResponse:
    """Answer with a stream of fragments, each an HTML piece that replaces the element of the same id."""
    return StreamingResponse(
        _with_keep_alive(request, fragments), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


async def merge_streams(*streams: AsyncIterator[str]) -> AsyncIterator[str]:
    """Merge streams in the order items arrive; ends when all have ended."""
    waiting = {asyncio.ensure_future(anext(stream)): stream for stream in streams}
    try:
        while waiting:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                stream = waiting.pop(task)
                try:
                    yield task.result()
                except StopAsyncIteration:
                    continue
                waiting[asyncio.ensure_future(anext(stream))] = stream
    finally:
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting)


async def _with_keep_alive(request: Request, fragments: AsyncIterator[str]) -> AsyncIterator[str]:
    """Send comment lines in quiet times, so that proxies and the server notice a closed connection.

    A stream outlives the check of its request, so each piece is sent only if the caller would still be admitted. An
    empty piece is checked like any other, and nothing is sent. A stream ends when the process is stopping: the browser
    reconnects, to another process if there is one.
    """
    guard: Guard = request.state.guard
    yield "retry: 2000\n\n"
    ends = asyncio.get_running_loop().time() + MAX_STREAM_SECONDS
    waiting = asyncio.ensure_future(anext(fragments))
    closing = asyncio.ensure_future(get_state(request).closing.wait())
    try:
        while asyncio.get_running_loop().time() < ends:
            done, _ = await asyncio.wait(
                {waiting, closing}, timeout=KEEP_ALIVE_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if closing in done:
                return
            if not done:
                yield ": still here\n\n"
                continue
            try:
                piece = waiting.result()
            except StopAsyncIteration:
                return
            if not await guard.would_admit(request):
                return
            if piece:
                yield format_event(piece)
            waiting = asyncio.ensure_future(anext(fragments))
    finally:
        # Waiting, unlike awaiting, lets the task clean up undisturbed when this one is cancelled again meanwhile.
        waiting.cancel()
        closing.cancel()
        await asyncio.wait({waiting})


WAITING_LABEL = gettext("Waiting for a worker")
_MAX_SHOWN_JOBS = 100
_JobId = Annotated[int, Field(ge=1, le=2**62)]
ShownJobs = Annotated[list[_JobId] | None, Query(alias="jobs", max_length=_MAX_SHOWN_JOBS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningWork:
    """Running or finished work. `refresh` is the page, and `target` its part, that shows the result.

    `id` is that of its element, `job` the job that does or did it, and `cancel` where to stop it, if anywhere.
    """

    id: str
    label: str
    refresh: str
    target: str
    is_running: bool = False
    job: int | None = None
    cancel: str = ""
    done: int = 0
    total: int | None = None
    doing: str = ""
    error: str = ""

    def with_job(self, job: JobView | None) -> "RunningWork":
        """A copy with the state of its job; without a job, nothing is running."""
        if job is None:
            return self
        return replace(
            self,
            is_running=not job.status.final,
            job=job.id,
            done=job.done or 0,
            total=job.total,
            doing=job.doing or (WAITING_LABEL if job.status is JobStatus.QUEUED else ""),
            error=(job.reason or "") if job.status is JobStatus.FAILED else "",
        )


async def stream_jobs(
    request: Request,
    principal: Principal,
    tasks: Collection[str],
    args: Mapping[str, object],
    *,
    shown: Collection[int],
    show: Callable[[JobDetail], RunningWork],
) -> Response:
    """Answer with the jobs of these tasks and arguments as they change; `shown` are those that the page shows as
    running.
    """

    async def changes() -> AsyncGenerator[RunningWork, None]:
        jobs = get_state(request).services.jobs
        async with aclosing(follow_jobs(jobs, tasks, args, first=shown)) as details:
            async for detail in details:
                yield show(detail)

    return await stream_running_work(request, principal, changes())


async def stream_running_work(
    request: Request, principal: Principal, changes: AsyncGenerator[RunningWork, None]
) -> Response:
    """Answer with a stream of running work; the counts of the frame are updated too."""
    csrf = (await identify(request)).csrf()
    return event_stream(request, _fragments(request, principal, csrf, changes))


async def _fragments(
    request: Request, principal: Principal, csrf: str, changes: AsyncGenerator[RunningWork, None]
) -> AsyncIterator[str]:
    async with aclosing(changes) as running:
        async for work in running:
            piece = render_fragment(request, "frame/running.html", running=work, csrf=csrf)
            yield piece + await render_all_counts(request, principal)
