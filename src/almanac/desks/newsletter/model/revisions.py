"""Revisions: snapshots of the draft, which of them are one, and how many are kept."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from almanac.desks.newsletter.model.draft import Draft

# All items of a newsletter are deleted in one transaction, which has room for a hundred.
MOST_REVISIONS = 60
ONE_SITTING = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The draft's texts by key at one moment. `reason` says in words what led to it."""

    number: int
    created_at: datetime
    by: str
    reason: str
    word_count: int
    section: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Why a draft is saved: by whom, in which words, and for which section if for one."""

    by: str
    reason: str
    at: datetime
    section: str = ""


def revision_of(draft: Draft, occasion: Occasion, latest: Revision | None, exported: Collection[int] = ()) -> Revision:
    """The snapshot to keep with a draft.

    Edits of one section by one person in one sitting are one revision, so that saving while typing doesn't bury the
    history. A revision that was exported stays as it is.
    """
    number = draft.revision + 1
    if latest is not None and latest.number not in exported and _is_one_sitting(latest, occasion):
        number = latest.number
    return Revision(
        number=number,
        created_at=occasion.at,
        by=occasion.by,
        reason=occasion.reason,
        word_count=draft.word_count,
        section=occasion.section,
        texts={section.key: section.text for section in draft.sections},
        names={section.key: section.name for section in draft.sections},
    )


def _is_one_sitting(latest: Revision, occasion: Occasion) -> bool:
    same = (latest.by, latest.section, latest.reason) == (occasion.by, occasion.section, occasion.reason)
    return bool(occasion.section) and same and occasion.at - latest.created_at <= ONE_SITTING


def outlived(number: int) -> int | None:
    """The revision that gives way when this one is kept."""
    return number - MOST_REVISIONS if number > MOST_REVISIONS else None
