"""Step 3 in the table: the outline and what a person changed in it."""

from datetime import datetime
from typing import Any

from almanac.desks.newsletter.model.newsletter import OutlineStep
from almanac.desks.newsletter.model.outline import (
    GENERATED,
    Modifications,
    NewsletterOutline,
    NewsletterOutlineSection,
    SectionItem,
)
from almanac.desks.newsletter.model.staleness import Basis
from almanac.desks.newsletter.store import table
from almanac.desks.newsletter.store.conversion import model_fields, stored_fields
from almanac.desks.newsletter.store.steps import ended_fields, is_version, step_state_from, write_step
from tablature.async_database import AsyncDatabase


async def save_outline(
    tables: AsyncDatabase,
    code: str,
    outline: NewsletterOutline,
    *,
    expected: int,
    run: int | None = None,
    basis: Basis | None = None,
    now: datetime | None = None,
) -> None:
    """Save the outline that was edited on version `expected`; with a run, as the result of that generation."""
    fields = {**outline_fields(outline), "version": expected + 1}
    if run is not None and now is not None:
        fields |= {"rests_on": dict(basis or {}), "generated_at": now, **ended_fields("outline", run, now)}
    await write_step(tables, code, table.OutlineRecord, is_version(table.OutlineRecord, expected), fields)


def outline_from(record: table.OutlineRecord) -> OutlineStep:
    """Step 3 from its record."""
    return OutlineStep(
        **model_fields(OutlineStep, record), state=step_state_from(record, "outline"), outline=_outline_from(record)
    )


def _outline_from(record: table.OutlineRecord) -> NewsletterOutline:
    modifications = record.user_modifications or table.StoredModifications(
        items_added=[], items_removed=[], items_edited=[]
    )
    sections = sorted(record.sections, key=lambda section: section.get("order") or 0)
    return NewsletterOutline(
        sections=tuple(_section_from(section, position) for position, section in enumerate(sections, 1)),
        modifications=Modifications(
            added=tuple(modifications.get("items_added") or ()),
            removed=tuple(modifications.get("items_removed") or ()),
            edited=tuple(modifications.get("items_edited") or ()),
        ),
        removed_items=tuple(_item_from(removed, "") for removed in record.removed_items or ()),
        removed_sections=tuple(record.removed_sections or ()),
    )


def _section_from(stored: table.StoredSection, position: int) -> NewsletterOutlineSection:
    """A section without a name or an id gets one from its position, so that it can be shown and edited."""
    items = enumerate(stored.get("items") or (), 1)
    return NewsletterOutlineSection(
        **{
            **model_fields(NewsletterOutlineSection, stored),
            "id": stored.get("id") or f"section-{position}",
            "name": stored.get("name") or f"Section {position}",
            "items": tuple(_item_from(item, f"item-{position}-{number}") for number, item in items),
        }
    )


def _item_from(stored: table.StoredOutlineItem, default_id: str) -> SectionItem:
    pinned = stored.get("sources") or [reference for reference in (stored.get("rag_reference_id"),) if reference]
    return SectionItem(
        **{
            **model_fields(SectionItem, stored),
            "id": stored.get("id") or default_id,
            "title": stored.get("title") or "",
            "source": stored.get("source") or GENERATED,
            "sources": tuple(pinned),
        }
    )


def outline_fields(outline: NewsletterOutline) -> dict[str, object]:
    """The attributes of the outline record that hold the outline itself."""
    modifications = stored_fields(outline.modifications)
    return {
        "sections": [_stored_section(section, order) for order, section in enumerate(outline.sections, 1)],
        "user_modifications": {f"items_{name}": item_ids for name, item_ids in modifications.items()},
        "removed_items": [_stored_item(item) for item in outline.removed_items] or None,
        "removed_sections": list(outline.removed_sections) or None,
    }


def _stored_section(section: NewsletterOutlineSection, order: int) -> dict[str, Any]:
    """`included` is stored only if it is False."""
    stored = {
        **stored_fields(section, optional=("notes",)),
        "order": order,
        "items": list(map(_stored_item, section.items)),
    }
    return {name: value for name, value in stored.items() if name != "included" or not value}


def _stored_item(item: SectionItem) -> dict[str, Any]:
    """`included` is stored only if it is False; `rag_reference_id` repeats the first source."""
    stored = stored_fields(item, optional=("sources", "notes"))
    if item.included:
        del stored["included"]
    return {**stored, "rag_reference_id": item.sources[0]} if item.sources else stored
