"""Step 4: the draft as a value: one section of text per section of the outline, and who wrote it last.

Word count and reading time are derived. A generation replaces only generated text; next to a person's text it leaves a
proposal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from almanac.desks.newsletter.model.draft_text import count_words, reading_time, strip_markup
from almanac.desks.newsletter.model.outline import NewsletterOutlineSection
from almanac.errors import InputError, NotFound, TooLarge
from almanac.kit.messages import gettext
from almanac.kit.text import slug
from almanac.llm.answer import DroppedSentence

MAX_SECTION_LENGTH = 30_000
MAX_DRAFT_LENGTH = 250_000
MAX_INSTRUCTION_LENGTH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceMove:
    """A sentence whose reference was moved from one chunk to another of the same document."""

    sentence: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedText:
    """A generated text for a section: its Markdown, what was left out, and why no model wrote it."""

    text: str
    model: str
    dropped: tuple[DroppedSentence, ...] = ()
    fallback: str = ""
    moves: tuple[ReferenceMove, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSection:
    """The text of one section, with `[@chunk-id]` after each sentence that a chunk supports.

    `version` is the draft's version in which it last changed. `written` is False until a generation or a person has
    written it. `proposal` is a generated text next to a person's own; `job` is the last job that rewrote it. `dropped`
    are the sentences that the last generation left out, `fallback` says why it used extraction instead of the model,
    and `moves` are references that were moved to the passage that says the sentence.
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
    dropped: tuple[DroppedSentence, ...] = ()
    fallback: str = ""
    moves: tuple["ReferenceMove", ...] = ()

    @property
    def words(self) -> int:
        return count_words(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsletterDraft:
    """The sections in order. `version` rises with every change of the text, `revision` is the last snapshot.

    `changed_elsewhere` is set if another program changed the text since that snapshot. `separate_document` is a
    whole text that such a program stored next to the sections without naming any of them.
    """

    sections: tuple[DraftSection, ...] = ()
    version: int = 0
    revision: int = 0
    changed_elsewhere: bool = False
    separate_document: str = ""

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
        """The section with this id, or stored under this key. Raises NotFound."""
        for section in self.sections:
            if section_id in (section.id, section.key):
                return section
        raise NotFound(gettext("The draft has no section %(section_id)s; reload it.", section_id=section_id))

    def markdown(self, title: str) -> str:
        """The whole text as one document."""
        parts = [f"# {title}", *(with_heading(section) for section in self.sections)]
        return "\n\n".join(parts) + "\n"


def with_heading(section: DraftSection) -> str:
    """The text with its heading; some programs store the heading in the text."""
    first = section.text.lstrip().split("\n", 1)[0].lstrip("#").strip()
    has_heading = section.text.lstrip().startswith("#") and first.casefold() == section.name.casefold()
    return section.text.strip() if has_heading else f"## {section.name}\n\n{section.text.strip()}".rstrip()


def align_with_outline(draft: NewsletterDraft, outline: Sequence[NewsletterOutlineSection]) -> NewsletterDraft:
    """The draft with the sections, order and names of the outline; texts stay with their sections.

    A section that the outline no longer has is dropped; its text stays in the revisions.
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
    """Sections stored by other programs have only a key made from the name."""
    key = section_key(name)
    return next((section for section in draft.sections if section.key == key and section.id in ("", section.key)), None)


def section_key(name: str) -> str:
    """The key under which a section's text is stored, such as `research_findings`."""
    return slug(name).replace("-", "_")


def unused_key(name: str, section_id: str, taken: set[str]) -> str:
    """A key made from the name, with a number if the key is taken."""
    base = section_key(name) or section_key(section_id)
    number, key = 1, base
    while key in taken:
        number += 1
        key = f"{base}_{number}"
    return key


def set_human_text(
    draft: NewsletterDraft, section_id: str, text: str, moves: tuple[ReferenceMove, ...] = ()
) -> NewsletterDraft:
    """Set a person's text; it replaces the current text and any proposal."""
    section = draft.section(section_id)
    changed = replace(
        section,
        text=clean_section_text(text),
        written=True,
        edited=True,
        proposal=None,
        moves=_keep_moves(section, text, moves),
    )
    return _replace_section(draft, changed)


def _keep_moves(section: DraftSection, text: str, moves: tuple[ReferenceMove, ...]) -> tuple[ReferenceMove, ...]:
    """New moves, and the earlier ones whose sentence is still there."""
    present = " ".join(strip_markup(text).split())
    earlier = (move for move in section.moves if move.sentence in present and f"@{move.new}" in text)
    return tuple({(move.sentence, move.new): move for move in (*earlier, *moves)}.values())


def set_generated_text(
    draft: NewsletterDraft, section_id: str, generated: GeneratedText, *, seen: int, rests_on: str
) -> NewsletterDraft:
    """Set a generated text for a section that was read in version `seen`.

    It replaces only generated text that is unchanged since; otherwise it becomes a proposal.
    """
    section = replace(draft.section(section_id), dropped=generated.dropped, fallback=generated.fallback)
    if section.edited or section.version > seen:
        return _replace_section(draft, replace(section, proposal=generated.text), text_changed=False)
    changed = replace(
        section,
        text=generated.text,
        written=True,
        proposal=None,
        rests_on=rests_on,
        model=generated.model,
        moves=generated.moves,
    )
    return _replace_section(draft, changed)


def apply_proposal_decision(draft: NewsletterDraft, section_id: str, *, accepted: bool) -> NewsletterDraft:
    """Accept or reject the proposal. An accepted text counts as generated."""
    section = draft.section(section_id)
    if section.proposal is None:
        raise InputError(gettext("Nothing is proposed for this section; reload it."))
    if not accepted:
        return _replace_section(draft, replace(section, proposal=None), text_changed=False)
    return _replace_section(draft, replace(section, text=section.proposal, edited=False, written=True, proposal=None))


def restore_texts(draft: NewsletterDraft, texts: Mapping[str, str]) -> NewsletterDraft:
    """Restore the texts of an earlier revision in the current sections; restored text counts as a person's."""
    for section in draft.sections:
        if section.key in texts and texts[section.key] != section.text:
            draft = set_human_text(draft, section.id, texts[section.key])
    return draft


def clean_section_text(text: str) -> str:
    """Normalize a section's text. Raises InputError or TooLarge."""
    text = text.replace("\r\n", "\n").strip()
    if "\x00" in text:
        raise InputError(gettext("Remove the NUL character."))
    if len(text) > MAX_SECTION_LENGTH:
        raise TooLarge(
            gettext(
                "A section has at most %(limit)s characters; this one has %(number)s.",
                limit=f"{MAX_SECTION_LENGTH:,}",
                number=f"{len(text):,}",
            )
        )
    return text


def check_draft_size(draft: NewsletterDraft) -> None:
    """Raise TooLarge if the draft is too large to store."""
    size = sum(len(section.text.encode()) + len((section.proposal or "").encode()) for section in draft.sections)
    if size > MAX_DRAFT_LENGTH:
        raise TooLarge(
            gettext(
                "A draft has at most %(limit)s bytes; shorten a section first.",
                limit=f"{MAX_DRAFT_LENGTH:,}",
            )
        )


def _replace_section(draft: NewsletterDraft, section: DraftSection, *, text_changed: bool = True) -> NewsletterDraft:
    """Replace one section; `text_changed` says whether its text changed."""
    version = draft.version + 1
    if text_changed:
        section = replace(section, version=version)
    sections = tuple(section if other.id == section.id else other for other in draft.sections)
    changed = replace(draft, sections=sections, version=version)
    check_draft_size(changed)
    return changed
