"""The names of things: a task's key, an article's id, and the key of an item of the agenda."""

import hashlib
import re

from almanac.desks.recap.model.filters import fold_value
from almanac.desks.recap.model.meeting import Meeting

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_KEY = 120


def task_pk(meeting: Meeting) -> str:
    """A hash of session, house and issueID, so that a sitting is collected once however often it is found."""
    told = f"session={meeting.session}|house={meeting.canonical_house}|issueID={meeting.issue_id}"
    return hashlib.sha256(told.encode()).hexdigest()


def article_id_for(meeting: Meeting) -> str:
    """The issueID where it can stand in addresses and keys, otherwise a part of the task's key."""
    return meeting.issue_id if _PLAIN.fullmatch(meeting.issue_id) else task_pk(meeting)[:16]


def agenda_key(title: str) -> str:
    """The same for an item of the agenda in every sitting."""
    return fold_value(title).replace(" ", "").replace("/", "／")[:_LONGEST_KEY]
