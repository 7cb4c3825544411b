"""Step 2: finds passages for the chosen topics in the knowledge base and in parliament, takes the best, says why.

What may be found is decided by the owner's rights; what is taken, by `model.selection`.
"""

import datetime as dt
import re

from almanac.accounts.permissions import DESKS, desk_permission
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan, retrieval_plan
from almanac.desks.newsletter.model.selection import Passage, Selection, Wanted, kept_for_citations, select
from almanac.desks.newsletter.model.topics import words_of
from almanac.desks.newsletter.stages.running import Report, StageRun
from almanac.desks.recap.public import KIND_NAME as PARLIAMENT
from almanac.desks.recap.public import speeches_about
from almanac.errors import StaleEdit, Unavailable
from almanac.knowledge.model import Viewer as KnowledgeViewer
from almanac.search import Hit, Viewer
from almanac.services import Services

KNOWLEDGE = "knowledge"
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
        passages |= await _passages(services, newsletter.owner_id, topic, plan)
    await report(len(topics), len(topics), "Choosing among what was found")
    used = await store.chunks_covered_before(services.tables, newsletter.owner_id, besides=besides)
    wanted = Wanted(
        topics=topics, plan=plan, today=now.date(), focus=newsletter.configuration.geographic_focus, used_before=used
    )
    return select(passages.values(), wanted)


async def _passages(services: Services, owner_id: str, topic: str, plan: RetrievalPlan) -> dict[str, Passage]:
    """Passages of the window that hold any of the topic's words, with their texts."""
    now = services.clock.now()
    found = await services.search.find(
        _query(topic), viewer=_viewer(owner_id), kinds=[KNOWLEDGE], since=plan.since(now),
        until=now + dt.timedelta(days=1), limit=CANDIDATES,
    )  # fmt: skip
    hits = {hit.id: hit for hit in found.hits}
    chunks = await services.knowledge.chunks(KnowledgeViewer(owner_id), list(hits))
    known = {name: _passage(hits[name], chunk.text) for name, chunk in chunks.items()}
    return known | await _speeches(services, owner_id, topic, plan)


async def _speeches(services: Services, owner_id: str, topic: str, plan: RetrievalPlan) -> dict[str, Passage]:
    """What was said in parliament about the topic."""
    now = services.clock.now()
    found = await speeches_about(
        services, _viewer(owner_id), words_of(topic), since=plan.since(now), until=now + dt.timedelta(days=1)
    )
    return {
        one.id: Passage(
            id=one.id, text=one.text, title=one.title, source=one.source, kind=PARLIAMENT, url=one.url, date=one.date,
            language=one.language,
        )
        for one in found
    }  # fmt: skip


def _passage(hit: Hit, text: str) -> Passage:
    return Passage(
        id=hit.id,
        text=text,
        title=hit.title,
        source=next(iter(hit.facets.get("source", ())), hit.kind),
        kind=hit.kind,
        url=hit.fields.get("url", ""),
        date=hit.date.date() if hit.date else None,
        language=hit.language,
    )


def _query(topic: str) -> str:
    """Any of the topic's words, each as a phrase, so that nothing in them is read as syntax."""
    phrases = (word.replace('"', " ").strip() for word in words_of(topic))
    return " OR ".join(f'"{phrase}"' for phrase in phrases if phrase)


def _viewer(owner_id: str) -> Viewer:
    """The owner's eyes: what is theirs, and what everybody may read."""
    return Viewer(owner_id, frozenset(desk_permission(desk, "read") for desk in DESKS))


async def _save(stage: StageRun, full: FullNewsletter, selection: Selection) -> None:
    """Topics may be toggled meanwhile; the result is kept for those it was made for, and that shows."""
    basis = full.basis_of("retrieval")
    for _ in range(_SAVE_ATTEMPTS):
        chunks = kept_for_citations(full.topics.chunks, selection.chunks, _cited(full))
        try:
            await store.save_retrieval(
                stage.services.tables, stage.code, run=stage.run, chunks=chunks, coverage=selection.coverage,
                basis=basis, version=full.topics.version, now=stage.services.clock.now(),
            )  # fmt: skip
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
