"""Step 2: finds passages for the chosen topics at every source desk, and chooses the best.

The owner's permissions limit what is found; `model.selection` decides what is chosen.
"""

import datetime as dt
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from almanac.citations.model import Passage, PassageLocation
from almanac.citations.passages import text_version
from almanac.desks.news.public import STORY_KIND as NEWS
from almanac.desks.news.public import find_story_passages
from almanac.desks.newsletter.model.chunks import KNOWLEDGE
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan, plan_retrieval
from almanac.desks.newsletter.model.selection import ChunkSelection, RetrievalRequest, keep_cited_chunks, select_chunks
from almanac.desks.newsletter.model.topics import topic_words
from almanac.desks.newsletter.pipeline.context import StepContext
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import topics as topic_store
from almanac.desks.recap.public import KIND_NAME as PARLIAMENT
from almanac.desks.recap.public import find_speeches
from almanac.errors import StaleEdit
from almanac.kit.messages import gettext
from almanac.kit.progress import Progress
from almanac.kit.retry import retry_on_conflict
from almanac.knowledge.model import KnowledgeViewer
from almanac.saved.owners import find_active_owner
from almanac.search import SearchHit, SearchViewer, any_words_query
from almanac.services import Services

CANDIDATES = 150
_MARKERS = re.compile(r"@([^;,\s\]@\[]+)")


async def retrieve_sources(ctx: StepContext) -> None:
    """Find, choose and save at once: a retrieval that fails keeps the previous result."""
    full = await ctx.read()
    await _save(ctx, full, await select_sources(ctx.services, full, ctx.report, excluding=ctx.code))


async def select_sources(
    services: Services, full: FullNewsletter, report: Progress, *, excluding: str
) -> ChunkSelection:
    """What a retrieval would choose now. Citations of the issue `excluding` don't count as used before."""
    newsletter, topics = full.newsletter, full.topics.selected
    now = services.clock.now()
    plan = plan_retrieval(newsletter.configuration, now)
    passages: dict[str, Passage] = {}
    for done, topic in enumerate(topics):
        await report(done, len(topics), gettext("Looking for %(topic)s", topic=topic))
        passages |= await _search_topic(services, full, topic, plan)
    await report(len(topics), len(topics), gettext("Choosing passages"))
    used = await newsletter_store.list_covered_chunks(services.tables, newsletter, excluding=excluding)
    request = RetrievalRequest(
        topics=topics, plan=plan, today=now.date(), focus=newsletter.configuration.geographic_focus, used_before=used
    )
    return select_chunks(passages.values(), request)


async def _search_topic(
    services: Services, full: FullNewsletter, topic: str, plan: RetrievalPlan
) -> dict[str, Passage]:
    """Passages of the time window that contain any word of the topic, from every source desk."""
    now, owner_id = services.clock.now(), full.newsletter.owner_id
    viewer = await _load_viewer(services, owner_id)
    search = _PassageSearch(services, owner_id, viewer, topic_words(topic), plan.since(now), now + dt.timedelta(days=1))
    kinds = full.newsletter.configuration.source_kinds
    return {passage.id: passage for kind in kinds if kind in _SEARCHES for passage in await _SEARCHES[kind](search)}


@dataclass(frozen=True, slots=True)
class _PassageSearch:
    """What to search, in which time window, and for which viewer."""

    services: Services
    owner_id: str
    viewer: SearchViewer
    phrases: tuple[str, ...]
    since: dt.datetime
    until: dt.datetime


async def _search_knowledge(search: _PassageSearch) -> list[Passage]:
    query = any_words_query(search.phrases)
    if not query:
        return []
    results = await search.services.search.find(
        query, viewer=search.viewer, kinds=[KNOWLEDGE], since=search.since, until=search.until, limit=CANDIDATES
    )
    hits = {hit.id: hit for hit in results.hits}
    chunks = await search.services.knowledge.find_chunks(KnowledgeViewer(search.owner_id), list(hits))
    return [_to_passage(hits[name], chunk.text) for name, chunk in chunks.items()]


async def _search_news(search: _PassageSearch) -> list[Passage]:
    return await find_story_passages(
        search.services, search.viewer, search.phrases, since=search.since, until=search.until
    )


async def _search_parliament(search: _PassageSearch) -> list[Passage]:
    return await find_speeches(search.services, search.viewer, search.phrases, since=search.since, until=search.until)


_SEARCHES: Mapping[str, Callable[[_PassageSearch], Awaitable[list[Passage]]]] = {
    KNOWLEDGE: _search_knowledge,
    NEWS: _search_news,
    PARLIAMENT: _search_parliament,
}


def _to_passage(hit: SearchHit, text: str) -> Passage:
    """A passage of the knowledge base, where each passage is stored as a part of its own."""
    place = PassageLocation(
        desk=KNOWLEDGE,
        item=hit.fields.get("source_id", ""),
        part=hit.id,
        version=text_version(text),
        path=hit.path,
        end=len(text),
    )
    return Passage(
        id=hit.id,
        text=text,
        title=hit.title,
        source=next(iter(hit.facets.get("source", ())), hit.kind),
        url=hit.fields.get("url", ""),
        date=hit.date.date() if hit.date else None,
        language=hit.language,
        place=place,
    )


async def _load_viewer(services: Services, owner_id: str) -> SearchViewer:
    """A viewer with the rights that the owner has now; it sees nothing if their account is closed."""
    owner = await find_active_owner(services.accounts, owner_id)
    return SearchViewer.for_principal(owner) if owner else SearchViewer()


async def _save(ctx: StepContext, full: FullNewsletter, selection: ChunkSelection) -> None:
    """If topics change meanwhile, the result is saved with the topics it was made for, and shown as out of date."""
    basis, current = full.step_basis("retrieval"), full

    async def save() -> None:
        nonlocal current
        try:
            await topic_store.save_retrieval(
                ctx.services.tables,
                ctx.code,
                run=ctx.run,
                chunks=keep_cited_chunks(current.topics.chunks, selection.chunks, _list_cited(current)),
                coverage=selection.coverage,
                basis=basis,
                version=current.topics.version,
                now=ctx.services.clock.now(),
            )
        except StaleEdit:
            current = await ctx.read()
            raise

    await retry_on_conflict(
        save, conflict=StaleEdit, sentence=gettext("The topics keep changing; try again in a moment.")
    )


def _list_cited(full: FullNewsletter) -> set[str]:
    """The chunks that outline and draft cite."""
    pinned = {source for item in full.outline.outline.items for source in item.sources}
    texts = (section.text + (section.proposal or "") for section in full.draft.draft.sections)
    return pinned | {marker for text in texts for marker in _MARKERS.findall(text)}
