"""Objects of other programs: from the configured store whatever the form of their address, or fetched by the guard."""

from almanac.desks.recap.store.addresses import find_key
from almanac.errors import NotFound, TooLarge
from almanac.kit.messages import gettext
from almanac.services import Services

MOST_BYTES = 20_000_000
_SECONDS = 10.0


async def read_foreign_object(services: Services, url: str) -> bytes:
    """The content at an address. NotFound if it is in another store; errors of the fetcher for a web address."""
    key = find_key(services.settings, url)
    if key is None and url.lower().startswith(("https://", "http://")):
        fetched = await services.fetcher.get(url, accept="application/json", max_bytes=MOST_BYTES, seconds=_SECONDS)
        return fetched.body
    if key is None:
        raise NotFound(gettext("This text is kept in another object store; set ALMANAC_OBJECTS_URL to it."))
    if (await services.objects.head(key)).size > MOST_BYTES:
        raise TooLarge(gettext("The texts are larger than %(megabytes)s MB.", megabytes=MOST_BYTES // 1_000_000))
    return await services.objects.get(key)
