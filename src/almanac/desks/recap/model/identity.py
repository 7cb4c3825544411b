"""Identifiers: a task's key, an article's id, and the key of an agenda item."""

import hashlib
import re

from almanac.desks.recap.model.filters import fold_value
from almanac.desks.recap.model.meeting import Meeting

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_KEY = 120


def task_pk(meeting: Meeting) -> str:
    """A hash of session, house and issueID, so that a meeting is stored only once."""
    identity = f"session={meeting.session}|house={meeting.canonical_house}|issueID={meeting.issue_id}"
    return hashlib.sha256(identity.encode()).hexdigest()


def article_id_for(meeting: Meeting) -> str:
    """The issueID if it is safe in URLs and keys, otherwise a part of the task's key."""
    return meeting.issue_id if _PLAIN.fullmatch(meeting.issue_id) else task_pk(meeting)[:16]


def agenda_key(title: str) -> str:
    """The key of an agenda item, the same in every meeting."""
    return fold_value(title).replace(" ", "").replace("/", "／")[:_LONGEST_KEY]
