"""Snapshots of the draft: when a save starts a new one, how many are kept, and what differs between two."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise

from almanac.desks.newsletter.model.draft import NewsletterDraft
from almanac.kit.messages import gettext
from almanac.kit.text import SignedDiff, diff_pieces

# All items of a newsletter are deleted in one transaction of at most a hundred.
MAX_REVISIONS = 60
SITTING_GAP = timedelta(minutes=10)
FOREIGN_REASON = str(gettext("As it was found"))
# Other programs store a text that a person edited as one document under this name.
SEPARATE_DOCUMENT = "user_edits"
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?:[ \t]*\[@[^\]]*\])*\s*|\n+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The draft's texts by key at one time. `reason` says what happened.

    Saves with the same `sitting` are merged into one revision.
    """

    number: int
    created_at: datetime
    by: str
    reason: str
    word_count: int
    sitting: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditContext:
    """Who saves a draft, why and when, and in which sitting."""

    by: str
    reason: str
    at: datetime
    sitting: str = ""


def revisions_to_save(
    before: NewsletterDraft,
    changed: NewsletterDraft,
    edit: EditContext,
    latest: Revision | None,
    protected: Collection[int] = (),
) -> tuple[Revision, ...]:
    """The snapshots to save with a changed draft; the last one is the change itself.

    Saves of one sitting are one revision, so that saving while typing doesn't fill the history; a revision in
    `protected` is never overwritten. Text that another program wrote is saved as a revision first.
    """
    following = before.revision + 1
    is_new_here = before.revision == 0 and any(section.text for section in before.sections)
    if is_new_here or before.changed_elsewhere or before.separate_document:
        return _foreign_snapshot(before, edit, following), _snapshot(changed, edit, following + 1)
    if latest is not None and latest.number not in protected and _is_same_sitting(latest, edit):
        return (_snapshot(changed, edit, latest.number),)
    return (_snapshot(changed, edit, following),)


def _foreign_snapshot(draft: NewsletterDraft, edit: EditContext, number: int) -> Revision:
    """A snapshot of what another program wrote, before it is changed here."""
    snapshot = _snapshot(draft, EditContext(by="", reason=FOREIGN_REASON, at=edit.at), number)
    if not draft.separate_document:
        return snapshot
    return replace(
        snapshot,
        texts={**snapshot.texts, SEPARATE_DOCUMENT: draft.separate_document},
        names={**snapshot.names, SEPARATE_DOCUMENT: str(gettext("Edited as one text"))},
    )


def _snapshot(draft: NewsletterDraft, edit: EditContext, number: int) -> Revision:
    return Revision(
        number=number,
        created_at=edit.at,
        by=edit.by,
        reason=edit.reason,
        word_count=draft.word_count,
        sitting=edit.sitting,
        texts={section.key: section.text for section in draft.sections},
        names={section.key: section.name for section in draft.sections},
    )


def _is_same_sitting(latest: Revision, edit: EditContext) -> bool:
    is_same_author = (latest.by, latest.sitting) == (edit.by, edit.sitting)
    return bool(edit.sitting) and is_same_author and edit.at - latest.created_at <= SITTING_GAP


def expired_revision(number: int) -> int | None:
    """The revision to delete when this one is saved, or None."""
    return number - MAX_REVISIONS if number > MAX_REVISIONS else None


def translate_reason(stored: str) -> str:
    """What happened, from the English sentence that a revision stores; as it is if it reads otherwise."""
    if stored in _REASONS:
        return _REASONS[stored]
    for pattern, make in _NAMED_REASONS:
        if match := pattern.fullmatch(stored):
            return make(match[1])
    return stored


_REASONS = {str(reason): reason for reason in (gettext("As it was found"), gettext("Wrote the draft"))}
_NAMED_REASONS: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (re.compile(r"Restored revision (\d+)"), lambda number: gettext("Restored revision %(number)s", number=number)),
    (re.compile(r"Edited (.+)"), lambda name: gettext("Edited %(name)s", name=name)),
    (re.compile(r"Rewrote (.+)"), lambda name: gettext("Rewrote %(name)s", name=name)),
    (
        re.compile(r"Accepted the proposal for (.+)"),
        lambda name: gettext("Accepted the proposal for %(name)s", name=name),
    ),
    (
        re.compile(r"Rejected the proposal for (.+)"),
        lambda name: gettext("Rejected the proposal for %(name)s", name=name),
    ),
    (re.compile(r"Marked as own in (.+)"), lambda name: gettext("Marked as own in %(name)s", name=name)),
    (
        re.compile(r"No longer marked as own in (.+)"),
        lambda name: gettext("No longer marked as own in %(name)s", name=name),
    ),
    (re.compile(r"Dropped a sentence in (.+)"), lambda name: gettext("Dropped a sentence in %(name)s", name=name)),
)


@dataclass(frozen=True, slots=True)
class SectionDifference:
    """The lines of one section, each with a sign: added, removed or unchanged."""

    key: str
    name: str
    lines: SignedDiff

    @property
    def is_changed(self) -> bool:
        return any(sign != " " for sign, _ in self.lines)


def compare_sections(
    old: Mapping[str, str], new: Mapping[str, str], names: Mapping[str, str]
) -> list[SectionDifference]:
    """Every section of the new texts in order, then those that only the old texts have."""
    keys = [*new, *(key for key in old if key not in new)]
    return [
        SectionDifference(
            key, names.get(key, key), diff_pieces(_sentences(old.get(key, "")), _sentences(new.get(key, "")))
        )
        for key in keys
    ]


def _sentences(text: str) -> list[str]:
    """Sentences with their markers, so that a diff shows the changed sentence and not the paragraph."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(ends))
    return [piece for piece in pieces if piece]
