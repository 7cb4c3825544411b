"""Completing a newsletter, which only a supported draft allows, and deleting one with everything that is its own."""

from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.citations.store import forget_uses
from almanac.desks.newsletter import store
from almanac.desks.newsletter.completion import try_to_complete
from almanac.desks.newsletter.events import record
from almanac.desks.newsletter.indexing import KIND
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter
from almanac.desks.newsletter.objects import export_prefix
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.generation import cancel
from almanac.desks.newsletter.sweeping import SWEEP
from almanac.errors import Conflict, StaleEdit
from almanac.services import Services

# Deleting takes moments; whatever is left of it after this long was cut off.
_SWEPT_AFTER = timedelta(minutes=5)


async def complete(services: Services, principal: Principal, code: str, *, expected: int) -> FullNewsletter:
    """Declare the draft finished. Unsupported sentences, gaps and running generations stand in the way."""
    full = await open_newsletter(services, principal, code)
    if expected != full.draft.draft.version:
        raise StaleEdit("The draft was changed meanwhile; look at it again.", str(full.draft.draft.version))
    if any(full.state_of(step).status == "processing" for step in STEPS):
        raise Conflict("A step is still being worked on; wait for it or cancel it first.")
    completed, standing = await try_to_complete(services, full, principal.actor)
    if standing:
        raise Conflict(" ".join(one.sentence for one in standing[:3]), sections=[one.section for one in standing])
    return completed


async def delete(services: Services, principal: Principal, code: str) -> None:
    """Remove the newsletter's items, all or none, and its objects; nothing else in the shared table is touched."""
    full = await open_newsletter(services, principal, code)
    for step in STEPS:
        if full.state_of(step).status == "processing":
            await cancel(services, principal, code, step)
    # Objects can't be removed in the table's transaction: whatever a crash leaves of them, this job finds.
    await services.jobs.defer(SWEEP, {"code": code}, schedule_at=services.clock.now() + _SWEPT_AFTER)
    async with services.database.unit() as unit:
        await record(unit, services, principal.actor, "newsletter.deleted", code)
        await forget_uses(unit, code)
        await store.delete_newsletter(services.tables, code)
        await services.search.remove(unit, KIND.name, [code])
    await services.objects.delete_prefix(export_prefix(code))
