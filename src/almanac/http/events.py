"""Server-sent events: a stream of page fragments that stays open while the reader stays and the server runs."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import StreamingResponse

from almanac.http.guards import Guard

KEEP_ALIVE_SECONDS = 15.0
# A stream ends by itself and the browser reconnects, so that a forgotten tab can't hold a connection for ever.
LONGEST_SECONDS = 600.0


def event(data: str, name: str | None = None) -> str:
    """One event in the wire format; every line of the data gets its own field."""
    head = f"event: {name}\n" if name else ""
    return head + "".join(f"data: {line}\n" for line in data.splitlines() or [""]) + "\n"


def event_stream(request: Request, fragments: AsyncIterator[str]) -> StreamingResponse:
    """Answer with a stream of fragments, each an HTML piece that replaces the element of the same id."""
    return StreamingResponse(
        _kept_alive(request, fragments), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


async def merged(*streams: AsyncIterator[str]) -> AsyncIterator[str]:
    """What several streams bring, as it comes; it ends when all have."""
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


async def _kept_alive(request: Request, fragments: AsyncIterator[str]) -> AsyncIterator[str]:
    """Comment lines in quiet times let proxies and the server notice a reader who left.

    A stream outlives the request that began it, so that each piece is given only to who would still be let in.
    """
    guard: Guard = request.state.guard
    yield "retry: 2000\n\n"
    ends = asyncio.get_running_loop().time() + LONGEST_SECONDS
    waiting = asyncio.ensure_future(anext(fragments))
    try:
        while asyncio.get_running_loop().time() < ends:
            done, _ = await asyncio.wait({waiting}, timeout=KEEP_ALIVE_SECONDS)
            if not done:
                yield ": still here\n\n"
                continue
            try:
                piece = waiting.result()
            except StopAsyncIteration:
                return
            if not await guard.would_admit(request):
                return
            yield event(piece)
            waiting = asyncio.ensure_future(anext(fragments))
    finally:
        # Waiting, unlike awaiting, lets the task clean up undisturbed when this one is cancelled again meanwhile.
        waiting.cancel()
        await asyncio.wait({waiting})
