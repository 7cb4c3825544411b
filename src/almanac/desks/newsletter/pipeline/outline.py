"""Step 3: an outline of what was retrieved, merged into the one that is there.

A generation that fails changes nothing: the outline is saved once, when it is complete.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.chunks import Chunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import (
    DEFAULT_SECTIONS,
    LONGEST_DESCRIPTION,
    LONGEST_TITLE,
    Outline,
    Section,
    empty_outline,
)
from almanac.desks.newsletter.model.outline_merge import GeneratedItem, GeneratedSection, merged
from almanac.desks.newsletter.model.topics import topic_type
from almanac.desks.newsletter.pipeline.running import StageRun
from almanac.desks.newsletter.pipeline.writing import DESK, as_source, audience_of, tone_of
from almanac.errors import Conflict, StaleEdit, Unavailable
from almanac.kit.text import shorten
from almanac.llm.extractive.headlines import extract_headline
from almanac.llm.extractive.outlines import OutlineTopic, PlannedSection
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.steps.outlines import OUTLINE, OutlineInput, OutlineItem
from almanac.llm.steps.outlines import Outline as WrittenOutline
from almanac.verify import Claim, Verdict, check

NOTHING_FOUND = "Nothing was found for this section; include it again once there is something to tell."
_SAVE_ATTEMPTS = 5
_ITEMS_PER_WORDS = 120
_LONGEST_HEADLINE = 12
_INTRODUCTION, _MAIN, _NEWS, _OPPORTUNITIES, _RESOURCES, _CONCLUSION = DEFAULT_SECTIONS
_GROUP_OF = {_MAIN: "insights", _NEWS: "news", _OPPORTUNITIES: "opportunities", _RESOURCES: "resources"}
_PURPOSES = {
    _INTRODUCTION: "An overview of what this issue tells.",
    _CONCLUSION: "What lies ahead: plans, deadlines and forecasts.",
}
_CLOSING = GeneratedItem("Looking ahead", "Coming dates, deadlines, plans and forecasts.")


async def make_outline(stage: StageRun) -> None:
    """Ask for the sections that there are, or the usual ones, and fill them."""
    full = await stage.read()
    if not full.topics.included:
        raise Conflict("No source is included any more; include at least one and try again.")
    await stage.report(0, 2, f"Reading {len(full.topics.included)} passages")
    sections = (full.outline.outline if full.outline.outline.sections else empty_outline()).sections
    given = _input(full, sections)
    written = await stage.services.writer.write(OUTLINE, given, desk=DESK, subject=stage.code)
    await stage.report(1, 2, "Merging it with what is there")
    generated = _generated(written.output, sections, full.topics.included)
    if written.provenance.model != EXTRACTIVE:
        generated = await asyncio.to_thread(only_supported, generated, full.topics.included)
    await _save(stage, full, generated)


def _input(full: FullNewsletter, sections: Sequence[Section]) -> OutlineInput:
    configuration, chunks = full.newsletter.configuration, full.topics.included
    names = dict.fromkeys(chunk.topic for chunk in chunks)
    topics = [OutlineTopic(name=name, sources=tuple(c.id for c in chunks if c.topic == name)) for name in names]
    each = max(1, min(8, configuration.length.most // _ITEMS_PER_WORDS // max(1, len(sections) - 2)))
    return OutlineInput(
        sources=tuple(map(as_source, chunks)),
        audience=audience_of(configuration),
        tone=tone_of(configuration),
        title=configuration.title,
        sections=tuple(_planned(section, tuple(names), each) for section in sections),
        topics=tuple(topics),
    )


def _planned(section: Section, topics: Sequence[str], items: int) -> PlannedSection:
    """The usual sections take the topics of their group; topics of one's own belong to the main part."""
    group = _GROUP_OF.get(section.name)
    wanted = [name for name in topics if group is not None and _group(name) == group]
    purpose = _PURPOSES.get(section.name, section.notes if section.notes != NOTHING_FOUND else "")
    return PlannedSection(
        name=section.name, purpose=purpose, topics=tuple(wanted), items=1 if section.name in _PURPOSES else items
    )


def _group(topic: str) -> str:
    known = topic_type(topic)
    return known.group if known else "insights"


def _generated(written: WrittenOutline, sections: Sequence[Section], chunks: Sequence[Chunk]) -> list[GeneratedSection]:
    known = {chunk.id for chunk in chunks}
    found = []
    for section in written.sections:
        items = tuple(item for one in section.items if (item := _item(one, known)) is not None)
        closes = section.name == _CONCLUSION and not items and len(sections) > 1
        found.append(GeneratedSection(section.name, (_CLOSING,) if closes else items))
    return found


def _item(written: OutlineItem, known: set[str]) -> GeneratedItem | None:
    """An item whose sources are all ours; one without any would be made up."""
    sources = tuple(name for name in dict.fromkeys(r.source for r in written.references) if name in known)
    title = shorten(written.title, LONGEST_TITLE)
    if not sources or not title:
        return None
    description = shorten(written.description.text, LONGEST_DESCRIPTION) if written.description else ""
    return GeneratedItem(title, description, sources)


def only_supported(generated: Sequence[GeneratedSection], chunks: Sequence[Chunk]) -> list[GeneratedSection]:
    """What a model wrote, with only what its sources say: titles become headings that nobody checks any more."""
    known = {chunk.id: chunk for chunk in chunks}
    return [replace(section, items=tuple(_supported(item, known) for item in section.items)) for section in generated]


def _supported(item: GeneratedItem, known: Mapping[str, Chunk]) -> GeneratedItem:
    if not item.sources:
        return item
    texts = {name: f"{known[name].title}\n\n{known[name].content}" for name in item.sources}
    title, description = check(
        [Claim(item.title, item.sources), Claim(item.description, item.sources)], texts
    ).sentences
    return replace(
        item,
        title=_title_of(known[item.sources[0]]) if title.says_otherwise else item.title,
        description=item.description if description.verdict is Verdict.SUPPORTED else "",
    )


def _title_of(chunk: Chunk) -> str:
    """What a source says of itself."""
    found = extract_headline([as_source(chunk)], _LONGEST_HEADLINE)
    return shorten(found.text if found else chunk.title or chunk.source, LONGEST_TITLE)


async def _save(stage: StageRun, full: FullNewsletter, generated: Sequence[GeneratedSection]) -> None:
    """A person may edit meanwhile: then the result is merged into what they made of it."""
    basis = full.basis_of("outline")
    for _ in range(_SAVE_ATTEMPTS):
        before = full.outline.outline
        outline = _without_gaps(merged(before if before.sections else empty_outline(), generated))
        try:
            await store.save_outline(
                stage.services.tables,
                stage.code,
                outline,
                expected=full.outline.version,
                run=stage.run,
                basis=basis,
                now=stage.services.clock.now(),
            )
        except StaleEdit:
            full = await stage.read()
            continue
        return
    raise Unavailable("The outline is being changed all the time; try again in a moment.")


def _without_gaps(outline: Outline) -> Outline:
    """A section that nothing was found for is left out of the draft, and says why, until something is."""
    return replace(outline, sections=tuple(map(_gap, outline.sections)))


def _gap(section: Section) -> Section:
    if not section.items and section.included:
        return replace(section, included=False, notes=section.notes or NOTHING_FOUND)
    if section.items and section.notes == NOTHING_FOUND:
        return replace(section, included=True, notes="")
    return section
