"""Keeping a step although something that it rests on changed: the person has looked, and it is still good."""

from almanac.accounts.model import Principal
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.services import Services


async def keep_step(services: Services, principal: Principal, code: str, step: StepName) -> FullNewsletter:
    """From now on the step rests on things as they are."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if any(change.step == step for change in full.changes):
        await store.save_basis(services.tables, code, step, full.basis_of(step))
    return await open_newsletter(services, principal, code, consistent=True)
