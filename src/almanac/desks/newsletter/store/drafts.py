"""Step 4 in the table: the draft, its revisions and its exports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from almanac.desks.newsletter.model.draft import (
    DraftSection,
    NewsletterDraft,
    ReferenceMove,
    unused_key,
    with_heading,
)
from almanac.desks.newsletter.model.draft_text import (
    UNNAMED_SECTION,
    fold_name,
    is_same_text,
    split_by_headings,
    split_by_names,
)
from almanac.desks.newsletter.model.newsletter import FINISHED_STATUSES, DraftStep, ExportRecord, FullNewsletter
from almanac.desks.newsletter.model.outline import NewsletterOutline
from almanac.desks.newsletter.model.revisions import Revision, expired_revision
from almanac.desks.newsletter.model.staleness import Basis
from almanac.desks.newsletter.store import table
from almanac.desks.newsletter.store.conversion import model_fields, stored_fields
from almanac.desks.newsletter.store.steps import (
    ended_fields,
    ensure_step,
    is_version,
    raise_write_error,
    step_state_from,
)
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.llm.answer import DroppedSentence
from tablature import check, delete, patch, put
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed, DoesNotExist, TransactionFailed
from tablature.schema.timestamps import from_iso, to_iso


async def save_draft(
    tables: AsyncDatabase,
    code: str,
    draft: NewsletterDraft,
    revisions: Sequence[Revision],
    *,
    title: str,
    expected: int,
    status: str | None = None,
    generated: bool = False,
    more: Mapping[str, object] | None = None,
) -> NewsletterDraft:
    """Save the draft that was changed on version `expected`, with its revisions and the newsletter's status."""
    latest = revisions[-1].number
    draft = replace(draft, revision=latest)
    fields = {**draft_fields(draft, title, generated=generated), **(more or {})}
    await ensure_step(tables, code, "draft")
    newsletter = table.NewsletterRecord.key(newsletter_code=code)
    writes: list[Any] = [
        patch(table.DraftRecord.key(newsletter_code=code), when=is_version(table.DraftRecord, expected), **fields),
        check(newsletter) if status is None else patch(newsletter, status=status),
        *(put(_stored_revision(code, revision)) for revision in revisions),
    ]
    if (oldest := expired_revision(latest)) is not None:
        writes.append(delete(table.RevisionRecord.key(newsletter_code=code, number=oldest)))
    try:
        await tables.transact(*writes)
    except TransactionFailed as failure:
        raise_write_error(failure.errors[0] or failure.errors[1] or failure, code)
    return draft


def generation_ended_fields(run: int, basis: Basis, now: datetime) -> dict[str, object]:
    """The fields that mark the generation as ended, for the last save of a generated draft."""
    return {"rests_on": dict(basis), "generated_at": now, **ended_fields("draft", run, now)}


async def save_section_job(tables: AsyncDatabase, code: str, key: str, job: int) -> None:
    """Save which job rewrites a section; a draft of another program can't store it until the job has written."""
    state = table.DraftRecord.section_states.at(key)
    try:
        await tables.patch(table.DraftRecord.key(newsletter_code=code), state.at("job").set(job), when=state.exists())
    except DoesNotExist as failure:
        raise_write_error(failure, code)
    except ConditionFailed:
        return


async def save_export(tables: AsyncDatabase, full: FullNewsletter, name: str, export: ExportRecord) -> None:
    """Save where an exported file is. The newsletter becomes exported if the draft is still the one in the file."""
    exports = {**full.draft.exports, name: export}
    entries = {key: _stored_export(record) for key, record in exports.items()}
    draft, newsletter = (
        table.DraftRecord.key(newsletter_code=full.code),
        table.NewsletterRecord.key(newsletter_code=full.code),
    )
    try:
        await tables.transact(
            patch(draft, when=table.DraftRecord.revision == export.revision, exports=entries),
            patch(newsletter, when=table.NewsletterRecord.status.is_in(FINISHED_STATUSES), status="exported"),
        )
    except TransactionFailed as failure:
        first = next(error for error in failure.errors if error)
        if isinstance(first, DoesNotExist) or not isinstance(first, ConditionFailed):
            raise_write_error(first, full.code)
        await _save_old_export(tables, full.code, entries)


async def _save_old_export(tables: AsyncDatabase, code: str, entries: Mapping[str, table.StoredExport]) -> None:
    """Save the file of a draft that was changed since."""
    try:
        await tables.patch(table.DraftRecord.key(newsletter_code=code), exports=dict(entries))
    except ConditionFailed as failure:
        raise_write_error(failure, code)


async def list_revisions(tables: AsyncDatabase, code: str) -> list[Revision]:
    """The newsletter's revisions, the latest first."""
    query = table.RevisionRecord.of_newsletter(newsletter_code=code)
    return [revision_from(item) async for item in tables.each(query)]


async def get_revision(tables: AsyncDatabase, code: str, number: int) -> Revision:
    """The revision with this number. Raises NotFound."""
    record = await tables.get(table.RevisionRecord.key(newsletter_code=code, number=number)) if number > 0 else None
    if record is None:
        raise NotFound(
            gettext("There is no revision %(number)s; it may have been replaced by newer ones.", number=number)
        )
    return revision_from(record)


async def get_latest_revision(tables: AsyncDatabase, code: str, draft: NewsletterDraft) -> Revision | None:
    """The draft's last revision, or None if it isn't stored."""
    if not draft.revision:
        return None
    record = await tables.get(table.RevisionRecord.key(newsletter_code=code, number=draft.revision))
    return revision_from(record) if record else None


def draft_from(record: table.DraftRecord, outline: NewsletterOutline) -> DraftStep:
    """Step 4 from its record. The outline names sections that other programs stored by key only."""
    return DraftStep(
        **{**model_fields(DraftStep, record), "exports": _exports_from(record.exports)},
        state=step_state_from(record, "draft"),
        draft=_draft_from(record, outline),
    )


def _draft_from(record: table.DraftRecord, outline: NewsletterOutline) -> NewsletterDraft:
    """The text in sections. Other programs store edits as one document next to them, which is split again."""
    draft = NewsletterDraft(
        sections=_draft_sections(record, outline), version=record.version or 0, revision=record.revision or 0
    )
    if not draft.sections:
        return replace(draft, sections=tuple(_split_document(record)))
    edits = record.user_edits or ""
    if not edits.strip() or is_same_text(edits, draft.markdown(UNNAMED_SECTION)):
        return draft
    texts = split_by_names(edits, [section.name for section in draft.sections])
    if texts is None:
        return replace(draft, separate_document=edits)
    sections = tuple(_with_edited_text(section, texts[section.name]) for section in draft.sections)
    return replace(draft, sections=sections, changed_elsewhere=True)


def _split_document(record: table.DraftRecord) -> Iterator[DraftSection]:
    """The sections of a draft that is stored only as one document."""
    document, taken = record.user_edits or record.generated_content or "", set[str]()
    for name, text in split_by_headings(document):
        key = unused_key(name, UNNAMED_SECTION, taken)
        taken.add(key)
        yield DraftSection(id=key, key=key, name=name, text=text, written=True, edited=bool(record.user_edits))


def _with_edited_text(section: DraftSection, text: str) -> DraftSection:
    is_same = is_same_text(with_heading(section), f"## {section.name}\n\n{text}")
    return section if is_same else replace(section, text=text, written=True, edited=True)


def _draft_sections(record: table.DraftRecord, outline: NewsletterOutline) -> tuple[DraftSection, ...]:
    """In the stored order; sections of other programs in the order of the outline."""
    states = record.section_states or {}
    names = {fold_name(section.name): section.name for section in outline.sections}
    places = {name: at for at, name in enumerate(names)}

    def place(key: str) -> tuple[int, int]:
        return (0, states[key]["order"]) if key in states else (1, places.get(fold_name(key), len(places)))

    return tuple(
        _draft_section(key, record, states.get(key), names.get(fold_name(key)))
        for key in sorted(record.sections, key=place)
    )


def _draft_section(
    key: str, record: table.DraftRecord, state: table.StoredSectionState | None, outlined: str | None
) -> DraftSection:
    text = record.sections[key]
    if state is None:
        name = outlined or key.replace("_", " ").capitalize()
        return DraftSection(id=key, key=key, name=name, text=text, written=True, edited=record.has_user_edits)
    members = model_fields(DraftSection, state)
    members |= {
        "dropped": tuple(DroppedSentence(**each) for each in members.get("dropped", ())),
        "moves": tuple(ReferenceMove(**each) for each in members.get("moves", ())),
    }
    return DraftSection(**members, id=state["section_id"], key=key, text=text)


def _exports_from(stored: Mapping[str, table.StoredExport | None]) -> dict[str, ExportRecord]:
    """The exported files; other programs store null for a format that was never exported."""
    return {name: _export_from(export) for name, export in stored.items() if export is not None}


def _export_from(stored: table.StoredExport) -> ExportRecord:
    return ExportRecord(
        key=stored["s3_key"],
        generated_at=from_iso(stored["generated_at"]),
        size=stored.get("file_size") or 0,
        revision=stored.get("revision"),
    )


def _stored_export(export: ExportRecord) -> table.StoredExport:
    stored = table.StoredExport(
        s3_key=export.key, generated_at=to_iso(export.generated_at, "seconds"), file_size=export.size
    )
    if export.revision is not None:
        stored["revision"] = export.revision
    return stored


def draft_fields(draft: NewsletterDraft, title: str, *, generated: bool) -> dict[str, object]:
    """The fields of the draft record that hold the text, and what is derived from it."""
    document = draft.markdown(title)
    fields: dict[str, object] = {
        "sections": {section.key: section.text for section in draft.sections},
        "section_states": {
            section.key: _section_state(section, order) for order, section in enumerate(draft.sections, 1)
        },
        "word_count": draft.word_count,
        "estimated_read_time": str(draft.estimated_read_time),
        "has_user_edits": draft.has_user_edits,
        "user_edits": document if draft.has_user_edits else None,
        "version": draft.version or None,
        "revision": draft.revision or None,
    }
    if generated:
        fields["generated_content"] = document
    return fields


def _section_state(section: DraftSection, order: int) -> dict[str, Any]:
    fields = stored_fields(section, optional=("rests_on", "model", "dropped", "fallback", "moves"))
    del fields["id"], fields["key"], fields["text"]
    present = {name: value for name, value in fields.items() if value is not None}
    return {**present, "section_id": section.id, "order": order}


def revision_from(record: table.RevisionRecord) -> Revision:
    return Revision(**model_fields(Revision, record))


def _stored_revision(code: str, revision: Revision) -> table.RevisionRecord:
    fields = stored_fields(revision)
    return table.RevisionRecord(**{**fields, "sitting": revision.sitting or None}, newsletter_code=code)
