"""Step 3: the outline as a value, and every edit a person can make, with a record of what they changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from almanac.errors import InputError, NotFound
from almanac.kit.messages import gettext
from almanac.kit.text import one_line

T = TypeVar("T")

DEFAULT_SECTIONS = ("Introduction", "Main Content", "Updates & News", "Opportunities", "Resources", "Conclusion")
MAX_SECTIONS, MAX_ITEMS = 30, 60
MAX_NAME_LENGTH, MAX_TITLE_LENGTH, MAX_DESCRIPTION_LENGTH, MAX_NOTES_LENGTH = 120, 200, 1000, 2000
MAX_SOURCES = 20
# The latest removed items are remembered, so that a generation doesn't add them again.
MAX_REMOVED = 500
GENERATED, FROM_SOURCES, CUSTOM = "ai_generated", "rag_content", "custom"
CUSTOM_ITEM, CUSTOM_SECTION = "custom-item-", "custom-section-"


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionItem:
    """One thing to write about. `sources` are pinned chunks, `notes` are instructions for the writer."""

    id: str
    title: str
    description: str = ""
    source: str = GENERATED
    editable: bool = True
    sources: tuple[str, ...] = ()
    included: bool = True
    notes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsletterOutlineSection:
    """A section of the outline with its items in order."""

    id: str
    name: str
    items: tuple[SectionItem, ...] = ()
    included: bool = True
    notes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Modifications:
    """The ids of items that a person added, removed or edited; each id is in at most one list."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsletterOutline:
    """The sections in order, what a person changed, and the generated items and section ids they removed."""

    sections: tuple[NewsletterOutlineSection, ...] = ()
    modifications: Modifications = Modifications()
    removed_items: tuple[SectionItem, ...] = ()
    removed_sections: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[SectionItem, ...]:
        return tuple(item for section in self.sections for item in section.items)

    @property
    def to_write(self) -> tuple[NewsletterOutlineSection, ...]:
        """The included sections with their included items; the draft has exactly these sections."""
        return tuple(
            replace(section, items=tuple(item for item in section.items if item.included))
            for section in self.sections
            if section.included
        )

    def section(self, section_id: str) -> NewsletterOutlineSection:
        for section in self.sections:
            if section.id == section_id:
                return section
        raise NotFound(gettext("The outline has no section %(section_id)s; reload it.", section_id=section_id))

    def item(self, item_id: str) -> SectionItem:
        for item in self.items:
            if item.id == item_id:
                return item
        raise NotFound(gettext("The outline has no item %(item_id)s; reload it.", item_id=item_id))

    def section_of(self, item_id: str) -> NewsletterOutlineSection:
        self.item(item_id)
        return next(section for section in self.sections if any(item.id == item_id for item in section.items))


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEdit:
    """What to change in an item; None keeps the value."""

    title: str | None = None
    description: str | None = None
    notes: str | None = None
    included: bool | None = None
    sources: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionEdit:
    """What to change in a section; None keeps the value."""

    name: str | None = None
    notes: str | None = None
    included: bool | None = None


def empty_outline(names: Sequence[str] = DEFAULT_SECTIONS) -> NewsletterOutline:
    """Sections without items."""
    sections = (NewsletterOutlineSection(id=f"section-{at}", name=name) for at, name in enumerate(names, 1))
    return NewsletterOutline(sections=tuple(sections))


def add_section(outline: NewsletterOutline, name: str, *, position: int | None = None) -> NewsletterOutline:
    """Add a section at a position, or at the end."""
    if len(outline.sections) >= MAX_SECTIONS:
        raise InputError(gettext("An outline has at most %(limit)s sections; remove one first.", limit=MAX_SECTIONS))
    section = NewsletterOutlineSection(
        id=next_id(CUSTOM_SECTION, used_section_ids(outline)), name=clean_section_name(name)
    )
    return replace(outline, sections=_inserted(outline.sections, section, position))


def has_section_named(outline: NewsletterOutline, name: str) -> bool:
    """Whether a person's own section has this name."""
    wanted = clean_section_name(name)
    return any(section.id.startswith(CUSTOM_SECTION) and section.name == wanted for section in outline.sections)


def edit_section(outline: NewsletterOutline, section_id: str, edit: SectionEdit) -> NewsletterOutline:
    """Rename a section, include or exclude it, or change its notes."""
    section = outline.section(section_id)
    changed = replace(
        section,
        name=section.name if edit.name is None else clean_section_name(edit.name),
        notes=section.notes if edit.notes is None else check_text_length(edit.notes, MAX_NOTES_LENGTH),
        included=section.included if edit.included is None else edit.included,
    )
    return _with_section(outline, changed)


def remove_section(outline: NewsletterOutline, section_id: str) -> NewsletterOutline:
    """Remove a section with its items; each item counts as removed."""
    for item in outline.section(section_id).items:
        outline = remove_item(outline, item.id)
    return replace(
        outline,
        sections=tuple(section for section in outline.sections if section.id != section_id),
        removed_sections=remember_removed(outline, [section_id]),
    )


def move_section(outline: NewsletterOutline, section_id: str, position: int) -> NewsletterOutline:
    """Move a section to a position, counted from 0 among the others."""
    section = outline.section(section_id)
    others = tuple(other for other in outline.sections if other.id != section_id)
    return replace(outline, sections=_inserted(others, section, position))


def add_item(
    outline: NewsletterOutline, section_id: str, item: ItemEdit, *, position: int | None = None
) -> tuple[NewsletterOutline, SectionItem]:
    """Add a person's own item; also returns the new item."""
    section = outline.section(section_id)
    _check_room(section)
    new = apply_item_edit(SectionItem(id=next_id(CUSTOM_ITEM, used_item_ids(outline)), title="-", source=CUSTOM), item)
    if item.title is None:
        raise InputError(gettext("Enter a title for the item."))
    outline = _with_section(outline, replace(section, items=_inserted(section.items, new, position)))
    marks = outline.modifications
    return replace(outline, modifications=replace(marks, added=(*marks.added, new.id))), new


def find_same_item(outline: NewsletterOutline, section_id: str, edit: ItemEdit) -> SectionItem | None:
    """A person's own item of a section that an edit leaves as it is; None if there is none."""
    items = (item for item in outline.section(section_id).items if item.source == CUSTOM)
    return next((item for item in items if apply_item_edit(item, edit) == item), None)


def edit_item(outline: NewsletterOutline, item_id: str, edit: ItemEdit) -> NewsletterOutline:
    """Edit an item. A generated item counts as edited from then on; an edit without effect changes nothing."""
    old = outline.item(item_id)
    new = apply_item_edit(old, edit)
    if new == old:
        return outline
    section = outline.section_of(item_id)
    items = tuple(new if item.id == item_id else item for item in section.items)
    outline = _with_section(outline, replace(section, items=items))
    marks = outline.modifications
    if item_id in (*marks.added, *marks.edited):
        return outline
    return replace(outline, modifications=replace(marks, edited=(*marks.edited, item_id)))


def remove_item(outline: NewsletterOutline, item_id: str) -> NewsletterOutline:
    """Remove an item. A person's own item leaves no trace, a generated one is recorded as removed."""
    item, section = outline.item(item_id), outline.section_of(item_id)
    outline = _with_section(
        outline, replace(section, items=tuple(other for other in section.items if other.id != item_id))
    )
    marks = outline.modifications
    was_added = item_id in marks.added
    marks = Modifications(
        added=tuple(other for other in marks.added if other != item_id),
        edited=tuple(other for other in marks.edited if other != item_id),
        removed=marks.removed if was_added else (*marks.removed, item_id),
    )
    removed = outline.removed_items if was_added else (*outline.removed_items, item)
    return replace(outline, modifications=marks, removed_items=removed[-MAX_REMOVED:])


def move_item(outline: NewsletterOutline, item_id: str, section_id: str, position: int) -> NewsletterOutline:
    """Move an item to a position in a section, counted from 0 among its other items."""
    item, origin = outline.item(item_id), outline.section_of(item_id)
    outline = _with_section(
        outline, replace(origin, items=tuple(other for other in origin.items if other.id != item_id))
    )
    target = outline.section(section_id)
    _check_room(target)
    return _with_section(outline, replace(target, items=_inserted(target.items, item, position)))


def _check_room(section: NewsletterOutlineSection) -> None:
    if len(section.items) >= MAX_ITEMS:
        raise InputError(gettext("A section has at most %(limit)s items; remove one first.", limit=MAX_ITEMS))


def used_section_ids(outline: NewsletterOutline) -> set[str]:
    """Every section id that was ever used; the draft stores its texts by them."""
    return {section.id for section in outline.sections} | set(outline.removed_sections)


def remember_removed(outline: NewsletterOutline, section_ids: Iterable[str]) -> tuple[str, ...]:
    """The removed section ids with these appended, limited to the latest."""
    return (*outline.removed_sections, *section_ids)[-MAX_REMOVED:]


def used_item_ids(outline: NewsletterOutline) -> set[str]:
    """Every item id that was ever used; ids are never reused."""
    marks = outline.modifications
    removed = {item.id for item in outline.removed_items}
    return {item.id for item in outline.items} | removed | {*marks.added, *marks.removed, *marks.edited}


def clean_section_name(name: str) -> str:
    """The name on one line. Raises InputError if it is empty or too long."""
    if not one_line(name):
        raise InputError(gettext("Enter a name for the section."))
    return check_text_length(one_line(name), MAX_NAME_LENGTH)


def check_text_length(text: str, limit: int) -> str:
    """The stripped text. Raises InputError if it is too long."""
    text = text.strip()
    if len(text) > limit:
        raise InputError(
            gettext(
                "Shorten it to %(limit)s characters; it has %(number)s.", limit=f"{limit:,}", number=f"{len(text):,}"
            )
        )
    return text


def apply_item_edit(item: SectionItem, edit: ItemEdit) -> SectionItem:
    """The edited item. Raises InputError if a limit is exceeded."""
    title = item.title if edit.title is None else check_text_length(one_line(edit.title), MAX_TITLE_LENGTH)
    if not title:
        raise InputError(gettext("Enter a title for the item."))
    sources = item.sources if edit.sources is None else tuple(dict.fromkeys(edit.sources))
    if len(sources) > MAX_SOURCES:
        raise InputError(gettext("Pin at most %(limit)s sources to an item.", limit=MAX_SOURCES))
    return replace(
        item,
        title=title,
        description=_edited_text(edit.description, item.description, MAX_DESCRIPTION_LENGTH),
        notes=_edited_text(edit.notes, item.notes, MAX_NOTES_LENGTH),
        included=item.included if edit.included is None else edit.included,
        sources=sources,
    )


def _edited_text(new: str | None, old: str, limit: int) -> str:
    return old if new is None else check_text_length(new, limit)


def _with_section(outline: NewsletterOutline, changed: NewsletterOutlineSection) -> NewsletterOutline:
    sections = tuple(changed if section.id == changed.id else section for section in outline.sections)
    return replace(outline, sections=sections)


def _inserted(elements: Sequence[T], element: T, position: int | None) -> tuple[T, ...]:
    at = len(elements) if position is None else max(0, min(position, len(elements)))
    return (*elements[:at], element, *elements[at:])


def next_id(prefix: str, taken: Iterable[str]) -> str:
    """The prefix with the next number that no taken id has."""
    numbers = [
        int(rest) for existing in taken if existing.startswith(prefix) and (rest := existing[len(prefix) :]).isdecimal()
    ]
    return f"{prefix}{max(numbers, default=0) + 1}"
