"""The invented sittings, kept as files in the shape in which the National Diet's interface gives records."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.sources.diet_record import meeting_of


@dataclass(frozen=True, slots=True)
class Sample:
    """One sitting: its record as it would come from a parliament, and what it says."""

    name: str
    raw: bytes
    meeting: Meeting


@cache
def samples() -> tuple[Sample, ...]:
    """Every sitting, by its day."""
    found = [
        _sample(file.name.removesuffix(".json"), file.read_bytes())
        for file in (files(__package__) / "meetings").iterdir()
        if file.name.endswith(".json")
    ]
    return tuple(sorted(found, key=lambda sample: (sample.meeting.date, sample.name)))


def _sample(name: str, content: bytes) -> Sample:
    (record,) = msgspec.json.decode(content)["meetingRecord"]
    raw = msgspec.json.encode(record)
    return Sample(name, raw, meeting_of(raw))
