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
from almanac.http.forms import back_to
from almanac.http.live import Running, ShownJobs, live_answer
from almanac.http.surface import surface_of
from almanac.services import Services

router = APIRouter(prefix=PREFIX)


@router.get("/{code}/live")
async def follow_newsletter(request: Request, code: Code, principal: Reader, shown: ShownJobs = None) -> Response:
    """What is under way, as it changes."""
    await opened(request, principal, code)
    services = surface_of(request).services
    return await live_answer(request, principal, _running(services, principal, code, shown or ()))


@router.post("/{code}/cancel/{step}")
async def cancel(request: Request, code: Code, step: PartId, principal: Author) -> Response:
    """Stop what is under way; what was there before stays."""
    known = _named(step)
    full = await service.cancel(surface_of(request).services, principal, code, known)
    stopped = full.state_of(known).status != "processing"
    words = "It is cancelled; nothing was changed." if stopped else "It stops at its next step."
    return back_to(request, address(code, PAGE_OF_STEP[known]), words)


@router.post("/{code}/keep/{step}")
async def keep(request: Request, code: Code, step: PartId, principal: Author) -> Response:
    """Say that a step is still good although something before it changed."""
    known = _named(step)
    await keep_step(surface_of(request).services, principal, code, known)
    return back_to(request, address(code, PAGE_OF_STEP[known]), "It is kept as it is.")


def _named(step: str) -> StepName:
    found = next((one for one in STEPS if one == step), None)
    if found is None:
        raise NotFound(f"There is no step {step[:40]}; there are {', '.join(STEPS)}.")
    return found


async def _running(
    services: Services, principal: Principal, code: str, shown: Collection[int]
) -> AsyncGenerator[Running, None]:
    async with aclosing(follow(services, principal, code, shown=shown)) as events:
        async for event in events:
            yield running_of(code, event)
