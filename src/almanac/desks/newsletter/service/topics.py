"""Step 2: choose topics, and include or exclude what was retrieved."""

from collections.abc import Sequence
from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.model.chunks import MAX_EXCLUDED, RetrievedChunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.topics import clean_topics
from almanac.desks.newsletter.service.access import check_version, open_newsletter
from almanac.desks.newsletter.store import topics as topic_store
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext
from almanac.services import Services


async def choose_topics(
    services: Services, principal: Principal, code: str, topics: Sequence[str], *, expected: int
) -> FullNewsletter:
    """Choose the topics of the next retrieval; retrieved chunks are kept until then."""
    full = await open_newsletter(services, principal, code)
    check_version(expected, full.topics.version)
    selected = clean_topics(topics)
    if selected == full.topics.selected:
        return full
    await topic_store.save_topics(services.tables, code, expected=expected, selected=selected)
    changed = replace(full, topics=replace(full.topics, selected=selected, version=expected + 1))
    await index_newsletter(services, changed)
    return changed


async def include_chunks(
    services: Services,
    principal: Principal,
    code: str,
    *,
    included: Sequence[str] = (),
    excluded: Sequence[str] = (),
    expected: int,
) -> FullNewsletter:
    """Include or exclude retrieved chunks. An excluded chunk stays excluded when it is retrieved again."""
    full = await open_newsletter(services, principal, code)
    check_version(expected, full.topics.version)
    retrieved = {chunk.id for chunk in full.topics.chunks}
    if unknown := [chunk for chunk in (*included, *excluded) if chunk not in retrieved]:
        raise FieldErrors(
            {"chunks": gettext("There is no retrieved chunk %(unknown)s; reload the page.", unknown=unknown[0][:100])}
        )
    chunks = tuple(_apply_choice(chunk, included, excluded) for chunk in full.topics.chunks)
    if chunks == full.topics.chunks:
        return full
    all_excluded = [*full.topics.left_out, *(chunk.id for chunk in chunks if not chunk.included)][-MAX_EXCLUDED:]
    await topic_store.save_topics(services.tables, code, expected=expected, excluded=all_excluded)
    return replace(full, topics=replace(full.topics, chunks=chunks, version=expected + 1))


def _apply_choice(chunk: RetrievedChunk, included: Sequence[str], excluded: Sequence[str]) -> RetrievedChunk:
    return replace(chunk, included=(chunk.included or chunk.id in included) and chunk.id not in excluded)
