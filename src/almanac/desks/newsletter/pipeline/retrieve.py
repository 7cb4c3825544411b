"""Step 2: finds passages for the chosen topics at every desk that feeds the newsletter, takes the best, says why.

What may be found is decided by the owner's rights; what is taken, by `model.selection`.
"""

import datetime as dt
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from almanac.accounts.permissions import DESKS, desk_permission
from almanac.citations import Passage, Place, version_of
from almanac.desks.news.public import STORY_KIND as NEWS
from almanac.desks.news.public import find_story_passages
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.chunks import KNOWLEDGE
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan, retrieval_plan
from almanac.desks.newsletter.model.selection import Selection, Wanted, kept_for_citations, select
from almanac.desks.newsletter.model.topics import words_of
from almanac.desks.newsletter.pipeline.running import Report, StageRun
from almanac.desks.recap.public import KIND_NAME as PARLIAMENT
from almanac.desks.recap.public import speeches_about
from almanac.errors import StaleEdit, Unavailable
from almanac.knowledge.model import KnowledgeViewer
from almanac.search import SearchHit, SearchViewer, any_phrase_query
from almanac.services import Services

CANDIDATES = 150
_SAVE_ATTEMPTS = 5
_MARKERS = re.compile(r"@([^;,\s\]@\[]+)")


async def retrieve(stage: StageRun) -> None:
    """Find, choose and keep, all at once at the end: a retrieval that fails leaves what was there."""
    full = await stage.read()
    await _save(stage, full, await found_for(stage.services, full, stage.report, besides=stage.code))


async def found_for(services: Services, full: FullNewsletter, report: Report, *, besides: str) -> Selection:
    """What a retrieval would take now. `besides` is the issue whose own citations don't count as used before."""
    newsletter, topics = full.newsletter, full.topics.selected
    now = services.clock.now()
    plan = retrieval_plan(newsletter.configuration, now)
    passages: dict[str, Passage] = {}
    for done, topic in enumerate(topics):
        await report(done, len(topics), f"Looking for {topic}")
        passages |= await _passages(services, full, topic, plan)
    await report(len(topics), len(topics), "Choosing among what was found")
    used = await store.chunks_covered_before(services.tables, newsletter.owner_id, besides=besides)
    wanted = Wanted(
        topics=topics, plan=plan, today=now.date(), focus=newsletter.configuration.geographic_focus, used_before=used
    )
    return select(passages.values(), wanted)


async def _passages(services: Services, full: FullNewsletter, topic: str, plan: RetrievalPlan) -> dict[str, Passage]:
    """Passages of the window that hold any of the topic's words, from every desk that feeds the newsletter."""
    now = services.clock.now()
    look = _Look(services, full.newsletter.owner_id, words_of(topic), plan.since(now), now + dt.timedelta(days=1))
    kinds = full.newsletter.configuration.source_kinds
    return {one.id: one for kind in kinds if kind in _FINDERS for one in await _FINDERS[kind](look)}


@dataclass(frozen=True, slots=True)
class _Look:
    """What is looked for, in which window, and with whose eyes: what is theirs, and what everybody may read."""

    services: Services
    owner_id: str
    phrases: tuple[str, ...]
    since: dt.datetime
    until: dt.datetime

    @property
    def viewer(self) -> SearchViewer:
        return owners_eyes(self.owner_id)


async def _in_knowledge(look: _Look) -> list[Passage]:
    query = any_phrase_query(look.phrases)
    if not query:
        return []
    found = await look.services.search.find(
        query, viewer=look.viewer, kinds=[KNOWLEDGE], since=look.since, until=look.until, limit=CANDIDATES
    )
    hits = {hit.id: hit for hit in found.hits}
    chunks = await look.services.knowledge.find_chunks(KnowledgeViewer(look.owner_id), list(hits))
    return [_passage(hits[name], chunk.text) for name, chunk in chunks.items()]


async def _in_news(look: _Look) -> list[Passage]:
    return await find_story_passages(look.services, look.viewer, look.phrases, since=look.since, until=look.until)


async def _in_parliament(look: _Look) -> list[Passage]:
    return await speeches_about(look.services, look.viewer, look.phrases, since=look.since, until=look.until)


_FINDERS: Mapping[str, Callable[[_Look], Awaitable[list[Passage]]]] = {
    KNOWLEDGE: _in_knowledge,
    NEWS: _in_news,
    PARLIAMENT: _in_parliament,
}


def _passage(hit: SearchHit, text: str) -> Passage:
    """A passage of the knowledge base, which is kept passage by passage: its words are all of its part."""
    place = Place(
        desk=KNOWLEDGE,
        item=hit.fields.get("source_id", ""),
        part=hit.id,
        version=version_of(text),
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


def owners_eyes(owner_id: str) -> SearchViewer:
    """The owner's eyes: what is theirs, and what everybody may read."""
    return SearchViewer(owner_id, frozenset(desk_permission(desk, "read") for desk in DESKS))


async def _save(stage: StageRun, full: FullNewsletter, selection: Selection) -> None:
    """Topics may be toggled meanwhile; the result is kept for those it was made for, and that shows."""
    basis = full.basis_of("retrieval")
    for _ in range(_SAVE_ATTEMPTS):
        chunks = kept_for_citations(full.topics.chunks, selection.chunks, _cited(full))
        try:
            await store.save_retrieval(
                stage.services.tables,
                stage.code,
                run=stage.run,
                chunks=chunks,
                coverage=selection.coverage,
                basis=basis,
                version=full.topics.version,
                now=stage.services.clock.now(),
            )
        except StaleEdit:
            full = await stage.read()
            continue
        return
    raise Unavailable("The topics are being changed all the time; try again in a moment.")


def _cited(full: FullNewsletter) -> set[str]:
    """The chunks that outline and draft rest on."""
    pinned = {source for item in full.outline.outline.items for source in item.sources}
    texts = (section.text + (section.proposal or "") for section in full.draft.draft.sections)
    return pinned | {marker for text in texts for marker in _MARKERS.findall(text)}
