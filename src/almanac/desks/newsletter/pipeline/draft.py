"""Step 4: writes the sections of the outline one by one and checks each.

A finished section is saved at once, so that a retry after a crash doesn't write it again. A person's own text is never
replaced; the generated text becomes a proposal.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from almanac.audit.model import SYSTEM
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.draft import (
    GeneratedText,
    NewsletterDraft,
    align_with_outline,
    set_generated_text,
)
from almanac.desks.newsletter.model.draft_text import strip_markup
from almanac.desks.newsletter.model.newsletter import FullNewsletter, protected_revisions
from almanac.desks.newsletter.model.outline import DEFAULT_SECTIONS, NewsletterOutlineSection
from almanac.desks.newsletter.model.revisions import EditContext, revisions_to_save
from almanac.desks.newsletter.model.staleness import section_fingerprint
from almanac.desks.newsletter.model.verification import open_cache, tally_checks
from almanac.desks.newsletter.pipeline.context import DESK, StepContext, audience_text, to_writer_source, tone_text
from almanac.desks.newsletter.pipeline.export import complete_if_ready
from almanac.desks.newsletter.pipeline.verification import check_draft, move_to_carrying_passages
from almanac.desks.newsletter.store import drafts as draft_store
from almanac.errors import Conflict, NotFound, StaleEdit
from almanac.kit.messages import gettext
from almanac.kit.retry import retry_on_conflict
from almanac.kit.text import one_line
from almanac.language.scripts import is_cjk
from almanac.language.segmentation import split_sentences
from almanac.llm.extractive.outlines import PlannedItem
from almanac.llm.fallback import write_or_extract
from almanac.llm.port import WrittenStep
from almanac.llm.sources import Cited
from almanac.llm.steps.outlines import DRAFT_SECTION, DraftedSection, DraftSectionInput

_HEADING_SIGNS = re.compile(r"^(?:#{1,6}\s+)+")
_MIN_WORDS = 60
_SHORT_SECTIONS = (DEFAULT_SECTIONS[0], DEFAULT_SECTIONS[-1])
_SHORT_PART = 16
_WRITER_NAME = "Almanac"


async def write_draft(ctx: StepContext) -> None:
    """Write every section of the outline in order; sections already written in this run are skipped."""
    full = await ctx.read()
    planned = full.outline.outline.to_write
    if not planned:
        raise Conflict(gettext("The outline has nothing to write; include at least one section."))
    basis = full.step_basis("draft")
    for done, section in enumerate(planned):
        await ctx.report(done, len(planned), f"Writing {section.name}")
        full = await ctx.read()
        draft = align_with_outline(full.draft.draft, planned)
        mark = _section_mark(ctx, section)
        if draft.section(section.id).rests_on != mark:
            generated = await _write_text(ctx, full, draft, section, planned)
            await _save(ctx, section, planned, generated, mark=mark, seen=draft.version)
        await ctx.report(done + 1, len(planned), await _describe_verdict(ctx, section.id))
    await _finish(ctx, planned, basis)


async def rewrite_section(ctx: StepContext, section_id: str, instruction: str, *, seen: int) -> None:
    """Rewrite one section with an instruction; `seen` is the draft's version when it was requested."""
    full = await ctx.read()
    planned = full.outline.outline.to_write
    section = next((planned_section for planned_section in planned if planned_section.id == section_id), None)
    if section is None:
        raise NotFound(gettext("The outline no longer has this section; generate the draft again."))
    await ctx.report(0, 1, f"Writing {section.name}")
    draft = align_with_outline(full.draft.draft, planned)
    generated = await _write_text(ctx, full, draft, section, planned, instruction=instruction)
    if generated.text == draft.section(section_id).text:
        await ctx.report(1, 1, gettext("%(section)s came out the same; nothing was changed.", section=section.name))
        return
    await _save(ctx, section, planned, generated, mark=draft.section(section_id).rests_on, seen=seen)
    await ctx.report(1, 1, await _describe_verdict(ctx, section_id))


def _section_mark(ctx: StepContext, section: NewsletterOutlineSection) -> str:
    """Identifies what a section's text was written for: this run and this part of the outline."""
    return f"{ctx.run}:{section_fingerprint(section)}"


async def _write_text(
    ctx: StepContext,
    full: FullNewsletter,
    draft: NewsletterDraft,
    section: NewsletterOutlineSection,
    planned: Sequence[NewsletterOutlineSection],
    *,
    instruction: str = "",
) -> GeneratedText:
    """The text of a section. Extraction takes the place of a model whose answer can't be used."""
    configuration = full.newsletter.configuration
    writer_input = DraftSectionInput(
        sources=tuple(to_writer_source(chunk) for chunk in full.topics.included),
        audience=audience_text(configuration),
        tone=tone_text(configuration),
        instruction=instruction,
        title=section.name,
        notes=section.notes,
        items=tuple(
            PlannedItem(title=item.title, description=item.description, notes=item.notes, sources=item.sources)
            for item in section.items
        ),
        words=section_word_count(configuration, section, planned),
        used=_sentences_elsewhere(draft, section.id),
    )
    services = ctx.services
    written = await write_or_extract(
        services.writer, services.clock, DRAFT_SECTION, writer_input, desk=DESK, subject=ctx.code
    )
    text, moves = await move_to_carrying_passages(full, _to_markdown(written, section), open_cache(full))
    return GeneratedText(
        text=text,
        model=written.provenance.model,
        dropped=written.dropped,
        fallback=written.fallback.reason if written.fallback else "",
        moves=moves,
    )


def section_word_count(
    configuration: Configuration, section: NewsletterOutlineSection, planned: Sequence[NewsletterOutlineSection]
) -> int:
    """A section's share of the length: opening and close are short, the others share the rest by their items."""
    total = (configuration.length.fewest + configuration.length.most) // 2
    short = max(_MIN_WORDS, total // _SHORT_PART)
    if section.name in _SHORT_SECTIONS:
        return short
    others = [other for other in planned if other.name not in _SHORT_SECTIONS]
    rest = total - short * (len(planned) - len(others))
    items = sum(max(1, len(other.items)) for other in others)
    return max(_MIN_WORDS, rest * max(1, len(section.items)) // max(1, items))


def _sentences_elsewhere(draft: NewsletterDraft, section_id: str) -> tuple[str, ...]:
    texts = (strip_markup(section.text) for section in draft.sections if section.id != section_id)
    return tuple(sentence.text for text in texts for sentence in split_sentences(text))


def _to_markdown(written: WrittenStep[DraftedSection], section: NewsletterOutlineSection) -> str:
    """A paragraph per item; if there are several, each under its title."""
    paragraphs = []
    for paragraph in written.output.paragraphs:
        text = text_with_markers(paragraph.sentences)
        if text and len(section.items) > 1 and 0 <= paragraph.item < len(section.items):
            text = f"### {strip_markup(section.items[paragraph.item].title)}\n\n{text}"
        paragraphs.append(text)
    return "\n\n".join(filter(None, paragraphs))


def text_with_markers(sentences: Iterable[Cited]) -> str:
    """Text in which each sentence is followed by the ids of its sources."""
    text = ""
    for sentence in sentences:
        # Only a person may mark a sentence as their own, and what starts like a heading would be parsed as one.
        words = _HEADING_SIGNS.sub("", one_line(strip_markup(sentence.text)))
        if not words:
            continue
        ids = dict.fromkeys(reference.source for reference in sentence.references)
        gap = "" if not text or is_cjk(words[0]) else " "
        text += gap + words + "".join(f"[@{name}]" for name in ids)
    return text


async def _save(
    ctx: StepContext,
    section: NewsletterOutlineSection,
    planned: Sequence[NewsletterOutlineSection],
    generated: GeneratedText,
    *,
    mark: str,
    seen: int,
) -> None:
    """Save into the current draft; a section that a person changed meanwhile keeps their text."""

    def with_section(draft: NewsletterDraft) -> NewsletterDraft:
        draft = align_with_outline(draft, planned)
        return set_generated_text(draft, section.id, generated, seen=seen, rests_on=mark)

    await _change(ctx, with_section, f"Wrote {section.name}" if not ctx.run else "Wrote the draft")


async def _change(
    ctx: StepContext,
    change: Callable[[NewsletterDraft], NewsletterDraft],
    reason: str,
    more: Mapping[str, object] | None = None,
) -> None:
    """Apply a change to the current draft and save it; all saves of a run are one revision."""
    tables = ctx.services.tables
    sitting = f"run:{ctx.run}" if ctx.run else ""

    async def save() -> None:
        full = await ctx.read()
        before = full.draft.draft
        changed = change(before)
        edit = EditContext(by=_WRITER_NAME, reason=reason, at=ctx.services.clock.now(), sitting=sitting)
        latest = await draft_store.get_latest_revision(tables, ctx.code, before)
        await draft_store.save_draft(
            tables,
            ctx.code,
            changed,
            revisions_to_save(before, changed, edit, latest, protected_revisions(full)),
            title=full.newsletter.title,
            expected=before.version,
            status="draft",
            generated=True,
            more=more,
        )

    await retry_on_conflict(
        save, conflict=StaleEdit, sentence=gettext("The draft keeps changing; try again in a moment.")
    )


async def _describe_verdict(ctx: StepContext, section_id: str) -> str:
    """The result of the check in words; the verdicts are stored for whoever opens the draft."""
    full = await ctx.read()
    checked = await check_draft(ctx.services, full, asks_judge=True)
    section = full.draft.draft.section(section_id)
    summary = tally_checks([each for each in checked if each.section.id == section.id]).sentence
    return f"{section.name}: {summary}" if summary else f"{section.name}: nothing was written."


async def _finish(ctx: StepContext, planned: Sequence[NewsletterOutlineSection], basis: dict[str, str]) -> None:
    """End the generation; sections that the outline no longer has leave the draft."""
    ended = draft_store.generation_ended_fields(ctx.run, basis, ctx.services.clock.now())
    await _change(ctx, lambda draft: align_with_outline(draft, planned), "Wrote the draft", ended)
    await index_newsletter(ctx.services, await ctx.read())
    if not ctx.completes:
        return
    try:
        await complete_if_ready(ctx.services, await ctx.read(), SYSTEM)
    except StaleEdit:
        # Someone has already edited it: it stays a draft until they complete it.
        return
