"""What a newsletter's schedule did and will do, for its owner to see."""

from almanac.accounts.model import Principal
from almanac.desks.newsletter import series_store
from almanac.desks.newsletter.model.series import Series
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.services import Services


async def series_of(services: Services, principal: Principal, code: str) -> Series:
    """When the next issue is due, and what became of the last ones."""
    await open_newsletter(services, principal, code)
    return await series_store.get_series(services.tables, code)
