"""Step 4: writes the sections of the outline one after another and checks each.

A finished section is saved at once, so that a worker that is killed leaves nothing to be written twice. A person's own
text is never replaced; what was written for it waits beside it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from almanac.audit.model import SYSTEM
from almanac.desks.newsletter import store
from almanac.desks.newsletter.checks import checked_section
from almanac.desks.newsletter.completion import try_to_complete
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.draft import Draft, DraftSection, following, with_generated_text
from almanac.desks.newsletter.model.newsletter import FullNewsletter, lasting_revisions
from almanac.desks.newsletter.model.outline import DEFAULT_SECTIONS, Section
from almanac.desks.newsletter.model.revisions import Occasion, revisions_of
from almanac.desks.newsletter.model.staleness import section_fingerprint
from almanac.desks.newsletter.model.wording import readable
from almanac.desks.newsletter.pipeline.running import StageRun
from almanac.desks.newsletter.pipeline.writing import DESK, as_source, audience_of, tone_of, with_markers
from almanac.errors import Conflict, NotFound, StaleEdit, Unavailable
from almanac.kit.text import counted
from almanac.language import sentences
from almanac.llm.extractive.outlines import PlannedItem
from almanac.llm.port import WrittenStep
from almanac.llm.steps.outlines import DRAFT_SECTION, DraftedSection, DraftSectionInput

_SAVE_ATTEMPTS = 5
_LEAST_WORDS = 60
_SHORT = (DEFAULT_SECTIONS[0], DEFAULT_SECTIONS[-1])
_SHORT_PART = 16
_WRITER = "Almanac"


async def write_draft(stage: StageRun) -> None:
    """Every section of the outline, in its order; those of this run that are written already are passed over."""
    full = await stage.read()
    planned = full.outline.outline.to_write
    if not planned:
        raise Conflict("The outline has nothing to write; include at least one section.")
    basis = full.basis_of("draft")
    for done, section in enumerate(planned):
        await stage.report(done, len(planned), f"Writing {section.name}")
        full = await stage.read()
        draft = following(full.draft.draft, planned)
        mark = _mark(stage, section)
        if draft.section(section.id).rests_on != mark:
            text, model = await _written(stage, full, draft, section, planned)
            await _save(stage, section, planned, text, mark=mark, model=model, seen=draft.version)
        await stage.report(done + 1, len(planned), await _verdict(stage, section.id))
    await _finish(stage, planned, basis)


async def write_section_anew(stage: StageRun, section_id: str, instruction: str, *, seen: int) -> None:
    """One section, as an instruction says; `seen` is the draft's version when it was asked for."""
    full = await stage.read()
    planned = full.outline.outline.to_write
    section = next((one for one in planned if one.id == section_id), None)
    if section is None:
        raise NotFound("The outline has no such section any more; generate the draft again.")
    await stage.report(0, 1, f"Writing {section.name}")
    draft = following(full.draft.draft, planned)
    text, model = await _written(stage, full, draft, section, planned, instruction=instruction)
    await _save(stage, section, planned, text, mark=draft.section(section_id).rests_on, model=model, seen=seen)
    await stage.report(1, 1, await _verdict(stage, section_id))


def _mark(stage: StageRun, section: Section) -> str:
    """What a section's text was written for: this run, and this part of the outline."""
    return f"{stage.run}:{section_fingerprint(section)}"


async def _written(
    stage: StageRun,
    full: FullNewsletter,
    draft: Draft,
    section: Section,
    planned: Sequence[Section],
    *,
    instruction: str = "",
) -> tuple[str, str]:
    """The text of a section, and the model that wrote it."""
    configuration = full.newsletter.configuration
    given = DraftSectionInput(
        sources=tuple(as_source(chunk) for chunk in full.topics.included),
        audience=audience_of(configuration),
        tone=tone_of(configuration),
        instruction=instruction,
        title=section.name,
        notes=section.notes,
        items=tuple(
            PlannedItem(title=item.title, description=item.description, notes=item.notes, sources=item.sources)
            for item in section.items
        ),
        words=words_for(configuration, section, planned),
        used=_sentences_elsewhere(draft, section.id),
    )
    written = await stage.services.writer.write(DRAFT_SECTION, given, desk=DESK, subject=stage.code)
    return _as_text(written, section), written.provenance.model


def words_for(configuration: Configuration, section: Section, planned: Sequence[Section]) -> int:
    """A section's part of the length wanted: opening and close are short, the others share the rest by their items."""
    whole = (configuration.length.fewest + configuration.length.most) // 2
    short = max(_LEAST_WORDS, whole // _SHORT_PART)
    if section.name in _SHORT:
        return short
    others = [one for one in planned if one.name not in _SHORT]
    rest = whole - short * (len(planned) - len(others))
    items = sum(max(1, len(one.items)) for one in others)
    return max(_LEAST_WORDS, rest * max(1, len(section.items)) // max(1, items))


def _sentences_elsewhere(draft: Draft, section_id: str) -> tuple[str, ...]:
    texts = (readable(section.text) for section in draft.sections if section.id != section_id)
    return tuple(sentence.text for text in texts for sentence in sentences(text))


def _as_text(written: WrittenStep[DraftedSection], section: Section) -> str:
    """A paragraph for each item; where there are several, each under its title."""
    paragraphs = []
    for paragraph in written.output.paragraphs:
        text = with_markers(paragraph.sentences)
        if text and len(section.items) > 1 and 0 <= paragraph.item < len(section.items):
            text = f"### {section.items[paragraph.item].title}\n\n{text}"
        paragraphs.append(text)
    return "\n\n".join(filter(None, paragraphs))


async def _save(
    stage: StageRun, section: Section, planned: Sequence[Section], text: str, *, mark: str, model: str, seen: int
) -> None:
    """Into the draft as it is by now; a section that a person changed meanwhile keeps their text."""

    def with_section(draft: Draft) -> Draft:
        draft = following(draft, planned)
        return with_generated_text(draft, section.id, text, seen=seen, rests_on=mark, model=model)

    await _change(stage, with_section, f"Wrote {section.name}" if not stage.run else "Wrote the draft")


async def _change(
    stage: StageRun, change: Callable[[Draft], Draft], reason: str, more: Mapping[str, object] | None = None
) -> None:
    """Apply a change to the draft as it is at the moment of saving; all saves of a run are one revision."""
    tables = stage.services.tables
    sitting = f"run:{stage.run}" if stage.run else ""
    for _ in range(_SAVE_ATTEMPTS):
        full = await stage.read()
        before = full.draft.draft
        changed = change(before)
        occasion = Occasion(by=_WRITER, reason=reason, at=stage.services.clock.now(), sitting=sitting)
        latest = await store.latest_revision(tables, stage.code, before)
        kept = revisions_of(before, changed, occasion, latest, lasting_revisions(full))
        try:
            await store.save_draft(
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
    raise Unavailable("The draft is being changed all the time; try again in a moment.")


async def _verdict(stage: StageRun, section_id: str) -> str:
    """How the section fares against its sources, in words."""
    full = await stage.read()
    section: DraftSection = full.draft.draft.section(section_id)
    report = (await asyncio.to_thread(checked_section, section, full.sources)).report
    count = counted(len(report.sentences), "sentence")
    faults = len(report.faults)
    return f"{section.name}: {count}, " + (f"{faults} without support" if faults else "all supported")


async def _finish(stage: StageRun, planned: Sequence[Section], basis: dict[str, str]) -> None:
    """The generation has ended; sections that the outline no longer has leave the draft."""
    ended = store.draft_ended(stage.run, basis, stage.services.clock.now())
    await _change(stage, lambda draft: following(draft, planned), "Wrote the draft", ended)
    await index_newsletter(stage.services, await stage.read())
    if not stage.completes:
        return
    try:
        await try_to_complete(stage.services, await stage.read(), SYSTEM)
    except StaleEdit:
        # Somebody edits it already: it stays a draft until they complete it.
        return
