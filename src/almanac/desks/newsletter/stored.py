"""From stored items to the model and back. Items of other programs lack what is ours; it gets its meaning here."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date

import msgspec

from almanac.citations import Place
from almanac.desks.newsletter import table
from almanac.desks.newsletter.model.chunks import Chunk, Coverage, derived_chunk_id
from almanac.desks.newsletter.model.configuration import SOURCE_KINDS, Configuration
from almanac.desks.newsletter.model.draft import Draft, DraftSection, headed, unused_key
from almanac.desks.newsletter.model.newsletter import (
    DraftStep,
    ExportRecord,
    FullNewsletter,
    Newsletter,
    OutlineStep,
    StepName,
    StepState,
    TopicsStep,
)
from almanac.desks.newsletter.model.outline import Item, Modifications, Outline, Section
from almanac.desks.newsletter.model.revisions import Revision
from almanac.desks.newsletter.model.schedule import Rhythm
from almanac.desks.newsletter.model.whole_text import (
    UNNAMED,
    cut_by_headings,
    cut_by_names,
    folded_name,
    same_text,
)
from tablature.schema.timestamps import from_iso, to_iso


def newsletter_from(item: table.Newsletter) -> Newsletter:
    return Newsletter(
        code=item.newsletter_code,
        owner_id=item.user_id,
        owner_email=item.user_email or "",
        owner_name=item.user_name or "",
        configuration=_configuration(item),
        status=item.status,
        current_step=item.current_step,
        version=item.version or 0,
        created_at=item.created_at,
        updated_at=item.updated_at,
        completed_at=item.completed_at,
        made_from=item.made_from,
        covered_chunks=tuple(item.covered_chunks or ()),
    )


def _configuration(item: table.Newsletter) -> Configuration:
    rhythm = item.schedule
    return Configuration(
        title=item.title,
        description=item.description or "",
        target_audience=tuple(item.target_audience),
        tone_professional=item.tone_professional,
        tone_technical=item.tone_technical,
        format_type=item.format_type,
        length_preference=item.length_preference,
        frequency=item.frequency,
        geographic_focus=item.geographic_focus or "",
        source_kinds=tuple(item.source_kinds or SOURCE_KINDS),
        schedule=Rhythm(rhythm["rule"], rhythm["time_zone"], rhythm.get("active", False)) if rhythm else None,
    )


def configuration_fields(configuration: Configuration) -> dict[str, object]:
    """The attributes of METADATA that step 1 decides."""
    rhythm = configuration.schedule
    return {
        "title": configuration.title,
        "description": configuration.description or None,
        "target_audience": list(configuration.target_audience),
        "tone_professional": configuration.tone_professional,
        "tone_technical": configuration.tone_technical,
        "format_type": configuration.format_type,
        "length_preference": configuration.length_preference,
        "frequency": configuration.frequency,
        "geographic_focus": configuration.geographic_focus or None,
        "source_kinds": None if configuration.takes_everything else list(configuration.source_kinds),
        "schedule": rhythm and {"rule": rhythm.rule, "time_zone": rhythm.time_zone, "active": rhythm.active},
    }


def full_from(found: table.FullNewsletter) -> FullNewsletter:
    outline = outline_from(found.outline) if found.outline else OutlineStep()
    return FullNewsletter(
        newsletter=newsletter_from(found.newsletter),
        topics=topics_from(found.topics) if found.topics else TopicsStep(),
        outline=outline,
        draft=draft_from(found.draft, outline.outline) if found.draft else DraftStep(),
    )


def _step_state(item: table.Topics | table.Outline | table.Draft, step: StepName) -> StepState:
    """Where a step stands; its attributes carry its name."""
    return StepState(
        **{name: getattr(item, f"{step}_{name}") for name in ("status", "started_at", "completed_at", "error")},
        run=item.run or 0,
        job=item.job,
    )


def topics_from(item: table.Topics) -> TopicsStep:
    excluded = set(item.excluded_chunks or ())
    chunks = tuple(_chunk(stored, excluded) for stored in item.retrieved_content or ())
    here = {chunk.id for chunk in chunks}
    return TopicsStep(
        state=_step_state(item, "retrieval"),
        selected=tuple(item.selected_types),
        chunks=chunks,
        left_out=tuple(one for one in item.excluded_chunks or () if one not in here),
        coverage=msgspec.convert(item.coverage, Coverage) if item.coverage else None,
        rests_on=item.rests_on or {},
        version=item.version or 0,
        updated_at=item.updated_at,
    )


def _chunk(stored: table.Chunk, excluded: set[str]) -> Chunk:
    about = stored.get("metadata") or {}
    source, content = stored.get("source") or "", stored.get("content") or ""
    chunk_id = stored.get("id") or derived_chunk_id(source, content)
    return Chunk(
        id=chunk_id,
        topic=stored.get("topic") or "",
        source=source,
        score=float(stored.get("score") or 0),
        content=content,
        title=stored.get("title") or "",
        url=str(about.get("url") or ""),
        date=_day(str(about.get("date") or "")),
        place=_place(stored, chunk_id),
        language=stored.get("language") or "",
        why=stored.get("why") or "",
        used_in=tuple(stored.get("used_in") or ()),
        included=chunk_id not in excluded,
    )


def _place(stored: table.Chunk, chunk_id: str) -> Place | None:
    """Where it stands; what was retrieved before that was noted tells at least which desk has it."""
    if place := stored.get("place"):
        return msgspec.convert(place, Place)
    return Place(desk=stored["kind"], item=chunk_id) if "kind" in stored else None


def _day(text: str) -> date | None:
    """A day as other programs write it, perhaps with a time behind it; None where it can't be told."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def stored_chunk(chunk: Chunk) -> table.Chunk:
    about = {"url": chunk.url, "date": chunk.date.isoformat() if chunk.date else ""}
    stored = table.Chunk(
        topic=chunk.topic,
        source=chunk.source,
        score=chunk.score,
        content=chunk.content,
        metadata={name: value for name, value in about.items() if value},
        id=chunk.id,
        title=chunk.title,
        kind=chunk.kind,
        language=chunk.language,
        why=chunk.why,
        used_in=list(chunk.used_in),
    )
    if chunk.place is not None:
        stored["place"] = msgspec.to_builtins(chunk.place)
    return stored


def stored_coverage(coverage: Coverage) -> dict[str, object]:
    members: dict[str, object] = msgspec.to_builtins(coverage)
    return {name: value for name, value in members.items() if value is not None}


def outline_from(item: table.Outline) -> OutlineStep:
    return OutlineStep(
        state=_step_state(item, "outline"),
        outline=_outline(item),
        rests_on=item.rests_on or {},
        version=item.version or 0,
        generated_at=item.generated_at,
        updated_at=item.updated_at,
    )


def _outline(item: table.Outline) -> Outline:
    marks = item.user_modifications or table.Modifications(items_added=[], items_removed=[], items_edited=[])
    sections = sorted(item.sections, key=lambda section: section.get("order") or 0)
    return Outline(
        sections=tuple(_section(section, place) for place, section in enumerate(sections, 1)),
        modifications=Modifications(
            added=tuple(marks.get("items_added") or ()),
            removed=tuple(marks.get("items_removed") or ()),
            edited=tuple(marks.get("items_edited") or ()),
        ),
        removed_items=tuple(_item(removed, "") for removed in item.removed_items or ()),
        removed_sections=tuple(item.removed_sections or ()),
    )


def _section(stored: table.Section, place: int) -> Section:
    """A section without a name or an id gets one by its place, so that it can be seen and changed."""
    items = enumerate(stored.get("items") or (), 1)
    return Section(
        id=stored.get("id") or f"section-{place}",
        name=stored.get("name") or f"Section {place}",
        items=tuple(_item(item, f"item-{place}-{at}") for at, item in items),
        included=stored.get("included", True),
        notes=stored.get("notes") or "",
    )


def _item(stored: table.OutlineItem, otherwise: str) -> Item:
    pinned = stored.get("sources") or [one for one in (stored.get("rag_reference_id"),) if one]
    return Item(
        id=stored.get("id") or otherwise,
        title=stored.get("title") or "",
        description=stored.get("description") or "",
        source=stored.get("source") or "ai_generated",
        editable=stored.get("editable", True),
        sources=tuple(pinned),
        included=stored.get("included", True),
        notes=stored.get("notes") or "",
    )


def outline_fields(outline: Outline) -> dict[str, object]:
    """The attributes of OUTLINE that hold the outline itself."""
    marks = outline.modifications
    return {
        "sections": [_stored_section(section, order) for order, section in enumerate(outline.sections, 1)],
        "user_modifications": {
            "items_added": list(marks.added),
            "items_removed": list(marks.removed),
            "items_edited": list(marks.edited),
        },
        "removed_items": [_stored_item(item) for item in outline.removed_items] or None,
        "removed_sections": list(outline.removed_sections) or None,
    }


def _stored_section(section: Section, order: int) -> table.Section:
    stored = table.Section(
        id=section.id, name=section.name, order=order, items=[_stored_item(item) for item in section.items]
    )
    if not section.included:
        stored["included"] = False
    if section.notes:
        stored["notes"] = section.notes
    return stored


def _stored_item(item: Item) -> table.OutlineItem:
    stored = table.OutlineItem(
        id=item.id, title=item.title, description=item.description, editable=item.editable, source=item.source
    )
    if item.sources:
        stored["rag_reference_id"] = item.sources[0]
        stored["sources"] = list(item.sources)
    if not item.included:
        stored["included"] = False
    if item.notes:
        stored["notes"] = item.notes
    return stored


def draft_from(item: table.Draft, outline: Outline) -> DraftStep:
    return DraftStep(
        state=_step_state(item, "draft"),
        draft=_draft(item, outline),
        rests_on=item.rests_on or {},
        exports=_exports(item.exports),
        generated_at=item.generated_at,
        updated_at=item.updated_at,
    )


def _draft(item: table.Draft, outline: Outline) -> Draft:
    """The text as a person left it: ours is in its sections, other programs keep edits as one document beside them."""
    draft = Draft(sections=_draft_sections(item, outline), version=item.version or 0, revision=item.revision or 0)
    if not draft.sections:
        return replace(draft, sections=tuple(_cut_sections(item)))
    edits = item.user_edits or ""
    if not edits.strip() or same_text(edits, draft.markdown(UNNAMED)):
        return draft
    texts = cut_by_names(edits, [section.name for section in draft.sections])
    if texts is None:
        return replace(draft, apart=edits)
    sections = tuple(_as_edited(section, texts[section.name]) for section in draft.sections)
    return replace(draft, sections=sections, changed_elsewhere=True)


def _cut_sections(item: table.Draft) -> Iterator[DraftSection]:
    """The sections of a draft that is stored as one document and nothing else."""
    document, taken = item.user_edits or item.generated_content or "", set[str]()
    for name, text in cut_by_headings(document):
        key = unused_key(name, UNNAMED, taken)
        taken.add(key)
        yield DraftSection(id=key, key=key, name=name, text=text, written=True, edited=bool(item.user_edits))


def _as_edited(section: DraftSection, text: str) -> DraftSection:
    is_same = same_text(headed(section), f"## {section.name}\n\n{text}")
    return section if is_same else replace(section, text=text, written=True, edited=True)


def _draft_sections(item: table.Draft, outline: Outline) -> tuple[DraftSection, ...]:
    """In the order that was stored with them; those of other programs in the order of the outline's names."""
    states = item.section_states or {}
    names = {folded_name(section.name): section.name for section in outline.sections}
    places = {name: at for at, name in enumerate(names)}

    def place(key: str) -> tuple[int, int]:
        return (0, states[key]["order"]) if key in states else (1, places.get(folded_name(key), len(places)))

    return tuple(
        _draft_section(key, item, states.get(key), names.get(folded_name(key)))
        for key in sorted(item.sections, key=place)
    )


def _draft_section(key: str, item: table.Draft, state: table.SectionState | None, outlined: str | None) -> DraftSection:
    text = item.sections[key]
    if state is None:
        name = outlined or key.replace("_", " ").capitalize()
        return DraftSection(id=key, key=key, name=name, text=text, written=True, edited=item.has_user_edits)
    return DraftSection(
        id=state["section_id"],
        key=key,
        name=state["name"],
        text=text,
        written=state["written"],
        edited=state["edited"],
        version=state["version"],
        proposal=state.get("proposal"),
        rests_on=state.get("rests_on", ""),
        model=state.get("model", ""),
        job=state.get("job"),
    )


def _exports(stored: Mapping[str, table.Export | None]) -> dict[str, ExportRecord]:
    """The files there are; other programs write a null for a format that was never exported."""
    return {name: _export(export) for name, export in stored.items() if export is not None}


def _export(stored: table.Export) -> ExportRecord:
    return ExportRecord(
        key=stored["s3_key"],
        generated_at=from_iso(stored["generated_at"]),
        size=stored.get("file_size") or 0,
        revision=stored.get("revision"),
    )


def stored_export(export: ExportRecord) -> table.Export:
    stored = table.Export(s3_key=export.key, generated_at=to_iso(export.generated_at, "seconds"), file_size=export.size)
    if export.revision is not None:
        stored["revision"] = export.revision
    return stored


def draft_fields(draft: Draft, title: str, *, generated: bool) -> dict[str, object]:
    """The attributes of DRAFT that hold the text, with everything that is derived from it."""
    document = draft.markdown(title)
    fields: dict[str, object] = {
        "sections": {section.key: section.text for section in draft.sections},
        "section_states": {section.key: _state(section, order) for order, section in enumerate(draft.sections, 1)},
        "word_count": draft.word_count,
        "estimated_read_time": draft.estimated_read_time,
        "has_user_edits": draft.has_user_edits,
        "user_edits": document if draft.has_user_edits else None,
        "version": draft.version or None,
        "revision": draft.revision or None,
    }
    if generated:
        fields["generated_content"] = document
    return fields


def _state(section: DraftSection, order: int) -> table.SectionState:
    state = table.SectionState(
        section_id=section.id,
        name=section.name,
        order=order,
        written=section.written,
        edited=section.edited,
        version=section.version,
    )
    if section.proposal is not None:
        state["proposal"] = section.proposal
    if section.rests_on:
        state["rests_on"] = section.rests_on
    if section.model:
        state["model"] = section.model
    if section.job is not None:
        state["job"] = section.job
    return state


def revision_from(item: table.Revision) -> Revision:
    return Revision(
        number=item.number,
        created_at=item.created_at,
        by=item.by,
        reason=item.reason,
        word_count=item.word_count,
        sitting=item.sitting or "",
        texts=item.texts or {},
        names=item.names or {},
    )


def stored_revision(code: str, revision: Revision) -> table.Revision:
    return table.Revision(
        newsletter_code=code,
        number=revision.number,
        created_at=revision.created_at,
        by=revision.by,
        reason=revision.reason,
        sitting=revision.sitting or None,
        word_count=revision.word_count,
        texts=dict(revision.texts or {}),
        names=dict(revision.names or {}),
    )
