"""The port to official records: sittings between two days, in pieces that can be collected one by one."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol

from almanac.desks.recap.model.meeting import Meeting
from almanac.errors import AlmanacError


class SourceRefused(AlmanacError, code="source_refused", status=502):
    """The source answered and does not give what was asked for; asking again would change nothing."""


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Some days, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def halves(self) -> tuple["DaySpan", "DaySpan"]:
        """The span in two, the first no longer than the second; a single day has no halves."""
        middle = self.first + timedelta(days=self.days // 2)
        return DaySpan(self.first, middle - timedelta(days=1)), DaySpan(middle, self.last)

    def __str__(self) -> str:
        return f"{self.first} – {self.last}"


@dataclass(frozen=True, slots=True)
class CollectedRecord:
    """One sitting: the record as it is kept (JSON in the shape of the National Diet's interface), and as it is read."""

    raw: bytes
    meeting: Meeting


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """A record that can't be read, and why; the others are collected all the same."""

    name: str
    reason: str


class MeetingSource(Protocol):
    """Gives the sittings of a parliament. What can't be reached is Retryable; what is refused is SourceRefused."""

    def spans(self, since: date, until: date) -> Sequence[DaySpan]:
        """The pieces to collect one after the other; after an interruption only the present one is repeated."""

    def collect(self, span: DaySpan) -> AsyncIterator[CollectedRecord | SkippedRecord]:
        """Every sitting of a piece, each once."""
