"""Snapshots of the draft: when a save starts a new one, how many are kept, and what differs between two."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise

from almanac.desks.newsletter.model.draft import NewsletterDraft
from almanac.kit.text import SignedDiff, diff_pieces

# All items of a newsletter are deleted in one transaction, which has room for a hundred.
MOST_REVISIONS = 60
SITTING_GAP = timedelta(minutes=10)
FOUND = "As it was found"
# Under this name other programs keep a text that a person edited as a whole.
APART = "user_edits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The draft's texts by key at one moment. `reason` says in words what led to it.

    `sitting` names what a row of saves has in common, so that they are one revision.
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
    """Why a draft is saved: by whom, in which words, and in which sitting."""

    by: str
    reason: str
    at: datetime
    sitting: str = ""


def revisions_to_save(
    before: NewsletterDraft,
    changed: NewsletterDraft,
    occasion: EditContext,
    latest: Revision | None,
    lasting: Collection[int] = (),
) -> tuple[Revision, ...]:
    """The snapshots to keep with a changed draft; the last one is of the change itself.

    Saves of one sitting are one revision, so that saving while typing doesn't bury the history. A `lasting` one stays
    as it is. What another program wrote, before there were revisions or since, is kept as one first.
    """
    following = before.revision + 1
    is_new_here = before.revision == 0 and any(section.text for section in before.sections)
    if is_new_here or before.changed_elsewhere or before.apart:
        return _foreign_snapshot(before, occasion, following), _snapshot(changed, occasion, following + 1)
    if latest is not None and latest.number not in lasting and _is_same_sitting(latest, occasion):
        return (_snapshot(changed, occasion, latest.number),)
    return (_snapshot(changed, occasion, following),)


def _foreign_snapshot(draft: NewsletterDraft, occasion: EditContext, number: int) -> Revision:
    """What another program left, before it is changed here."""
    snapshot = _snapshot(draft, EditContext(by="", reason=FOUND, at=occasion.at), number)
    if not draft.apart:
        return snapshot
    return replace(
        snapshot, texts={**snapshot.texts, APART: draft.apart}, names={**snapshot.names, APART: "Edited as one text"}
    )


def _snapshot(draft: NewsletterDraft, occasion: EditContext, number: int) -> Revision:
    return Revision(
        number=number,
        created_at=occasion.at,
        by=occasion.by,
        reason=occasion.reason,
        word_count=draft.word_count,
        sitting=occasion.sitting,
        texts={section.key: section.text for section in draft.sections},
        names={section.key: section.name for section in draft.sections},
    )


def _is_same_sitting(latest: Revision, occasion: EditContext) -> bool:
    same = (latest.by, latest.sitting) == (occasion.by, occasion.sitting)
    return bool(occasion.sitting) and same and occasion.at - latest.created_at <= SITTING_GAP


def expired_revision(number: int) -> int | None:
    """The revision that gives way when this one is kept."""
    return number - MOST_REVISIONS if number > MOST_REVISIONS else None


_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?:\[@[^\]]*\])*\s*|\n+")


@dataclass(frozen=True, slots=True)
class SectionDifference:
    """The lines of one section, each with a sign: added, removed or the same."""

    key: str
    name: str
    lines: SignedDiff

    @property
    def is_changed(self) -> bool:
        return any(sign != " " for sign, _ in self.lines)


def compare_sections(
    old: Mapping[str, str], new: Mapping[str, str], names: Mapping[str, str]
) -> list[SectionDifference]:
    """Every section of either text, in the order of the new one, then what only the old one had."""
    keys = [*new, *(key for key in old if key not in new)]
    return [
        SectionDifference(
            key, names.get(key, key), diff_pieces(_sentences(old.get(key, "")), _sentences(new.get(key, "")))
        )
        for key in keys
    ]


def _sentences(text: str) -> list[str]:
    """Sentences with their markers: a change is shown where it is, not by the paragraph."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(ends))
    return [piece for piece in pieces if piece]
