"""Step 4: the draft as a value: one section of text for each section of the outline, and who wrote what last.

Words and reading time are always derived. Generation may replace only what a generation wrote; beside a person's text
it leaves a proposal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from almanac.desks.newsletter.model.draft_text import count_words, reading_time
from almanac.desks.newsletter.model.outline import OutlineSection
from almanac.errors import InputError, NotFound, TooLarge
from almanac.kit.text import slug

LONGEST_SECTION = 30_000
LONGEST_DRAFT = 250_000
LONGEST_INSTRUCTION = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSection:
    """The text of one section, with `[@chunk-id]` after each sentence that rests on a chunk.

    `version` is the draft's version in which it last changed. `written` is False until a generation or a person has
    been here. `proposal` is a generated text that waits beside a person's own; `job` the last one that wrote it anew.
    """

    id: str
    key: str
    name: str
    text: str = ""
    written: bool = False
    edited: bool = False
    version: int = 0
    proposal: str | None = None
    rests_on: str = ""
    model: str = ""
    job: int | None = None

    @property
    def words(self) -> int:
        return count_words(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsletterDraft:
    """The sections in order. `version` rises with every change of the text, `revision` names the last snapshot.

    `changed_elsewhere` says that another program changed it since that snapshot. `apart` is a whole text that such a
    program keeps beside the sections and that names none of them.
    """

    sections: tuple[DraftSection, ...] = ()
    version: int = 0
    revision: int = 0
    changed_elsewhere: bool = False
    apart: str = ""

    @property
    def word_count(self) -> int:
        return sum(section.words for section in self.sections)

    @property
    def estimated_read_time(self) -> str:
        return reading_time([section.text for section in self.sections])

    @property
    def has_user_edits(self) -> bool:
        return any(section.edited for section in self.sections)

    def section(self, section_id: str) -> DraftSection:
        """By the id of the outline's section, or by the key that the text is stored under."""
        for section in self.sections:
            if section_id in (section.id, section.key):
                return section
        raise NotFound(f"The draft has no section {section_id}; reload it.")

    def markdown(self, title: str) -> str:
        """The whole text as one document."""
        parts = [f"# {title}", *(with_heading(section) for section in self.sections)]
        return "\n\n".join(parts) + "\n"


def with_heading(section: DraftSection) -> str:
    """The text under its heading, which some programs store with the text."""
    first = section.text.lstrip().split("\n", 1)[0].lstrip("#").strip()
    has_heading = section.text.lstrip().startswith("#") and first.casefold() == section.name.casefold()
    return section.text.strip() if has_heading else f"## {section.name}\n\n{section.text.strip()}".rstrip()


def align_with_outline(draft: NewsletterDraft, outline: Sequence[OutlineSection]) -> NewsletterDraft:
    """The draft brought in line with the outline: its sections, its order, its names; texts stay with their sections.

    A section that the outline no longer has leaves the draft; its text stays in the revisions.
    """
    by_id = {section.id: section for section in draft.sections}
    keys: set[str] = set()
    sections: list[DraftSection] = []
    for planned in outline:
        existing = by_id.get(planned.id) or _find_by_name(draft, planned.name)
        key = existing.key if existing and existing.key not in keys else unused_key(planned.name, planned.id, keys)
        keys.add(key)
        base = existing or DraftSection(id=planned.id, key=key, name=planned.name)
        sections.append(replace(base, id=planned.id, key=key, name=planned.name))
    return replace(draft, sections=tuple(sections))


def _find_by_name(draft: NewsletterDraft, name: str) -> DraftSection | None:
    """Sections stored by other programs carry only a key made from the name."""
    key = section_key(name)
    return next((section for section in draft.sections if section.key == key and section.id in ("", section.key)), None)


def section_key(name: str) -> str:
    """The key under which a section's text is stored, as in `research_findings`."""
    return slug(name).replace("-", "_")


def unused_key(name: str, section_id: str, taken: set[str]) -> str:
    """A key made from the name; told apart by a number where two sections have the same name."""
    base = section_key(name) or section_key(section_id)
    number, key = 1, base
    while key in taken:
        number += 1
        key = f"{base}_{number}"
    return key


def set_human_text(draft: NewsletterDraft, section_id: str, text: str) -> NewsletterDraft:
    """A person's text for a section; it replaces whatever was there, and a proposal that was waiting."""
    section = draft.section(section_id)
    return _replace_section(
        draft, replace(section, text=clean_section_text(text), written=True, edited=True, proposal=None)
    )


def set_generated_text(
    draft: NewsletterDraft, section_id: str, text: str, *, seen: int, rests_on: str, model: str
) -> NewsletterDraft:
    """A generated text for a section that was last looked at in version `seen`.

    It replaces only what a generation wrote and nobody has touched since; beside a person's text it is a proposal.
    """
    section = draft.section(section_id)
    if section.edited or section.version > seen:
        return _replace_section(draft, replace(section, proposal=text), touched=False)
    changed = replace(section, text=text, written=True, proposal=None, rests_on=rests_on, model=model)
    return _replace_section(draft, changed)


def apply_proposal_decision(draft: NewsletterDraft, section_id: str, *, accepted: bool) -> NewsletterDraft:
    """Take the proposal in place of one's own text, or let it go. A text that was accepted counts as generated."""
    section = draft.section(section_id)
    if section.proposal is None:
        raise InputError("Nothing is proposed for this section; reload it.")
    if not accepted:
        return _replace_section(draft, replace(section, proposal=None), touched=False)
    return _replace_section(draft, replace(section, text=section.proposal, edited=False, written=True, proposal=None))


def restore_texts(draft: NewsletterDraft, texts: Mapping[str, str]) -> NewsletterDraft:
    """The texts of an earlier revision, for the sections that there are now; restored text counts as a person's."""
    for section in draft.sections:
        if section.key in texts and texts[section.key] != section.text:
            draft = set_human_text(draft, section.id, texts[section.key])
    return draft


def clean_section_text(text: str) -> str:
    """A section's text as it is kept; refused with a sentence."""
    text = text.replace("\r\n", "\n").strip()
    if "\x00" in text:
        raise InputError("Remove the NUL character.")
    if len(text) > LONGEST_SECTION:
        raise TooLarge(f"A section has at most {LONGEST_SECTION:,} characters; this one has {len(text):,}.")
    return text


def check_draft_size(draft: NewsletterDraft) -> None:
    """Refuse a draft that could not be stored."""
    size = sum(len(section.text.encode()) + len((section.proposal or "").encode()) for section in draft.sections)
    if size > LONGEST_DRAFT:
        raise TooLarge(f"A draft has at most {LONGEST_DRAFT:,} bytes; shorten a section first.")


def _replace_section(draft: NewsletterDraft, section: DraftSection, *, touched: bool = True) -> NewsletterDraft:
    """With one section changed; `touched` says that its text did."""
    version = draft.version + 1
    if touched:
        section = replace(section, version=version)
    sections = tuple(section if other.id == section.id else other for other in draft.sections)
    changed = replace(draft, sections=sections, version=version)
    check_draft_size(changed)
    return changed
