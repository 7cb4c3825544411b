"""Opening a draft in the source reader, and whether its sources still say what was retrieved."""

from collections.abc import Sequence
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.readable_draft import build_readable_draft
from almanac.desks.newsletter.model.verification import QuotedPassage
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.provenance import QuoteSupport, check_quotes
from almanac.reader.model import HighlightedSource, ReadableDocument
from almanac.services import Services

_UNREMARKABLE = frozenset({"unchanged", "unknown"})


async def open_readable_draft(
    services: Services, principal: Principal, code: str
) -> tuple[FullNewsletter, ReadableDocument]:
    """The newsletter and its sentences. NotFound for whom may not see it."""
    full = await open_newsletter(services, principal, code, consistent=True)
    return full, build_readable_draft(full, await check_draft(services, full))


async def note_changed_sources(
    services: Services, full: FullNewsletter, highlighted: Sequence[HighlightedSource]
) -> tuple[HighlightedSource, ...]:
    """The sources, each with where it opens now and a note if it no longer says the marked words."""
    chunks = {chunk.id: chunk for chunk in full.topics.chunks}
    present = [each for each in highlighted if each.source.id in chunks]
    quoted = []
    for each in present:
        start, end = each.spans[0] if each.spans else (0, 0)
        chunk = chunks[each.source.id]
        quoted.append(QuotedPassage(number=0, chunk=chunk, text=chunk.content[start:end], start=start, end=end))
    supports = await check_quotes(services, full, quoted)
    noted = {each.source.id: _note(each, support) for each, support in zip(present, supports, strict=True)}
    return tuple(noted.get(each.source.id, each) for each in highlighted)


def _note(highlighted: HighlightedSource, support: QuoteSupport) -> HighlightedSource:
    note = "" if support.status in _UNREMARKABLE else support.sentence
    return replace(highlighted, source=replace(highlighted.source, path=support.path, note=note))
