"""The live stream of the wizard's pages: the steps, sections and exports under way; and stopping or keeping a step."""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter import service
from almanac.desks.newsletter.model.newsletter import STEPS, StepName
from almanac.desks.newsletter.pages.running import running_of
from almanac.desks.newsletter.pages.wizard import PAGE_OF_STEP, PREFIX, Author, Code, PartId, Reader, address, opened
from almanac.desks.newsletter.service.keeping import keep_step
from almanac.desks.newsletter.service.watching import follow
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.live import RunningWork, ShownJobs, stream_running_work
from almanac.http.pages import redirect_with_message
from almanac.services import Services

router = APIRouter(prefix=PREFIX)


@router.get("/{code}/live")
async def follow_newsletter(request: Request, code: Code, principal: Reader, shown: ShownJobs = None) -> Response:
    """What is under way, as it changes."""
    await opened(request, principal, code)
    services = get_state(request).services
    return await stream_running_work(request, principal, _running(services, principal, code, shown or ()))


@router.post("/{code}/cancel/{step}")
async def cancel(request: Request, code: Code, step: PartId, principal: Author) -> Response:
    """Stop what is under way; what was there before stays."""
    known = _named(step)
    full = await service.cancel(get_state(request).services, principal, code, known)
    stopped = full.state_of(known).status != "processing"
    words = "It is cancelled; nothing was changed." if stopped else "It stops at its next step."
    return redirect_with_message(request, address(code, PAGE_OF_STEP[known]), words)


@router.post("/{code}/keep/{step}")
async def keep(request: Request, code: Code, step: PartId, principal: Author) -> Response:
    """Say that a step is still good although something before it changed."""
    known = _named(step)
    await keep_step(get_state(request).services, principal, code, known)
    return redirect_with_message(request, address(code, PAGE_OF_STEP[known]), "It is kept as it is.")


def _named(step: str) -> StepName:
    found = next((one for one in STEPS if one == step), None)
    if found is None:
        raise NotFound(f"There is no step {step[:40]}; there are {', '.join(STEPS)}.")
    return found


async def _running(
    services: Services, principal: Principal, code: str, shown: Collection[int]
) -> AsyncGenerator[RunningWork, None]:
    async with aclosing(follow(services, principal, code, shown=shown)) as events:
        async for event in events:
            yield running_of(code, event)
