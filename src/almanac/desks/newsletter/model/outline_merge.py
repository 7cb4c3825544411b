"""Merges a generated outline, or one that a person sent as a whole, into the current outline."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from almanac.desks.newsletter.model.outline import (
    CUSTOM,
    CUSTOM_ITEM,
    CUSTOM_SECTION,
    FROM_SOURCES,
    GENERATED,
    MAX_ITEMS,
    MAX_NOTES_LENGTH,
    MAX_SECTIONS,
    ItemEdit,
    Modifications,
    NewsletterOutline,
    NewsletterOutlineSection,
    SectionItem,
    apply_item_edit,
    check_text_length,
    clean_section_name,
    next_id,
    remember_removed,
    remove_item,
    used_item_ids,
    used_section_ids,
)
from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.kit.text import one_line


@dataclass(frozen=True, slots=True)
class GeneratedItem:
    """A generated item, before it has an id."""

    title: str
    description: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GeneratedSection:
    """A generated section."""

    name: str
    items: tuple[GeneratedItem, ...] = ()


def merge_generated(outline: NewsletterOutline, generated: Sequence[GeneratedSection]) -> NewsletterOutline:
    """The outline after a new generation.

    Sections keep the person's order. Items that the person added or edited keep their positions; the others are
    replaced by generated ones, except those that the person had removed.
    """
    sections, proposals = list(outline.sections), dict[int, list[GeneratedItem]]()
    names = {section.name.casefold(): at for at, section in enumerate(sections)}
    used = used_section_ids(outline)
    for proposal in generated:
        at = names.setdefault(proposal.name.casefold(), len(sections))
        if at == len(sections):
            sections.append(NewsletterOutlineSection(id=next_id("section-", used), name=proposal.name))
            used.add(sections[at].id)
        proposals.setdefault(at, []).extend(proposal.items)
    duplicates = _DuplicateFilter(outline)
    taken = used_item_ids(outline)
    filled = tuple(
        _refill_section(section, at, duplicates.sifted(proposals.get(at, [])), outline.modifications, taken)
        for at, section in enumerate(sections)
    )
    return replace(outline, sections=filled)


class _DuplicateFilter:
    """Filters generated items that were removed before or that a kept item already covers."""

    def __init__(self, outline: NewsletterOutline) -> None:
        kept = [item for item in outline.items if _is_kept(item, outline.modifications)]
        existing = [*outline.removed_items, *kept]
        self._titles = {_fold_title(item.title) for item in existing}
        self._sources = {item.sources for item in existing if item.sources}

    def sifted(self, items: Sequence[GeneratedItem]) -> list[GeneratedItem]:
        return [item for item in items if not self._covers(item)]

    def _covers(self, item: GeneratedItem) -> bool:
        return _fold_title(item.title) in self._titles or (bool(item.sources) and item.sources in self._sources)


def _fold_title(title: str) -> str:
    return one_line(title).casefold()


def _is_kept(item: SectionItem, marks: Modifications) -> bool:
    return item.source == CUSTOM or item.id in marks.added or item.id in marks.edited or not item.editable


def _refill_section(
    section: NewsletterOutlineSection, at: int, proposals: list[GeneratedItem], marks: Modifications, taken: set[str]
) -> NewsletterOutlineSection:
    """Kept items stay in place; generated ones fill the freed positions, the rest is appended."""
    fresh = [_new_item(proposal, at, taken) for proposal in proposals]
    items: list[SectionItem] = []
    for old in section.items:
        if _is_kept(old, marks):
            items.append(old)
        elif fresh:
            items.append(fresh.pop(0))
    room = max(0, MAX_ITEMS - len(items))
    return replace(section, items=(*items, *fresh[:room]))


def _new_item(proposal: GeneratedItem, at: int, taken: set[str]) -> SectionItem:
    """A new item with an id that was never used."""
    item_id = next_id(f"item-{at + 1}-", taken)
    taken.add(item_id)
    return SectionItem(
        id=item_id,
        title=one_line(proposal.title),
        description=proposal.description.strip(),
        source=FROM_SOURCES if proposal.sources else GENERATED,
        sources=proposal.sources,
    )


def replace_sections(outline: NewsletterOutline, sections: Sequence[NewsletterOutlineSection]) -> NewsletterOutline:
    """The outline that a person sent as a whole; differences count as added, removed or edited per item."""
    _check_sizes(sections)
    kept_ids = {item.id for section in sections for item in section.items}
    taken = used_item_ids(outline)
    for item in outline.items:
        if item.id not in kept_ids:
            outline = remove_item(outline, item.id)
    rebuilder = _OutlineRebuilder(outline, taken)
    rebuilt = tuple(rebuilder.section(section) for section in sections)
    section_ids = {section.id for section in rebuilt}
    return replace(
        outline,
        sections=rebuilt,
        modifications=rebuilder.modifications,
        removed_sections=remember_removed(
            outline, [section.id for section in outline.sections if section.id not in section_ids]
        ),
    )


def match_existing(
    outline: NewsletterOutline, pasted: Sequence[NewsletterOutlineSection]
) -> tuple[NewsletterOutlineSection, ...]:
    """Pasted sections and items, matched by name and title with those of the outline; the others are new.

    A matched section keeps its text in the draft, a matched item keeps its sources.
    """
    sections = {_fold_title(section.name): section for section in reversed(outline.sections)}
    items = {_fold_title(item.title): item for item in reversed(outline.items)}
    return tuple(_match_section(section, sections, items) for section in pasted)


def _match_section(
    pasted: NewsletterOutlineSection, sections: dict[str, NewsletterOutlineSection], items: dict[str, SectionItem]
) -> NewsletterOutlineSection:
    """Each existing part is matched once, so that two of the same name stay two."""
    existing = sections.pop(_fold_title(pasted.name), pasted)
    pairs = [(items.pop(_fold_title(item.title), item), item) for item in pasted.items]
    return replace(
        existing,
        name=pasted.name,
        items=tuple(
            replace(old, title=item.title, description=item.description or old.description, included=True)
            for old, item in pairs
        ),
        included=True,
    )


def _check_sizes(sections: Sequence[NewsletterOutlineSection]) -> None:
    if len(sections) > MAX_SECTIONS or any(len(section.items) > MAX_ITEMS for section in sections):
        raise InputError(
            gettext(
                "An outline has at most %(sections)s sections of %(items)s items; send fewer.",
                sections=MAX_SECTIONS,
                items=MAX_ITEMS,
            )
        )
    section_ids = [section.id for section in sections if section.id]
    item_ids = [item.id for section in sections for item in section.items if item.id]
    if len(set(section_ids)) < len(section_ids) or len(set(item_ids)) < len(item_ids):
        raise InputError(gettext("Each section and item id may occur once; leave out the id of anything new."))


class _OutlineRebuilder:
    """Builds the new sections and records what is new or different."""

    def __init__(self, outline: NewsletterOutline, taken: set[str]) -> None:
        self._old_items = {item.id: item for item in outline.items}
        self._current_ids = {section.id for section in outline.sections}
        self._section_ids = used_section_ids(outline)
        self._item_ids = taken
        self.modifications = outline.modifications

    def section(self, section: NewsletterOutlineSection) -> NewsletterOutlineSection:
        section_id = section.id
        if section_id not in self._current_ids:
            section_id = next_id(CUSTOM_SECTION, self._section_ids)
            self._section_ids.add(section_id)
        return NewsletterOutlineSection(
            id=section_id,
            name=clean_section_name(section.name),
            items=tuple(map(self._item, section.items)),
            included=section.included,
            notes=check_text_length(section.notes, MAX_NOTES_LENGTH),
        )

    def _item(self, item: SectionItem) -> SectionItem:
        edit = ItemEdit(
            title=item.title,
            description=item.description,
            notes=item.notes,
            included=item.included,
            sources=item.sources,
        )
        old = self._old_items.get(item.id)
        marks = self.modifications
        if old is None:
            new = apply_item_edit(SectionItem(id=next_id(CUSTOM_ITEM, self._item_ids), title="-", source=CUSTOM), edit)
            self._item_ids.add(new.id)
            self.modifications = replace(marks, added=(*marks.added, new.id))
            return new
        new = apply_item_edit(old, edit)
        if new != old and new.id not in (*marks.added, *marks.edited):
            self.modifications = replace(marks, edited=(*marks.edited, new.id))
        return new
