"""Step 4: writes the sections of the outline one after another and checks each.

A finished section is saved at once, so that a worker that is killed leaves nothing to be written twice. A person's own
text is never replaced; what was written for it waits beside it.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from almanac.audit.model import SYSTEM
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.draft import DraftSection, NewsletterDraft, align_with_outline, set_generated_text
from almanac.desks.newsletter.model.draft_text import strip_markup
from almanac.desks.newsletter.model.newsletter import FullNewsletter, protected_revisions
from almanac.desks.newsletter.model.outline import DEFAULT_SECTIONS, OutlineSection
from almanac.desks.newsletter.model.revisions import EditContext, revisions_to_save
from almanac.desks.newsletter.model.staleness import section_fingerprint
from almanac.desks.newsletter.model.verification import check_section
from almanac.desks.newsletter.pipeline.context import DESK, StepContext, audience_text, to_writer_source, tone_text
from almanac.desks.newsletter.pipeline.export import complete_if_ready
from almanac.desks.newsletter.store import drafts as draft_store
from almanac.errors import Conflict, NotFound, StaleEdit, Unavailable
from almanac.kit.text import counted, one_line
from almanac.language.scripts import is_cjk
from almanac.language.segmentation import split_sentences
from almanac.llm.extractive.outlines import PlannedItem
from almanac.llm.port import WrittenStep
from almanac.llm.sources import Cited
from almanac.llm.steps.outlines import DRAFT_SECTION, DraftedSection, DraftSectionInput

_HEADING_SIGNS = re.compile(r"^(?:#{1,6}\s+)+")
_SAVE_ATTEMPTS = 5
_LEAST_WORDS = 60
_SHORT = (DEFAULT_SECTIONS[0], DEFAULT_SECTIONS[-1])
_SHORT_PART = 16
_WRITER_NAME = "Almanac"


async def write_draft(stage: StepContext) -> None:
    """Every section of the outline, in its order; those of this run that are written already are passed over."""
    full = await stage.read()
    planned = full.outline.outline.to_write
    if not planned:
        raise Conflict("The outline has nothing to write; include at least one section.")
    basis = full.step_basis("draft")
    for done, section in enumerate(planned):
        await stage.report(done, len(planned), f"Writing {section.name}")
        full = await stage.read()
        draft = align_with_outline(full.draft.draft, planned)
        mark = _section_mark(stage, section)
        if draft.section(section.id).rests_on != mark:
            text, model = await _write_text(stage, full, draft, section, planned)
            await _save(stage, section, planned, text, mark=mark, model=model, seen=draft.version)
        await stage.report(done + 1, len(planned), await _describe_verdict(stage, section.id))
    await _finish(stage, planned, basis)


async def rewrite_section(stage: StepContext, section_id: str, instruction: str, *, seen: int) -> None:
    """One section, as an instruction says; `seen` is the draft's version when it was asked for."""
    full = await stage.read()
    planned = full.outline.outline.to_write
    section = next((planned_section for planned_section in planned if planned_section.id == section_id), None)
    if section is None:
        raise NotFound("The outline no longer has this section; generate the draft again.")
    await stage.report(0, 1, f"Writing {section.name}")
    draft = align_with_outline(full.draft.draft, planned)
    text, model = await _write_text(stage, full, draft, section, planned, instruction=instruction)
    await _save(stage, section, planned, text, mark=draft.section(section_id).rests_on, model=model, seen=seen)
    await stage.report(1, 1, await _describe_verdict(stage, section_id))


def _section_mark(stage: StepContext, section: OutlineSection) -> str:
    """What a section's text was written for: this run, and this part of the outline."""
    return f"{stage.run}:{section_fingerprint(section)}"


async def _write_text(
    stage: StepContext,
    full: FullNewsletter,
    draft: NewsletterDraft,
    section: OutlineSection,
    planned: Sequence[OutlineSection],
    *,
    instruction: str = "",
) -> tuple[str, str]:
    """The text of a section, and the model that wrote it."""
    configuration = full.newsletter.configuration
    given = DraftSectionInput(
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
    written = await stage.services.writer.write(DRAFT_SECTION, given, desk=DESK, subject=stage.code)
    return _to_markdown(written, section), written.provenance.model


def section_word_count(configuration: Configuration, section: OutlineSection, planned: Sequence[OutlineSection]) -> int:
    """A section's part of the length wanted: opening and close are short, the others share the rest by their items."""
    whole = (configuration.length.fewest + configuration.length.most) // 2
    short = max(_LEAST_WORDS, whole // _SHORT_PART)
    if section.name in _SHORT:
        return short
    others = [other for other in planned if other.name not in _SHORT]
    rest = whole - short * (len(planned) - len(others))
    items = sum(max(1, len(other.items)) for other in others)
    return max(_LEAST_WORDS, rest * max(1, len(section.items)) // max(1, items))


def _sentences_elsewhere(draft: NewsletterDraft, section_id: str) -> tuple[str, ...]:
    texts = (strip_markup(section.text) for section in draft.sections if section.id != section_id)
    return tuple(sentence.text for text in texts for sentence in split_sentences(text))


def _to_markdown(written: WrittenStep[DraftedSection], section: OutlineSection) -> str:
    """A paragraph for each item; where there are several, each under its title."""
    paragraphs = []
    for paragraph in written.output.paragraphs:
        text = text_with_markers(paragraph.sentences)
        if text and len(section.items) > 1 and 0 <= paragraph.item < len(section.items):
            text = f"### {section.items[paragraph.item].title}\n\n{text}"
        paragraphs.append(text)
    return "\n\n".join(filter(None, paragraphs))


def text_with_markers(sentences: Iterable[Cited]) -> str:
    """Running text in which each sentence is followed by the ids of its sources."""
    text = ""
    for sentence in sentences:
        # A sentence that begins like a heading would be taken for one, and headings are not checked.
        words = _HEADING_SIGNS.sub("", one_line(sentence.text))
        if not words:
            continue
        ids = dict.fromkeys(reference.source for reference in sentence.references)
        gap = "" if not text or is_cjk(words[0]) else " "
        text += gap + words + "".join(f"[@{name}]" for name in ids)
    return text


async def _save(
    stage: StepContext,
    section: OutlineSection,
    planned: Sequence[OutlineSection],
    text: str,
    *,
    mark: str,
    model: str,
    seen: int,
) -> None:
    """Into the draft as it is by now; a section that a person changed meanwhile keeps their text."""

    def with_section(draft: NewsletterDraft) -> NewsletterDraft:
        draft = align_with_outline(draft, planned)
        return set_generated_text(draft, section.id, text, seen=seen, rests_on=mark, model=model)

    await _change(stage, with_section, f"Wrote {section.name}" if not stage.run else "Wrote the draft")


async def _change(
    stage: StepContext,
    change: Callable[[NewsletterDraft], NewsletterDraft],
    reason: str,
    more: Mapping[str, object] | None = None,
) -> None:
    """Apply a change to the draft as it is at the moment of saving; all saves of a run are one revision."""
    tables = stage.services.tables
    sitting = f"run:{stage.run}" if stage.run else ""
    for _ in range(_SAVE_ATTEMPTS):
        full = await stage.read()
        before = full.draft.draft
        changed = change(before)
        occasion = EditContext(by=_WRITER_NAME, reason=reason, at=stage.services.clock.now(), sitting=sitting)
        latest = await draft_store.get_latest_revision(tables, stage.code, before)
        kept = revisions_to_save(before, changed, occasion, latest, protected_revisions(full))
        try:
            await draft_store.save_draft(
                tables,
                stage.code,
                changed,
                kept,
                title=full.newsletter.title,
                expected=before.version,
                status="draft",
                generated=True,
                more=more,
            )
        except StaleEdit:
            continue
        return
    raise Unavailable("The draft keeps changing; try again in a moment.")


async def _describe_verdict(stage: StepContext, section_id: str) -> str:
    """How the section fares against its sources, in words."""
    full = await stage.read()
    section: DraftSection = full.draft.draft.section(section_id)
    report = (await asyncio.to_thread(check_section, section, full.sources)).report
    count = counted(len(report.sentences), "sentence")
    faults = len(report.faults)
    return f"{section.name}: {count}, " + (f"{faults} without support" if faults else "all supported")


async def _finish(stage: StepContext, planned: Sequence[OutlineSection], basis: dict[str, str]) -> None:
    """The generation has ended; sections that the outline no longer has leave the draft."""
    ended = draft_store.generation_ended_fields(stage.run, basis, stage.services.clock.now())
    await _change(stage, lambda draft: align_with_outline(draft, planned), "Wrote the draft", ended)
    await index_newsletter(stage.services, await stage.read())
    if not stage.completes:
        return
    try:
        await complete_if_ready(stage.services, await stage.read(), SYSTEM)
    except StaleEdit:
        # Somebody edits it already: it stays a draft until they complete it.
        return
