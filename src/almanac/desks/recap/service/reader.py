"""Opening a recap in the source reader."""

from almanac.desks.recap.service.articles import open_article
from almanac.desks.recap.service.readable_recap import build_readable_recap
from almanac.desks.recap.store.reads import RecapReads
from almanac.reader.model import ReadableDocument


async def open_readable_recap(services: RecapReads, article_id: str, part: str) -> ReadableDocument:
    """The sentences of a level of the latest version. NotFound if there is no such article, or no text of it here."""
    return build_readable_recap(await open_article(services, article_id), part)
