"""A story told newest first, as the timeline component draws it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TimelineItem:
    """One moment of a story."""

    title: str
    when: datetime | None
    text: str
    tone: str
