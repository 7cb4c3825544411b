"""Revisions: snapshots of the draft, which of them are one, and how many are kept."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from almanac.desks.newsletter.model.draft import Draft

# All items of a newsletter are deleted in one transaction, which has room for a hundred.
MOST_REVISIONS = 60
ONE_SITTING = timedelta(minutes=10)
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
class Occasion:
    """Why a draft is saved: by whom, in which words, and in which sitting."""

    by: str
    reason: str
    at: datetime
    sitting: str = ""


def revisions_of(
    before: Draft, changed: Draft, occasion: Occasion, latest: Revision | None, lasting: Collection[int] = ()
) -> tuple[Revision, ...]:
    """The snapshots to keep with a changed draft; the last one is of the change itself.

    Saves of one sitting are one revision, so that saving while typing doesn't bury the history. A `lasting` one stays
    as it is. What another program wrote, before there were revisions or since, is kept as one first.
    """
    following = before.revision + 1
    is_new_here = before.revision == 0 and any(section.text for section in before.sections)
    if is_new_here or before.changed_elsewhere or before.apart:
        return _found(before, occasion, following), _snapshot(changed, occasion, following + 1)
    if latest is not None and latest.number not in lasting and _is_one_sitting(latest, occasion):
        return (_snapshot(changed, occasion, latest.number),)
    return (_snapshot(changed, occasion, following),)


def _found(draft: Draft, occasion: Occasion, number: int) -> Revision:
    """What another program left, before it is changed here."""
    found = _snapshot(draft, Occasion(by="", reason=FOUND, at=occasion.at), number)
    if not draft.apart:
        return found
    return replace(found, texts={**found.texts, APART: draft.apart}, names={**found.names, APART: "Edited as one text"})


def _snapshot(draft: Draft, occasion: Occasion, number: int) -> Revision:
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


def _is_one_sitting(latest: Revision, occasion: Occasion) -> bool:
    same = (latest.by, latest.sitting) == (occasion.by, occasion.sitting)
    return bool(occasion.sitting) and same and occasion.at - latest.created_at <= ONE_SITTING


def outlived(number: int) -> int | None:
    """The revision that gives way when this one is kept."""
    return number - MOST_REVISIONS if number > MOST_REVISIONS else None
