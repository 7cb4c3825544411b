"""Step 3: makes an outline from the retrieved chunks and merges it into the current one.

A generation that fails changes nothing: the outline is saved once, when it is complete.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.outline import (
    DEFAULT_SECTIONS,
    MAX_DESCRIPTION_LENGTH,
    MAX_TITLE_LENGTH,
    NewsletterOutline,
    NewsletterOutlineSection,
    empty_outline,
)
from almanac.desks.newsletter.model.outline_merge import GeneratedItem, GeneratedSection, merge_generated
from almanac.desks.newsletter.model.topics import find_topic_type
from almanac.desks.newsletter.pipeline.context import DESK, StepContext, audience_text, to_writer_source, tone_text
from almanac.desks.newsletter.store import outlines as outline_store
from almanac.errors import Conflict, StaleEdit
from almanac.kit.messages import gettext, ngettext
from almanac.kit.retry import retry_on_conflict
from almanac.kit.text import shorten
from almanac.llm.extractive.headlines import extract_headline
from almanac.llm.extractive.outlines import OutlineTopic, PlannedSection
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.steps.outlines import OUTLINE, OutlineInput, OutlineItem
from almanac.llm.steps.outlines import Outline as WrittenOutline
from almanac.verify import CitedClaim, Verdict, check

NOTHING_FOUND = "Nothing was found for this section; include it again once there is something to report."
_ITEMS_PER_WORDS = 120
_MAX_HEADLINE_WORDS = 12
_INTRODUCTION, _MAIN, _NEWS, _OPPORTUNITIES, _RESOURCES, _CONCLUSION = DEFAULT_SECTIONS
_GROUP_OF = {_MAIN: "insights", _NEWS: "news", _OPPORTUNITIES: "opportunities", _RESOURCES: "resources"}
_PURPOSES = {
    _INTRODUCTION: "An overview of this issue.",
    _CONCLUSION: "Upcoming plans, deadlines and forecasts.",
}
_CLOSING = GeneratedItem("Looking ahead", "Coming dates, deadlines, plans and forecasts.")


async def make_outline(ctx: StepContext) -> None:
    """Generate the current sections, or the default ones, and save the merged outline."""
    full = await ctx.read()
    if not full.topics.included:
        raise Conflict(gettext("No source is included; include at least one and try again."))
    passages = len(full.topics.included)
    await ctx.report(0, 2, ngettext("Reading %(num)s passage", "Reading %(num)s passages", passages))
    sections = (full.outline.outline if full.outline.outline.sections else empty_outline()).sections
    writer_input = _writer_input(full, sections)
    written = await ctx.services.writer.write(OUTLINE, writer_input, desk=DESK, subject=ctx.code)
    await ctx.report(1, 2, gettext("Merging with the existing outline"))
    generated = _to_sections(written.output, sections, full.topics.included)
    if written.provenance.model != EXTRACTIVE:
        generated = await asyncio.to_thread(remove_unsupported, generated, full.topics.included)
    await _save(ctx, full, generated)


def _writer_input(full: FullNewsletter, sections: Sequence[NewsletterOutlineSection]) -> OutlineInput:
    configuration, chunks = full.newsletter.configuration, full.topics.included
    names = dict.fromkeys(chunk.topic for chunk in chunks)
    topics = [OutlineTopic(name=name, sources=tuple(c.id for c in chunks if c.topic == name)) for name in names]
    items_per_section = max(1, min(8, configuration.length.most // _ITEMS_PER_WORDS // max(1, len(sections) - 2)))
    return OutlineInput(
        sources=tuple(map(to_writer_source, chunks)),
        audience=audience_text(configuration),
        tone=tone_text(configuration),
        title=configuration.title,
        sections=tuple(_plan_section(section, tuple(names), items_per_section) for section in sections),
        topics=tuple(topics),
    )


def _plan_section(section: NewsletterOutlineSection, topics: Sequence[str], items: int) -> PlannedSection:
    """The default sections take the topics of their group; custom topics belong to the main part."""
    group = _GROUP_OF.get(section.name)
    section_topics = [name for name in topics if group is not None and _topic_group(name) == group]
    purpose = _PURPOSES.get(section.name, section.notes if section.notes != NOTHING_FOUND else "")
    return PlannedSection(
        name=section.name,
        purpose=purpose,
        topics=tuple(section_topics),
        items=1 if section.name in _PURPOSES else items,
    )


def _topic_group(topic: str) -> str:
    topic_type = find_topic_type(topic)
    return topic_type.group if topic_type else "insights"


def _to_sections(
    written: WrittenOutline, sections: Sequence[NewsletterOutlineSection], chunks: Sequence[RetrievedChunk]
) -> list[GeneratedSection]:
    chunk_ids = {chunk.id for chunk in chunks}
    generated = []
    for section in written.sections:
        items = tuple(item for written_item in section.items if (item := _to_item(written_item, chunk_ids)) is not None)
        closes = section.name == _CONCLUSION and not items and len(sections) > 1
        generated.append(GeneratedSection(section.name, (_CLOSING,) if closes else items))
    return generated


def _to_item(written: OutlineItem, chunk_ids: set[str]) -> GeneratedItem | None:
    """The item with its known sources, or None if it has none and would be made up."""
    sources = tuple(name for name in dict.fromkeys(r.source for r in written.references) if name in chunk_ids)
    title = shorten(written.title, MAX_TITLE_LENGTH)
    if not sources or not title:
        return None
    description = shorten(written.description.text, MAX_DESCRIPTION_LENGTH) if written.description else ""
    return GeneratedItem(title, description, sources)


def remove_unsupported(
    generated: Sequence[GeneratedSection], chunks: Sequence[RetrievedChunk]
) -> list[GeneratedSection]:
    """What a model wrote, reduced to what its sources say: titles become headings that are not checked later."""
    by_id = {chunk.id: chunk for chunk in chunks}
    return [replace(section, items=tuple(_check_item(item, by_id) for item in section.items)) for section in generated]


def _check_item(item: GeneratedItem, chunks: Mapping[str, RetrievedChunk]) -> GeneratedItem:
    if not item.sources:
        return item
    texts = {name: f"{chunks[name].title}\n\n{chunks[name].content}" for name in item.sources}
    title, description = check(
        [CitedClaim(item.title, item.sources), CitedClaim(item.description, item.sources)], texts
    ).sentences
    return replace(
        item,
        title=_source_title(chunks[item.sources[0]]) if title.says_otherwise else item.title,
        description=item.description if description.verdict is Verdict.SUPPORTED else "",
    )


def _source_title(chunk: RetrievedChunk) -> str:
    """The headline of a source."""
    title = extract_headline([to_writer_source(chunk)], _MAX_HEADLINE_WORDS)
    return shorten(title.text if title else chunk.title or chunk.source, MAX_TITLE_LENGTH)


async def _save(ctx: StepContext, full: FullNewsletter, generated: Sequence[GeneratedSection]) -> None:
    """If a person edits meanwhile, the result is merged into their version."""
    basis, current = full.step_basis("outline"), full.outline

    async def save() -> None:
        nonlocal current
        before = current.outline if current.outline.sections else empty_outline()
        try:
            await outline_store.save_outline(
                ctx.services.tables,
                ctx.code,
                _exclude_empty_sections(merge_generated(before, generated)),
                expected=current.version,
                run=ctx.run,
                basis=basis,
                now=ctx.services.clock.now(),
            )
        except StaleEdit:
            current = (await ctx.read()).outline
            raise

    await retry_on_conflict(
        save, conflict=StaleEdit, sentence=gettext("The outline keeps changing; try again in a moment.")
    )


def _exclude_empty_sections(outline: NewsletterOutline) -> NewsletterOutline:
    """Exclude sections without items from the draft, with a note, until there are some."""
    return replace(outline, sections=tuple(map(_exclude_if_empty, outline.sections)))


def _exclude_if_empty(section: NewsletterOutlineSection) -> NewsletterOutlineSection:
    if not section.items and section.included:
        return replace(section, included=False, notes=section.notes or NOTHING_FOUND)
    if section.items and section.notes == NOTHING_FOUND:
        return replace(section, included=True, notes="")
    return section
